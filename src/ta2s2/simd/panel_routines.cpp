#include "ta2s2/simd/panel_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/panel_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/panel_cholesky-inl.hpp"
#include "ta2s2/simd/detail/panel_gradient-inl.hpp"
#include "ta2s2/simd/detail/panel_information-inl.hpp"
#include "ta2s2/simd/detail/panel_prediction-inl.hpp"
#include "ta2s2/simd/detail/panel_structured-inl.hpp"
#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

// Where the parts of a factorisation lie in `work`.
struct PanelWork {
  PanelMatrix matrix;
  double* roots;    // L_ii
  double* inputs;   // [input][row], padded: those of a panel's last vector are read beyond n
  double* weights;  // prepared
  double* borders;  // [border][run]
  double* end;
  std::size_t padded_rows;
};

PanelWork work_in(double* work, const PanelProblem& problem) {
  PanelWork w{};
  w.padded_rows = PanelMatrix::padded(problem.num_runs + problem.columns.count) + kPanel;
  w.matrix = {work, nullptr, problem.num_runs + problem.columns.count, problem.num_runs};
  w.matrix.inverses = work + w.matrix.size();
  w.roots = w.matrix.inverses + w.padded_rows;
  w.inputs = w.roots + w.padded_rows;
  w.weights = w.inputs + problem.num_inputs * w.padded_rows;
  w.borders = w.weights + PanelMatrix::padded(problem.num_inputs);
  w.end = w.borders + PanelMatrix::padded(problem.columns.count * problem.num_runs);
  return w;
}

// s_d or, of an exponential, its share of the exponent.
template <PairFeature feature>
HWY_INLINE V pair_feature(const PanelProblem& problem, const PanelWork& w, std::size_t d, std::size_t row,
                          std::size_t column) {
  if constexpr (feature == PairFeature::table) {
    return hn::LoadU(D(), problem.table + (column * problem.num_inputs + d) * problem.num_runs + row);
  } else {
    const double* x = w.inputs + d * w.padded_rows;
    const V difference = hn::Sub(hn::Load(D(), x + row), number(x[column]));
    return feature == PairFeature::distance ? hn::Abs(difference) : hn::Mul(difference, difference);
  }
}

template <CorrelationForm form, PairFeature feature>
HWY_INLINE PairSums<form> pair_sums(const PanelProblem& problem, const FormConstants& constants, const PanelWork& w,
                                    std::size_t row, std::size_t column) {
  PairSums<form> sums;
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    sums.add(d, pair_feature<feature>(problem, w, d, row, column), number(w.weights[d]), constants);
  }
  return sums;
}

template <CorrelationForm form, PairFeature feature>
HWY_INLINE void fill_panel(const PanelProblem& problem, const PanelPoint& point, const PanelWork& w,
                           const Panel& panel) {
  const std::size_t n = problem.num_runs, last = problem.columns.count - 1;
  const double* outputs = point.outputs != nullptr ? point.outputs : problem.borders + last * n;
  const FormConstants constants(problem.constant_share, number(point.shape));
  const std::size_t columns = HWY_MIN(panel.width, n);
  for (std::size_t column = 0; column < columns; ++column) {
    double* out = panel.elements + column * panel.height;
    const std::size_t above = column < panel.first ? 0 : (column - panel.first) / kLanes * kLanes;
    for (std::size_t r = above; r < panel.height; r += kLanes) {
      const auto sums = pair_sums<form, feature>(problem, constants, w, panel.first + r, column);
      hn::Store(sums.correlation(constants), D(), out + r);
    }
    if (column >= panel.first) out[column - panel.first] = 1.0 + point.nugget;
    for (std::size_t r = n > panel.first ? n - panel.first : 0; r < panel.height; ++r) {
      const std::size_t border = panel.first + r - n;
      out[r] = border < last ? problem.borders[border * n + column] : (border == last ? outputs[column] : 0.0);
    }
  }
  for (std::size_t i = columns * panel.height; i < panel.width * panel.height; ++i) panel.elements[i] = 0.0;
}

// Of the correlations, before the factor takes their place: the tiles on and below the diagonal.
HWY_INLINE void keep_panel(const Panel& panel, const VectorPanels& K) {
  for (std::size_t r = 0; r < panel.height && panel.first + r < K.n; r += kLanes) {
    double* out = K.panel(panel.first + r).elements;
    for (std::size_t column = 0; column < panel.first + r + kLanes; ++column) {
      hn::Store(hn::Load(D(), panel.elements + column * panel.height + r), D(), out + column * kLanes);
    }
  }
}

InformationWork information_work(const PanelWork& w, const PanelProblem& problem) {
  return {w.end, problem.num_runs, problem.columns.count - 1, problem.num_inputs + problem.with_nugget};
}

// Of the first `length` runs.
HWY_INLINE void gather_borders(const PanelProblem& problem, const PanelWork& w, std::size_t length, double* out) {
  const std::size_t n = problem.num_runs;
  for (std::size_t b = 0; b < problem.columns.count; ++b) {
    const Panel panel = w.matrix.panel((n + b) / kPanel);
    const double* row = panel.elements + (n + b - panel.first);
    for (std::size_t k = 0; k < length; ++k) out[b * length + k] = row[k * panel.height];
  }
}

HWY_INLINE void integrate_first(const PanelProblem& problem, const PanelWork& w, std::size_t num_runs,
                                const BorderColumns& columns, const IntegratedResults& results) {
  gather_borders(problem, w, num_runs, w.borders);
  hn::Store(log_determinant(OneLane(), w.roots, num_runs), OneLane(), results.log_det_K);
  integrate_out_trend(OneLane(), w.borders, columns, num_runs, results);
}

// K goes to `kept`, unless it is null.
template <CorrelationForm form, PairFeature feature>
void factorise_form(const PanelProblem& problem, const PanelPoint& point, double* work,
                    const IntegratedResults& results, const VectorPanels* kept) {
  const std::size_t n = problem.num_runs;
  const PanelWork w = work_in(work, problem);
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    double* x = w.inputs + d * w.padded_rows;
    for (std::size_t i = 0; i < w.padded_rows; ++i) x[i] = i < n ? problem.inputs[d * n + i] : 0.0;
  }
  for (std::size_t d = 0; d < problem.num_inputs; d += kLanes) {
    hn::Store(prepared_weight<form>(hn::Load(D(), point.log2_weights + d)), D(), w.weights + d);
  }
  *results.positive = 1.0;
  for (std::size_t index = 0; index < w.matrix.num_panels(); ++index) {
    const Panel panel = w.matrix.panel(index);
    fill_panel<form, feature>(problem, point, w, panel);
    if (kept != nullptr) keep_panel(panel, *kept);
    finish_panel(w.matrix, index, w.roots);
    for (std::size_t i = panel.first; i < HWY_MIN(panel.first + panel.height, n); ++i) {
      if (!(w.roots[i] > kLeastRoot)) *results.positive = 0.0;
    }
    if (*results.positive == 0.0) return;
  }
  if (results.leading != nullptr) {
    integrate_first(problem, w, problem.num_leading, problem.columns.of_leading(), *results.leading);
  }
  integrate_first(problem, w, n, problem.columns, results);
}

// Calls work<form, feature>().
template <class Work>
HWY_INLINE auto for_form(const PanelProblem& problem, const Work& work) {
  switch (problem.form) {
    case CorrelationForm::matern32:
      return work.template operator()<CorrelationForm::matern32, PairFeature::distance>();
    case CorrelationForm::matern52:
      return work.template operator()<CorrelationForm::matern52, PairFeature::distance>();
    case CorrelationForm::rational:
      return work.template operator()<CorrelationForm::rational, PairFeature::squared_distance>();
    case CorrelationForm::rational_quadratic:
      return work.template operator()<CorrelationForm::rational_quadratic, PairFeature::squared_distance>();
    default:
      break;
  }
  constexpr auto exponential = CorrelationForm::exponential;
  if (problem.feature == PairFeature::table) return work.template operator()<exponential, PairFeature::table>();
  return work.template operator()<exponential, PairFeature::squared_distance>();
}

void factorise(const PanelProblem& problem, const PanelPoint& point, double* work, const IntegratedResults& results) {
  const VectorPanels K = information_work(work_in(work, problem), problem).K;
  const VectorPanels* kept = problem.with_information ? &K : nullptr;
  for_form(problem, [&]<CorrelationForm form, PairFeature feature>()
                        HWY_ATTR { factorise_form<form, feature>(problem, point, work, results, kept); });
}

// d log k / d log phi_d from s_d (docs/math.md, section 1); of a rational quadratic, times 1 + x.
template <CorrelationForm form>
HWY_INLINE V log_derivative(V feature, double weight, double scale, double share) {
  if constexpr (form == CorrelationForm::exponential) {
    return hn::Mul(feature, number(weight * (-scale / kLog2E)));
  } else if constexpr (form == CorrelationForm::rational_quadratic) {
    return hn::Mul(feature, number(weight * scale));
  } else if constexpr (form == CorrelationForm::rational) {
    const V s = hn::Min(hn::Mul(feature, number(weight)), number(kLargestRatio));
    const V denominator = hn::Mul(hn::Add(s, number(1.0)), hn::MulAdd(number(share), s, number(1.0)));
    return hn::Div(hn::Mul(number(1.0 - share), s), denominator);
  } else {
    const V s = hn::Mul(feature, number(weight));
    const V one_plus = hn::Add(s, number(1.0));
    const V squared = hn::Mul(s, s);
    if constexpr (form == CorrelationForm::matern32) return hn::Div(squared, hn::Add(one_plus, one_plus));
    const V denominator = hn::MulAdd(number(6.0), one_plus, hn::Add(squared, squared));
    return hn::Div(hn::Mul(squared, one_plus), denominator);
  }
}

template <CorrelationForm form, PairFeature feature>
HWY_INLINE void fill_derivative(const PanelProblem& problem, const FormConstants& constants, const PanelWork& w,
                                const VectorPanels& K, std::size_t d, const SquarePanels& dK) {
  for (std::size_t index = 0; index < dK.num_panels(); ++index) {
    const Panel to = dK.panel(index);
    for (std::size_t column = 0; column < problem.num_runs; ++column) {
      for (std::size_t r = 0; r < to.height; r += kLanes) {
        const V f = pair_feature<feature>(problem, w, d, to.first + r, column);
        V derivative = log_derivative<form>(f, w.weights[d], problem.derivative_scale, problem.constant_share);
        if constexpr (form == CorrelationForm::rational_quadratic) {
          const V ratio = pair_sums<form, feature>(problem, constants, w, to.first + r, column).ratio(constants);
          derivative = hn::Div(derivative, hn::Add(number(1.0), ratio));
        }
        const V k = hn::Load(D(), K.panel(to.first + r).elements + column * kLanes);
        hn::Store(hn::Mul(k, derivative), D(), to.elements + column * to.height + r);
      }
    }
  }
}

// The inverse of the factor, the trend's basis and K in full. Columns of the inverse stay where derivatives will be.
HWY_INLINE VectorPanels prepare_information(const PanelProblem& problem, const PanelWork& w,
                                            const InformationWork& parts) {
  const VectorPanels columns{parts.derivative.elements, parts.n};
  solve_identity(w.matrix, columns);
  transpose_inverse(columns, problem.num_runs, parts.inverse);
  orthonormalise_trend(w.borders, problem.num_runs, parts);
  mirror(parts.K);
  return columns;
}

template <CorrelationForm form, PairFeature feature>
HWY_INLINE void general_information(const PanelProblem& problem, double shape, const PanelWork& w,
                                    const InformationWork& parts, double* gram) {
  const FormConstants constants(problem.constant_share, number(shape));
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    fill_derivative<form, feature>(problem, constants, w, parts.K, d, parts.derivative);
    whiten(parts, parts.root(d));
    project_and_centre(parts, parts.root(d));
  }
  if (problem.with_nugget) {
    square_of_inverse(parts, parts.root(problem.num_inputs));
    project_and_centre(parts, parts.root(problem.num_inputs));
  }
  gram_matrix(parts, gram);
}

HWY_INLINE bool squared_exponential_information(const PanelProblem& problem, const PanelWork& w,
                                                const InformationWork& parts, const VectorPanels& columns,
                                                double* gram) {
  const StructuredWork structured(parts, problem.num_inputs);
  centre_inputs(parts, structured, w.inputs, w.padded_rows);
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    structured.c[d] = w.weights[d] * (-problem.derivative_scale / kLog2E);
  }
  return structured_information(w.matrix, parts, structured, columns, gram);
}

PanelGradient gradient_in(double* work, const PanelProblem& problem) {
  return PanelGradient(work_in(work, problem).end, problem.num_runs, problem.num_inputs, problem.columns);
}

std::size_t gradient_work_size(const PanelProblem& problem) {
  double* const origin = nullptr;
  return static_cast<std::size_t>(gradient_in(origin, problem).end - origin);
}

// Over a panel of g.weights that begins at row `row`.
template <CorrelationForm form, PairFeature feature, int G>
HWY_NOINLINE void sum_over_panel(const PanelProblem& problem, const PanelWork& w, const PanelGradient& g,
                                 std::size_t row, std::size_t first) {
  V u[G], sums[G];
  HWY_UNROLL(8) for (int d = 0; d < G; ++d) {
    u[d] = bounded_inverse(number(w.weights[first + d]));
    sums[d] = hn::Load(D(), g.sums + kLanes * (first + d));
  }
  const double* own = g.weights.panel(row).elements;
  for (std::size_t column = 0; column < HWY_MIN(row + kLanes, g.runs); ++column) {
    V features[G], companions[G];
    HWY_UNROLL(8) for (int d = 0; d < G; ++d) {
      features[d] = pair_feature<feature>(problem, w, first + d, row, column);
      companions[d] = companion<form>(features[d], number(problem.constant_share));
    }
    add_derivatives<form, G>(hn::Load(D(), own + column * kLanes), u, features, companions, sums);
  }
  HWY_UNROLL(8) for (int d = 0; d < G; ++d) hn::Store(sums[d], D(), g.sums + kLanes * (first + d));
}

// Of a rational quadratic: every weight is left as the sums over inputs want it; returns the shape's sum.
template <CorrelationForm form, PairFeature feature>
HWY_INLINE double split_shapes(const PanelProblem& problem, const PanelPoint& point, const PanelWork& w,
                               const PanelGradient& g) {
  const FormConstants constants(problem.constant_share, number(point.shape));
  V sum = hn::Zero(D());
  for (std::size_t row = 0; row < g.runs; row += kLanes) {
    double* own = g.weights.panel(row).elements;
    for (std::size_t column = 0; column < HWY_MIN(row + kLanes, g.runs); ++column, own += kLanes) {
      const V ratio = pair_sums<form, feature>(problem, constants, w, row, column).ratio(constants);
      hn::Store(split_shape(hn::Load(D(), own), ratio, constants, sum), D(), own);
    }
  }
  return hn::GetLane(hn::SumOfLanes(D(), sum));
}

template <CorrelationForm form, PairFeature feature>
HWY_INLINE void sum_over_inputs(const PanelProblem& problem, const PanelWork& w, const PanelGradient& g,
                                double* by_log_phi) {
  for (std::size_t i = 0; i < problem.num_inputs * kLanes; ++i) g.sums[i] = 0.0;
  for (std::size_t row = 0; row < g.runs; row += kLanes) {
    by_groups_of_inputs<form>(problem.num_inputs, [&]<int G>(std::size_t first) HWY_ATTR {
      sum_over_panel<form, feature, G>(problem, w, g, row, first);
    });
  }
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    const V factor = derivative_factor<form>(number(w.weights[d]), problem.derivative_scale, problem.constant_share);
    by_log_phi[d] = hn::GetLane(hn::SumOfLanes(D(), hn::Mul(factor, hn::Load(D(), g.sums + d * kLanes))));
  }
}

// As in lane_gradient-inl.hpp.
HWY_INLINE void differentiate_by_output(const PanelProblem& problem, const PanelGradient& g, double root_of_ratio,
                                        double* by_output) {
  const OutputShares shares(problem.columns);
  const double* last = g.E + (g.num_columns - 1) * g.n;
  for (std::size_t i = 0; i < g.runs; ++i) {
    by_output[i] = -root_of_ratio * shares.of_last * last[i];
    if (shares.of_one_before != 0.0) by_output[i] -= root_of_ratio * shares.of_one_before * last[i - g.n];
  }
}

void factorise_with_gradient(const PanelProblem& problem, const PanelPoint& point, double* work,
                             const IntegratedResults& results, const GradientResults& gradient) {
  const PanelWork w = work_in(work, problem);
  const PanelGradient g = gradient_in(work, problem);
  for_form(problem, [&]<CorrelationForm form, PairFeature feature>() HWY_ATTR {
    factorise_form<form, feature>(problem, point, work, results, &g.weights);
    if (*results.positive == 0.0) return;
    const auto [minus_trace, root_of_ratio] =
        fill_weights(w.matrix, g, w.borders, problem.columns, problem.degrees_of_freedom);
    *gradient.by_nugget = 0.5 * minus_trace;
    if constexpr (form == CorrelationForm::rational_quadratic) {
      *gradient.by_log_shape = split_shapes<form, feature>(problem, point, w, g);
    }
    sum_over_inputs<form, feature>(problem, w, g, gradient.by_log_phi);
    if (gradient.by_output != nullptr) differentiate_by_output(problem, g, root_of_ratio, gradient.by_output);
  });
}

// Behind the factor: a panel of points, and their rows of the trend.
std::size_t prediction_work_size(const PanelProblem& problem) {
  const std::size_t q = problem.columns.count - 1;
  double* const origin = nullptr;
  return static_cast<std::size_t>(work_in(origin, problem).end - origin) +
         kPanel * (PanelMatrix::padded(problem.num_runs) + q);
}

void solved_borders(const PanelProblem& problem, double* work, double* out) {
  gather_borders(problem, work_in(work, problem), problem.num_runs, out);
}

template <CorrelationForm form, PairFeature feature>
void predict_form(const PanelProblem& problem, double shape, const PanelRegression& regression,
                  const PanelPoints& points, double* work, double* mean, double* c) {
  const FormConstants constants(problem.constant_share, number(shape));
  const PanelWork w = work_in(work, problem);
  const std::size_t n = problem.num_runs, p = problem.num_inputs, q = problem.columns.count - 1;
  double* const panel = w.end;
  double* const trend_rows = panel + kPanel * PanelMatrix::padded(n);
  const bool has_table = feature == PairFeature::table;
  const double* const group_points = has_table ? points.table : points.inputs;
  const std::size_t group_size = (has_table ? n : 1) * p * kPointGroup;
  for (std::size_t group = 0; group < points.num_groups; ++group) {
    for (std::size_t first = 0; first < kPointGroup; first += kPanel) {
      fill_point_panel<form, feature>(problem, constants, w.weights, group_points + group * group_size + first, panel);
      whiten_point_panel(w.matrix, panel);
      const std::size_t at = group * kPointGroup + first;
      predict_panel(regression, n, q, points.trend + group * q * kPointGroup + first, panel, trend_rows, mean + at,
                    c + at);
    }
  }
}

void predict(const PanelProblem& problem, double shape, const PanelRegression& regression, const PanelPoints& points,
             double* work, double* mean, double* c) {
  for_form(problem, [&]<CorrelationForm form, PairFeature feature>()
                        HWY_ATTR { predict_form<form, feature>(problem, shape, regression, points, work, mean, c); });
}

bool is_structured(const PanelProblem& problem) {
  return problem.form == CorrelationForm::exponential && problem.feature == PairFeature::squared_distance;
}

bool information(const PanelProblem& problem, double shape, InformationForm wanted, double* work, double* gram) {
  const PanelWork w = work_in(work, problem);
  const InformationWork parts = information_work(w, problem);
  const VectorPanels columns = prepare_information(problem, w, parts);
  if (wanted != InformationForm::general && is_structured(problem)) {
    const bool accurate = squared_exponential_information(problem, w, parts, columns, gram);
    if (accurate || wanted == InformationForm::structured) return accurate;
  }
  for_form(problem, [&]<CorrelationForm form, PairFeature feature>()
                        HWY_ATTR { general_information<form, feature>(problem, shape, w, parts, gram); });
  return true;
}

std::size_t work_size(const PanelProblem& problem) {
  double* const origin = nullptr;
  const PanelWork w = work_in(origin, problem);
  double* end = w.end;
  if (problem.with_information) {
    const InformationWork parts = information_work(w, problem);
    end = is_structured(problem) ? StructuredWork(parts, problem.num_inputs).end : parts.end;
  }
  return static_cast<std::size_t>(end - origin);
}

}  // namespace

extern const PanelRoutines kPanelKernels;
const PanelRoutines kPanelKernels = {
    work_size,      factorise, gradient_work_size, factorise_with_gradient, information, prediction_work_size,
    solved_borders, predict};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const PanelRoutines* panel_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kPanelKernels);
}

}  // namespace ta2s2
#endif
