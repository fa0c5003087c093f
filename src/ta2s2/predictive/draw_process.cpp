#include "ta2s2/predictive/draw_process.hpp"

#include <cmath>

namespace ta2s2 {

DrawProcess::DrawProcess(const Predictive& predictive, Index draw)
    : predictor_(predictive.model_of(draw), predictive.parameters_of(draw)), weight_(predictive.weights()[draw]) {
  const double sd = predictive.scaling().output_sd();
  unit_variance_ = sd * sd * predictor_.S2() / (predictive.degrees_of_freedom() - 2.0);
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

}  // namespace ta2s2
