#include "ta2s2/simd/lane_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/lane_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/lane_cholesky-inl.hpp"
#include "ta2s2/simd/detail/lane_gradient-inl.hpp"
#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

// Several pairs at a time share the loads of weights, and their exponentials fill each other's waits.
constexpr std::size_t kPairsAtOnce = 4;

// Correlations of pairs [begin, end), and of up to three more, which later rows overwrite. A copy goes to `kept`,
// unless it is null.
template <CorrelationForm form>
HWY_INLINE void fill_pairs(const LaneProblem& problem, const FormConstants& constants, const double* weights,
                           std::size_t begin, std::size_t end, double* out, double* kept) {
  const std::size_t p = problem.num_inputs;
  for (std::size_t pair = begin; pair < end; pair += kPairsAtOnce) {
    const double* features = problem.features + pair * p;
    PairSums<form> sums[kPairsAtOnce];
    for (std::size_t d = 0; d < p; ++d) {
      const V weight = load(weights + kLanes * d);
      HWY_UNROLL(8) for (std::size_t u = 0; u < kPairsAtOnce; ++u) {
        sums[u].add(d, number(features[u * p + d]), weight, constants);
      }
    }
    V correlations[kPairsAtOnce];
    HWY_UNROLL(8) for (std::size_t u = 0; u < kPairsAtOnce; ++u) {
      correlations[u] = sums[u].correlation(constants);
      store(correlations[u], out + kLanes * (pair + u));
    }
    if (kept == nullptr) continue;
    HWY_UNROLL(8) for (std::size_t u = 0; u < kPairsAtOnce; ++u) store(correlations[u], kept + kLanes * (pair + u));
  }
}

std::size_t matrix_size(const LaneProblem& problem) {
  return row_begin(problem.num_runs) + problem.columns.count * problem.num_runs + kPaddedPairs;
}

std::size_t work_size(const LaneProblem& problem) {
  return kLanes * (matrix_size(problem) + 2 * problem.num_runs + problem.num_inputs +
                   problem.columns.count * problem.num_leading);
}

LaneMatrix matrix_in(double* work, const LaneProblem& problem) {
  double* inverses = work + kLanes * matrix_size(problem);
  return {work, inverses, inverses + kLanes * problem.num_runs, problem.num_runs};
}

double* prepared_weights_in(double* work, const LaneProblem& problem) {
  return matrix_in(work, problem).roots + kLanes * problem.num_runs;
}

// Behind the factor.
LaneGradient gradient_in(double* work, const LaneProblem& problem) {
  return LaneGradient(matrix_in(work, problem), problem, work + work_size(problem));
}

std::size_t gradient_work_size(const LaneProblem& problem) {
  double* const origin = nullptr;
  return static_cast<std::size_t>(gradient_in(origin, problem).end - origin);
}

// From a copy: the regression on the trend changes the borders, which the whole problem's needs as they are.
HWY_INLINE void integrate_leading(const LaneProblem& problem, const LaneMatrix& m, double* borders,
                                  const IntegratedResults& results) {
  const std::size_t length = kLanes * problem.num_leading;
  for (std::size_t b = 0; b < problem.columns.count; ++b) {
    for (std::size_t i = 0; i < length; i += kLanes) store(load(m.border(b) + i), borders + b * length + i);
  }
  store(log_determinant(D(), m.roots, problem.num_leading), results.log_det_K);
  integrate_out_trend(D(), borders, problem.columns.of_leading(), problem.num_leading, results);
}

template <CorrelationForm form>
void factorise_form(const LaneProblem& problem, const LanePoints& points, double* work,
                    const IntegratedResults& results, double* kept) {
  const LaneMatrix m = matrix_in(work, problem);
  double* const prepared = prepared_weights_in(work, problem);
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    store(prepared_weight<form>(load(points.log2_weights + kLanes * d)), prepared + kLanes * d);
  }
  const FormConstants constants(problem.constant_share, load(points.shapes));
  const V diagonal = hn::Add(number(1.0), load(points.nuggets));
  hn::Mask<D> positive = hn::Eq(diagonal, diagonal);
  fill_pairs<form>(problem, constants, prepared, 0, row_begin(HWY_MIN(kTile, m.n)), m.rows, kept);
  by_tiles(m.n, [&]<int R>(std::size_t first) HWY_ATTR {
    const std::size_t begin = row_begin(first + R), end = row_begin(HWY_MIN(first + R + kTile, m.n));
    const std::size_t share = ((end - begin) / R + kPairsAtOnce) / kPairsAtOnce * kPairsAtOnce;
    // The correlations of the next rows fill the waits for this block's roots and divisions.
    const auto fill_share = [&](int part) HWY_ATTR {
      const std::size_t from = begin + static_cast<std::size_t>(part) * share;
      fill_pairs<form>(problem, constants, prepared, from, HWY_MIN(from + share, end), m.rows, kept);
    };
    positive = hn::And(positive, factor_rows<R>(m, first, diagonal, fill_share));
  });
  for (std::size_t i = 0; i < problem.columns.count * problem.num_runs; ++i) {
    store(number(problem.borders[i]), m.border(0) + kLanes * i);
  }
  for (std::size_t i = 0; points.outputs != nullptr && i < kLanes * problem.num_runs; i += kLanes) {
    store(load(points.outputs + i), m.border(problem.columns.count - 1) + i);
  }
  by_tiles(problem.columns.count, [&]<int R>(std::size_t first) HWY_ATTR { solve_borders<R>(m, first); });
  if (results.leading != nullptr) {
    integrate_leading(problem, m, prepared + kLanes * problem.num_inputs, *results.leading);
  }
  store(log_determinant(D(), m.roots, m.n), results.log_det_K);
  integrate_out_trend(D(), m.border(0), problem.columns, m.n, results);
  store(hn::IfThenElseZero(positive, number(1.0)), results.positive);
}

// Calls work<form>().
template <class Work>
HWY_INLINE void for_form(const LaneProblem& problem, const Work& work) {
  switch (problem.form) {
    case CorrelationForm::exponential:
      return work.template operator()<CorrelationForm::exponential>();
    case CorrelationForm::matern32:
      return work.template operator()<CorrelationForm::matern32>();
    case CorrelationForm::matern52:
      return work.template operator()<CorrelationForm::matern52>();
    case CorrelationForm::rational:
      return work.template operator()<CorrelationForm::rational>();
    case CorrelationForm::rational_quadratic:
      return work.template operator()<CorrelationForm::rational_quadratic>();
  }
}

void factorise(const LaneProblem& problem, const LanePoints& points, double* work, const IntegratedResults& results) {
  for_form(problem,
           [&]<CorrelationForm form>() HWY_ATTR { factorise_form<form>(problem, points, work, results, nullptr); });
}

void factorise_with_gradient(const LaneProblem& problem, const LanePoints& points, double* work,
                             const IntegratedResults& results, const GradientResults& gradient) {
  const LaneGradient g = gradient_in(work, problem);
  for_form(problem, [&]<CorrelationForm form>() HWY_ATTR {
    factorise_form<form>(problem, points, work, results, g.weights);
    differentiate<form>(problem, FormConstants(problem.constant_share, load(points.shapes)), g,
                        prepared_weights_in(work, problem), gradient);
  });
}

}  // namespace

extern const LaneRoutines kLaneKernels;
const LaneRoutines kLaneKernels = {kLanes, work_size, factorise, gradient_work_size, factorise_with_gradient};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const LaneRoutines* lane_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kLaneKernels);
}

}  // namespace ta2s2
#endif
