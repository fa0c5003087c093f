// Compiled once per instruction path.
#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/smc/detail/em_pass.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again for every instruction set.
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "ta2s2/smc/detail/em_pass_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, kMostLanes>;
using V = hn::Vec<Lanes>;

// x^(twice / 2)
HWY_INLINE V half_power(V x, Index twice) {
  const Lanes lanes;
  V result = (twice % 2 == 1) ? hn::Sqrt(x) : hn::Set(lanes, 1.0);
  for (Index power = twice / 2; power > 0; power /= 2) {
    if (power % 2 == 1) result = hn::Mul(result, x);
    x = hn::Mul(x, x);
  }
  return result;
}

// Points are taken a block of vectors at a time, so that a number of a component is loaded once for the block and a
// partial sum is written once.
constexpr Index kBlock = kEmBlockVectors;

// Differences x - mu of a block of points to `differences`, by coordinate and then by vector; nu plus their squared
// distances to `radii`.
HWY_INLINE void measure(const EmTable& table, Index dim, Index component, Index point, double* differences, V* radii) {
  const Lanes lanes;
  const auto width = static_cast<Index>(hn::Lanes(lanes));
  const double* mean = table.mean(component);
  const double* inverse = table.inverse(component);
  for (Index b = 0; b < kBlock; ++b) radii[b] = hn::Set(lanes, static_cast<double>(table.freedom));
  for (Index r = 0; r < dim; ++r) {
    double* const own = differences + r * kBlock * width;
    for (Index b = 0; b < kBlock; ++b) {
      const V x = hn::LoadU(lanes, table.coordinate(r) + point + b * width);
      hn::Store(hn::Sub(x, hn::Set(lanes, mean[r])), lanes, own + b * width);
    }
    V y[kBlock];
    for (Index b = 0; b < kBlock; ++b) y[b] = hn::Zero(lanes);
    const double* difference = differences;
    for (Index j = 0; j <= r; ++j) {
      const V factor = hn::Set(lanes, *inverse++);
      for (Index b = 0; b < kBlock; ++b, difference += width) {
        y[b] = hn::MulAdd(factor, hn::Load(lanes, difference), y[b]);
      }
    }
    for (Index b = 0; b < kBlock; ++b) radii[b] = hn::MulAdd(y[b], y[b], radii[b]);
  }
}

HWY_INLINE V sum_of_block(const V* values) {
  V sum = values[0];
  for (Index b = 1; b < kBlock; ++b) sum = hn::Add(sum, values[b]);
  return sum;
}

// held, precise, p (x - mu) and the lower triangle of p (x - mu)(x - mu)', each a vector of partial sums.
HWY_INLINE void accumulate(Index dim, const V* held, const V* precise, const double* differences, double* sums) {
  const Lanes lanes;
  const auto width = static_cast<Index>(hn::Lanes(lanes));
  const auto add = [&](V value) {
    hn::Store(hn::Add(hn::Load(lanes, sums), value), lanes, sums);
    sums += width;
  };
  add(sum_of_block(held));
  add(sum_of_block(precise));
  for (Index r = 0; r < dim; ++r) {
    V scaled[kBlock];
    for (Index b = 0; b < kBlock; ++b) {
      scaled[b] = hn::Mul(precise[b], hn::Load(lanes, differences + (r * kBlock + b) * width));
    }
    add(sum_of_block(scaled));
    const double* difference = differences;
    for (Index j = 0; j <= r; ++j) {
      V sum = hn::Load(lanes, sums);
      for (Index b = 0; b < kBlock; ++b, difference += width) {
        sum = hn::MulAdd(scaled[b], hn::Load(lanes, difference), sum);
      }
      hn::Store(sum, lanes, sums);
      sums += width;
    }
  }
}

// Densities are taken relative to the component that is nearest, so that none that matters underflows, and as powers:
// no logarithm or exponential per component. `scratch` has room for (d + 2) kBlock vectors per component, `partial` for
// the sums.
//
// kDim is the dimension if it is small, so that loops over coordinates unroll; 0 for any other.
template <Index kDim>
double run_pass_in(const EmTable& table, EmStretch points, double* scratch, double* partial, double* sums) {
  const Index dim = kDim > 0 ? kDim : table.dim;
  const Lanes lanes;
  const auto width = static_cast<Index>(hn::Lanes(lanes));
  const Index k = table.num_components;
  const Index twice_power = table.freedom + dim;
  const V freedom = hn::Set(lanes, static_cast<double>(twice_power));
  const Index block = kBlock * width;
  double* const closeness = scratch + dim * k * block;
  double* const terms = closeness + k * block;
  const auto differences = [&](Index c) { return scratch + c * dim * block; };

  V log_density = hn::Zero(lanes);
  for (Index i = points.begin; i < points.end; i += block) {
    V nearest[kBlock], total[kBlock], share[kBlock];
    for (Index b = 0; b < kBlock; ++b) {
      nearest[b] = hn::Set(lanes, kInfinity);
      total[b] = hn::Zero(lanes);
    }
    for (Index c = 0; c < k; ++c) {
      V radii[kBlock];
      measure(table, dim, c, i, differences(c), radii);
      for (Index b = 0; b < kBlock; ++b) {
        hn::Store(hn::Div(hn::Set(lanes, 1.0), radii[b]), lanes, closeness + c * block + b * width);
        nearest[b] = hn::Min(nearest[b], radii[b]);
      }
    }
    for (Index c = 0; c < k; ++c) {
      for (Index b = 0; b < kBlock; ++b) {
        const V ratio = hn::Mul(nearest[b], hn::Load(lanes, closeness + c * block + b * width));
        const V term = hn::Mul(hn::Set(lanes, table.scales[c]), half_power(ratio, twice_power));
        hn::Store(term, lanes, terms + c * block + b * width);
        total[b] = hn::Add(total[b], term);
      }
    }
    for (Index b = 0; b < kBlock; ++b) {
      total[b] = hn::Max(total[b], hn::Set(lanes, kLeastTotal));
      const V weight = hn::LoadU(lanes, table.weights + i + b * width);
      const V log_nearest = hn::Mul(hn::Mul(hn::Set(lanes, 0.5), freedom), hn::Log(lanes, nearest[b]));
      log_density = hn::MulAdd(weight, hn::Sub(hn::Log(lanes, total[b]), log_nearest), log_density);
      share[b] = hn::Div(weight, total[b]);
    }
    for (Index c = 0; c < k; ++c) {
      V held[kBlock], precise[kBlock];
      for (Index b = 0; b < kBlock; ++b) {
        held[b] = hn::Mul(share[b], hn::Load(lanes, terms + c * block + b * width));
        precise[b] = hn::Mul(held[b], hn::Mul(freedom, hn::Load(lanes, closeness + c * block + b * width)));
      }
      accumulate(dim, held, precise, differences(c), partial + c * table.num_sums() * width);
    }
  }
  for (Index s = 0; s < table.num_sums() * k; ++s) {
    sums[s] = hn::GetLane(hn::SumOfLanes(lanes, hn::Load(lanes, partial + s * width)));
  }
  return hn::GetLane(hn::SumOfLanes(lanes, log_density));
}

double run_pass(const EmTable& table, EmStretch points, double* scratch, double* partial, double* sums) {
  switch (table.dim) {
    case 1:
      return run_pass_in<1>(table, points, scratch, partial, sums);
    case 2:
      return run_pass_in<2>(table, points, scratch, partial, sums);
    case 3:
      return run_pass_in<3>(table, points, scratch, partial, sums);
    case 4:
      return run_pass_in<4>(table, points, scratch, partial, sums);
    case 5:
      return run_pass_in<5>(table, points, scratch, partial, sums);
    default:
      return run_pass_in<0>(table, points, scratch, partial, sums);
  }
}

}  // namespace ta2s2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cmath>
#include <memory>

#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2::detail {

EmPoints::EmPoints(const Matrix& points, const Vector& weights) : size_(points.cols()) {
  constexpr Index kBlockPoints = kEmBlockVectors * kMostLanes;
  const Index filled = (size_ + kBlockPoints - 1) / kBlockPoints * kBlockPoints;
  coordinates_ = Matrix::Zero(filled, points.rows());
  coordinates_.topRows(size_) = points.transpose();
  weights_ = Vector::Zero(filled);
  weights_.head(size_) = weights;
}

EmTable::EmTable(const EmPoints& data, const std::vector<TComponent>& components, int nu)
    : freedom(nu),
      dim(data.dim()),
      num_points(data.weights().size()),
      num_components(static_cast<Index>(components.size())),
      weights(data.weights().data()),
      coordinates_(data.coordinates().data()) {
  log_scale = -kInfinity;
  for (const TComponent& component : components) {
    scales.push_back(log_t_scale(component, freedom));
    log_scale = std::max(log_scale, scales.back());
    const Matrix inverse = component.factor.triangularView<Eigen::Lower>().solve(Matrix::Identity(dim, dim));
    numbers_.insert(numbers_.end(), component.mean.begin(), component.mean.end());
    for (Index r = 0; r < dim; ++r) {
      for (Index j = 0; j <= r; ++j) numbers_.push_back(inverse(r, j));
    }
  }
  for (double& scale : scales) scale = std::exp(scale - log_scale);
}

namespace {

ComponentSums unpack(const double* sums, Index dim) {
  ComponentSums unpacked{*sums++, *sums++, Vector(dim), Matrix::Zero(dim, dim)};
  for (Index r = 0; r < dim; ++r) {
    unpacked.first[r] = *sums++;
    for (Index j = 0; j <= r; ++j) unpacked.second(r, j) = *sums++;
  }
  return unpacked;
}

// Zeros, `count` vectors of them, that begin at the border of a vector.
class VectorMemory {
 public:
  explicit VectorMemory(Index count) : numbers_(static_cast<std::size_t>((count + 1) * kMostLanes), 0.0) {
    constexpr std::size_t kVectorBytes = kMostLanes * sizeof(double);
    void* begin = numbers_.data();
    std::size_t space = numbers_.size() * sizeof(double);
    begin_ = static_cast<double*>(std::align(kVectorBytes, kVectorBytes, begin, space));
  }
  VectorMemory(const VectorMemory&) = delete;
  VectorMemory& operator=(const VectorMemory&) = delete;
  double* data() { return begin_; }

 private:
  std::vector<double> numbers_;
  double* begin_;
};

}  // namespace

EmPass em_pass(const EmPoints& data, const std::vector<TComponent>& components, InstructionSet path, Executor* executor,
               int freedom) {
  const EmTable table(data, components, freedom);
  const Index num_sums = table.num_sums() * table.num_components;
  const Index num_stretches = (table.num_points + kEmStretchPoints - 1) / kEmStretchPoints;
  Matrix sums_of(num_sums, num_stretches);
  Vector log_densities(num_stretches);
  const auto run_pass = TA2S2_FOR_PATH(path == InstructionSet::plain ? InstructionSet::baseline : path, run_pass);
  for_each_stretch(executor, table.num_points, kEmStretchPoints, [&](Index begin, Index end) {
    VectorMemory scratch((table.dim + 2) * kEmBlockVectors * table.num_components), partial(num_sums);
    const Index s = begin / kEmStretchPoints;
    log_densities[s] = run_pass(table, {begin, end}, scratch.data(), partial.data(), sums_of.col(s).data());
  });
  Vector sums = sums_of.col(0);
  for (Index s = 1; s < num_stretches; ++s) sums += sums_of.col(s);
  EmPass pass;
  pass.mean_log_density = table.log_scale * data.weights().sum() + log_densities.sum();
  for (Index c = 0; c < table.num_components; ++c) {
    pass.sums.push_back(unpack(sums.data() + c * table.num_sums(), table.dim));
  }
  return pass;
}

}  // namespace ta2s2::detail

#endif
