#include "ta2s2/predictive/run_criterion.hpp"

#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

DrawProcess::DrawProcess(const Predictive& predictive, Index draw)
    : predictor_(predictive.model_of(draw), predictive.parameters_of(draw)),
      output_(predictive.model_of(draw), predictive.parameters_of(draw)),
      weight_(predictive.weights()[draw]) {
  const double sd = predictive.scaling().output_sd();
  output_variance_ = sd * sd;
  unit_variance_ = (is_plain() ? output_variance_ : 1.0) * predictor_.S2() / (predictive.degrees_of_freedom() - 2.0);
  if (!is_plain()) rule_ = std::make_shared<const StudentRule>(predictive.degrees_of_freedom());
}

// Where the law is so narrow that rounding would decide, the ratio is its limit.
DrawProcess::OutputMoments DrawProcess::output_moments(const ConditionalPredictor::Points& points) const {
  constexpr double kNarrow = 1e-6;
  const Vector c = predictor_.variance(points);
  const double df = static_cast<double>(predictor_.degrees_of_freedom());
  OutputMoments moments{Vector(c.size()), Vector(c.size())};
  for (Index i = 0; i < c.size(); ++i) {
    const double mean = points.mean[i], scale = std::sqrt(predictor_.S2() / df * c[i]);
    if (scale * output_.slope(mean) < kNarrow) {
      moments.means[i] = output_.of_process(mean);
      moments.ratios[i] = output_variance_ * std::pow(output_.slope(mean), 2);
      continue;
    }
    const DrawOutput::Moments own = output_.moments(mean, scale, *rule_);
    moments.means[i] = own.mean;
    moments.ratios[i] = output_variance_ * own.variance / (unit_variance_ * c[i]);
  }
  return moments;
}

DrawProcess::Points DrawProcess::at(MatrixView unit_points) const {
  Points points{predictor_.at(unit_points), {}, {}};
  update(points);
  return points;
}

void DrawProcess::update(Points& points) const {
  points.c = predictor_.variance(points.given_runs);
  if (T_.rows() == 0) return;
  points.told = predictor_.covariance(chosen_, points.given_runs);
  T_.triangularView<Eigen::Lower>().solveInPlace(points.told);
  points.c = (points.c - points.told.colwise().squaredNorm().transpose()).cwiseMax(0.0);
}

Matrix DrawProcess::covariance(const Points& a, const Points& b) const {
  Matrix c = predictor_.covariance(a.given_runs, b.given_runs);
  if (T_.rows() > 0) c.noalias() -= a.told.transpose() * b.told;
  return c;
}

void DrawProcess::add_run(const Vector& unit_point, double noise) {
  const Points added = at(unit_point.transpose());
  const Index k = T_.rows();
  T_.conservativeResize(k + 1, k + 1);
  T_.col(k).setZero();
  if (k > 0) T_.row(k).head(k) = added.told.col(0).transpose();
  T_(k, k) = std::sqrt(added.c[0] + noise);
  Matrix chosen(k + 1, unit_point.size());
  if (k > 0) chosen.topRows(k) = chosen_.X;
  chosen.row(k) = unit_point.transpose();
  chosen_ = predictor_.at(chosen);
}

std::vector<std::unique_ptr<DrawProcess>> make_processes(const Predictive& predictive, Executor& executor) {
  std::vector<std::unique_ptr<DrawProcess>> processes(static_cast<std::size_t>(predictive.num_draws()));
  executor.for_each_here(predictive.num_draws(), [&](Index draw) {
    processes[static_cast<std::size_t>(draw)] = std::make_unique<DrawProcess>(predictive, draw);
  });
  return processes;
}

namespace {

struct Entry {
  CriterionInfo info;
  std::unique_ptr<RunCriterion> (*make)(double level, const Predictive&, std::uint64_t seed, Executor&);
};

Matrix points_everywhere(const Predictive& predictive, std::uint64_t seed) {
  return make_design({predictive.num_inputs(), kReferencePoints, DesignKind::sobol, seed});
}

std::unique_ptr<RunCriterion> make_imse(double, const Predictive& predictive, std::uint64_t seed, Executor& executor) {
  return detail::make_imse_criterion(predictive, points_everywhere(predictive, seed),
                                     Vector::Constant(kReferencePoints, 1.0 / static_cast<double>(kReferencePoints)),
                                     executor);
}

std::unique_ptr<RunCriterion> make_loo_imse(double, const Predictive& predictive, std::uint64_t seed,
                                            Executor& executor) {
  const Matrix points = points_everywhere(predictive, seed);
  return detail::make_imse_criterion(predictive, points, detail::left_out_weights(predictive, points, executor),
                                     executor);
}

std::unique_ptr<RunCriterion> make_boundary(double level, const Predictive& predictive, std::uint64_t seed,
                                            Executor& executor) {
  detail::WeightedPoints near = detail::points_near_level(predictive, level, kReferencePoints, seed, executor);
  return detail::make_imse_criterion(predictive, std::move(near.unit_points), std::move(near.weights), executor);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {{"imse", "imse", "by how much the run is expected to lower the variance, averaged over the ranges"}, make_imse},
      {{"loo-imse", "imse",
        "by how much the run is expected to lower the variance, averaged over the ranges with more weight where "
        "leaving runs out shows large errors"},
       make_loo_imse},
      {{"variance", "variance", "the variance of the output there, given the points before it"},
       [](double, const Predictive& predictive, std::uint64_t, Executor& executor) {
         return detail::make_variance_criterion(predictive, executor);
       }},
      {{"ei-min", "improvement", "by how much the run is expected to fall below all others, those before it included"},
       [](double, const Predictive& predictive, std::uint64_t seed, Executor& executor) {
         return detail::make_improvement_criterion(predictive, -1.0, seed, executor);
       }},
      {{"ei-max", "improvement", "by how much the run is expected to exceed all others, those before it included"},
       [](double, const Predictive& predictive, std::uint64_t seed, Executor& executor) {
         return detail::make_improvement_criterion(predictive, 1.0, seed, executor);
       }},
      {{"boundary(y0)", "boundary",
        "by how much the run is expected to lower the variance, averaged over where the "
        "output may be y0"},
       make_boundary},
      {{"entropy", "information", "what the run tells of the output given the points before it, in nats"},
       [](double, const Predictive& predictive, std::uint64_t, Executor& executor) {
         return detail::make_entropy_criterion(predictive, executor);
       }},
  };
  return list;
}

const Entry& entry_of(const CriterionSpec& spec) {
  for (const Entry& entry : entries()) {
    if (parse_spec(entry.info.name)->name == spec.name) return entry;
  }
  throw Error(ErrorCode::internal, "no criterion is called " + spec.name);
}

}  // namespace

const std::vector<CriterionInfo>& criteria() {
  static const std::vector<CriterionInfo> list = [] {
    std::vector<CriterionInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return list;
}

CriterionSpec parse_criterion(const std::string& text) {
  const std::optional<ParsedSpec> spec = parse_spec(text);
  for (const CriterionInfo& info : criteria()) {
    const ParsedSpec form = *parse_spec(info.name);
    if (spec && spec->name == form.name && spec->arguments.size() == form.arguments.size()) {
      return {spec->name, spec->arguments.empty() ? 0.0 : parse_number(spec->arguments.front(), info.name)};
    }
  }
  throw Error(ErrorCode::usage,
              "--criterion: found \"" + text + "\", expected one of " + join(criteria(), ", ", &CriterionInfo::name));
}

std::string to_text(const CriterionSpec& criterion) {
  const bool has_level = info_of(criterion).name != criterion.name;
  return has_level ? format_spec(criterion.name, {criterion.level}) : criterion.name;
}

const CriterionInfo& info_of(const CriterionSpec& spec) {
  return entry_of(spec).info;
}

std::unique_ptr<RunCriterion> make_criterion(const CriterionSpec& spec, const Predictive& predictive,
                                             std::uint64_t seed, Executor& executor) {
  return entry_of(spec).make(spec.level, predictive, seed, executor);
}

}  // namespace ta2s2
