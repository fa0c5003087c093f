#include "ta2s2/simd/lane_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/lane_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/lane_cholesky-inl.hpp"
#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

// Several pairs at a time share the loads of weights, and their exponentials fill each other's waits.
constexpr std::size_t kPairsAtOnce = 4;

// Correlations of pairs [begin, end), and of up to three more, which later rows overwrite.
template <CorrelationForm form>
HWY_INLINE void fill_pairs(const LaneProblem& problem, const double* weights, std::size_t begin, std::size_t end,
                           double* out) {
  const std::size_t p = problem.num_inputs;
  const V share = number(problem.constant_share);
  for (std::size_t pair = begin; pair < end; pair += kPairsAtOnce) {
    const double* features = problem.features + pair * p;
    PairSums<form> sums[kPairsAtOnce];
    for (std::size_t d = 0; d < p; ++d) {
      const V weight = load(weights + kLanes * d);
      HWY_UNROLL(8) for (std::size_t u = 0; u < kPairsAtOnce; ++u) {
        sums[u].add(d, number(features[u * p + d]), weight, share);
      }
    }
    HWY_UNROLL(8) for (std::size_t u = 0; u < kPairsAtOnce; ++u) {
      store(sums[u].correlation(), out + kLanes * (pair + u));
    }
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

// From a copy: the regression on the trend changes the borders, which the whole problem's needs as they are.
HWY_INLINE void integrate_leading(const LaneProblem& problem, const LaneMatrix& m, double* borders,
                                  const IntegratedResults& results) {
  const std::size_t length = kLanes * problem.num_leading;
  for (std::size_t b = 0; b < problem.columns.count; ++b) {
    for (std::size_t i = 0; i < length; i += kLanes) store(load(m.border(b) + i), borders + b * length + i);
  }
  store(log_determinant(D(), m.roots, problem.num_leading), results.log_det_K);
  integrate_out_trend(D(), borders, problem.columns, problem.num_leading, results);
}

template <CorrelationForm form>
void factorise_form(const LaneProblem& problem, const double* log2_weights, const double* nuggets, double* work,
                    const IntegratedResults& results) {
  const LaneMatrix m = matrix_in(work, problem);
  double* prepared = m.roots + kLanes * problem.num_runs;
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    store(prepared_weight<form>(load(log2_weights + kLanes * d)), prepared + kLanes * d);
  }
  const V diagonal = hn::Add(number(1.0), load(nuggets));
  hn::Mask<D> positive = hn::Eq(diagonal, diagonal);
  fill_pairs<form>(problem, prepared, 0, row_begin(HWY_MIN(kTile, m.n)), m.rows);
  by_tiles(m.n, [&]<int R>(std::size_t first) HWY_ATTR {
    const std::size_t begin = row_begin(first + R), end = row_begin(HWY_MIN(first + R + kTile, m.n));
    const std::size_t share = ((end - begin) / R + kPairsAtOnce) / kPairsAtOnce * kPairsAtOnce;
    // The correlations of the next rows fill the waits for this block's roots and divisions.
    const auto fill_share = [&](int part) HWY_ATTR {
      const std::size_t from = begin + static_cast<std::size_t>(part) * share;
      fill_pairs<form>(problem, prepared, from, HWY_MIN(from + share, end), m.rows);
    };
    positive = hn::And(positive, factor_rows<R>(m, first, diagonal, fill_share));
  });
  for (std::size_t i = 0; i < problem.columns.count * problem.num_runs; ++i) {
    store(number(problem.borders[i]), m.border(0) + kLanes * i);
  }
  by_tiles(problem.columns.count, [&]<int R>(std::size_t first) HWY_ATTR { solve_borders<R>(m, first); });
  if (results.leading != nullptr) {
    integrate_leading(problem, m, prepared + kLanes * problem.num_inputs, *results.leading);
  }
  store(log_determinant(D(), m.roots, m.n), results.log_det_K);
  integrate_out_trend(D(), m.border(0), problem.columns, m.n, results);
  store(hn::IfThenElseZero(positive, number(1.0)), results.positive);
}

void factorise(const LaneProblem& problem, const double* log2_weights, const double* nuggets, double* work,
               const IntegratedResults& results) {
  switch (problem.form) {
    case CorrelationForm::exponential:
      return factorise_form<CorrelationForm::exponential>(problem, log2_weights, nuggets, work, results);
    case CorrelationForm::matern32:
      return factorise_form<CorrelationForm::matern32>(problem, log2_weights, nuggets, work, results);
    case CorrelationForm::matern52:
      return factorise_form<CorrelationForm::matern52>(problem, log2_weights, nuggets, work, results);
    case CorrelationForm::rational:
      return factorise_form<CorrelationForm::rational>(problem, log2_weights, nuggets, work, results);
  }
}

}  // namespace

extern const LaneRoutines kLaneKernels;
const LaneRoutines kLaneKernels = {kLanes, work_size, factorise};

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
