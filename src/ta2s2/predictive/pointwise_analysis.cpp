// The output of a path followed point by point: for transformed outputs, and for correlations that are no product over
// inputs (docs/math.md, section 11).
#include <algorithm>
#include <cmath>
#include <optional>

#include "ta2s2/predictive/draw_output.hpp"
#include "ta2s2/predictive/path_analysis.hpp"
#include "ta2s2/predictive/path_terms.hpp"
#include "ta2s2/simd/wave_routines.hpp"

namespace ta2s2::detail {
namespace {

// A rational quadratic is a power of 1 + a sum over inputs: along one input only its own part of the sum changes.
class RadialLines {
 public:
  RadialLines(const SampleFunction& path, const std::vector<Vector>& values, const WaveRoutines& routines)
      : path_(path), routines_(routines), shape_(std::exp(path.parameters.log_shape)) {
    constexpr auto kPadded = static_cast<Index>(kPaddedValues);
    for (std::size_t d = 0; d < values.size(); ++d) {
      const Index count = values[d].size(), padded = (count + kPadded - 1) / kPadded * kPadded;
      at_values_.push_back(Matrix::Zero(padded, path.model->num_runs()));
      at_values_[d].topRows(count) = parts(static_cast<Index>(d), values[d]);
    }
  }

  // values(i, j) += what runs have a part in, at point i with input d moved to value j; for each input in turn.
  template <typename Add>
  void visit(MatrixView points, const Add& add) const {
    Matrix sums = Matrix::Zero(path_.model->num_runs(), points.rows()), along;
    for (Index d = 0; d < points.cols(); ++d) sums += parts(d, points.col(d)).transpose();
    for (Index d = 0; d < points.cols(); ++d) {
      const Matrix& own = at_values_[static_cast<std::size_t>(d)];
      const Matrix others = (sums - parts(d, points.col(d)).transpose()).cwiseMax(0.0);
      along.resize(own.rows(), points.rows());
      for (Index i = 0; i < points.rows(); ++i) {
        routines_.sums_of_powers(static_cast<std::size_t>(own.cols()), static_cast<std::size_t>(own.rows()),
                                 path_.run_weights.data(), others.col(i).data(), own.data(), shape_,
                                 along.col(i).data());
      }
      add(d, along);
    }
  }

 private:
  // Of the sum: (values, runs).
  Matrix parts(Index d, VectorView values) const {
    const double weight = 0.5 / (path_.parameters.phi[d] * shape_);
    Matrix part(values.size(), path_.model->num_runs());
    for (Index run = 0; run < part.cols(); ++run) {
      part.col(run) = weight * (values.array() - path_.model->X()(run, d)).square();
    }
    return part;
  }

  const SampleFunction& path_;
  const WaveRoutines& routines_;
  double shape_;
  std::vector<Matrix> at_values_;  // parts of the sum at the values, padded: (values, runs) of each input
};

// The process along every input from each of some points.
class ProcessLines {
 public:
  ProcessLines(const SampleFunction& path, std::vector<Vector> values, InstructionSet simd)
      : path_(path), values_(std::move(values)), simd_(simd), split_(path), coefficients_(term_coefficients(path)) {
    for (Index d = 0; d < num_inputs(); ++d) {
      Matrix factors;
      fill_input_factors(path, d, at(d), simd, factors);
      at_values_.push_back(conjugated(split_, std::move(factors)));
      trend_.push_back(trend_of_input(path, d, at(d)));
    }
    const WaveRoutines* routines = wave_routines(simd);
    const bool is_radial = path.model->covariance().form() == CorrelationForm::rational_quadratic;
    if (is_radial && routines != nullptr) radial_.emplace(path, values_, *routines);
  }

  // (points, values) of each input.
  std::vector<Matrix> from(MatrixView points) const {
    std::vector<Matrix> lines;
    for (Index d = 0; d < num_inputs(); ++d) lines.emplace_back(points.rows(), at(d).size());
    TermWorkspace work;
    work.factors.resize(values_.size());
    for (Index first = 0; first < points.rows(); first += kPathStretch) {
      add_stretch(points, first, std::min(kPathStretch, points.rows() - first), work, lines);
    }
    return lines;
  }

 private:
  Index num_inputs() const { return path_.model->num_inputs(); }
  const Vector& at(Index d) const { return values_[static_cast<std::size_t>(d)]; }

  void add_stretch(MatrixView all_points, Index first, Index count, TermWorkspace& work,
                   std::vector<Matrix>& lines) const {
    const MatrixView points = all_points.middleRows(first, count);
    for (Index d = 0; d < num_inputs(); ++d) {
      fill_input_factors(path_, d, points.col(d), simd_, work.factors[static_cast<std::size_t>(d)]);
    }
    multiply_others(split_, coefficients_, work);
    const Vector trend = path_.model->trend().columns(points) * path_.beta;
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      auto along = lines[input].middleRows(first, count);
      along.noalias() = work.others[input].transpose() * at_values_[input];
      along.colwise() += trend - trend_of_input(path_, d, points.col(d));
      along.rowwise() += trend_[input].transpose();
    }
    if (path_.model->covariance().is_product()) return;
    const auto add = [&](Index d, const Matrix& runs) {  // (values, points)
      lines[static_cast<std::size_t>(d)].middleRows(first, count) += runs.topRows(at(d).size()).transpose();
    };
    radial_ ? radial_->visit(points, add) : visit_plainly(points, add);
  }

  // The definition.
  template <typename Add>
  void visit_plainly(MatrixView points, const Add& add) const {
    Matrix cross;
    for (Index d = 0; d < num_inputs(); ++d) {
      Matrix along(at(d).size(), points.rows());
      for (Index i = 0; i < points.rows(); ++i) {
        Matrix moved = points.row(i).replicate(at(d).size(), 1);
        moved.col(d) = at(d);
        path_.model->covariance().fill_cross(path_.model->X(), moved, path_.parameters, cross);
        along.col(i) = cross.transpose() * path_.run_weights;
      }
      add(d, along);
    }
  }

  const SampleFunction& path_;
  std::vector<Vector> values_;  // that each input takes
  InstructionSet simd_;
  TermSplit split_;
  Vector coefficients_;
  std::vector<Matrix> at_values_;  // factors there, conjugated
  std::vector<Vector> trend_;      // of each input there, without the constant
  std::optional<RadialLines> radial_;
};

double variance_by(const Vector& weights, const Vector& values) {
  const double mean = weights.dot(values);
  return weights.dot((values.array() - mean).square().matrix());
}

// What a batch's points say. Everything is linear in the output or a plain mean over points.
struct Batch {
  std::vector<Matrix> along;      // the output along each input, (points, values)
  std::vector<Vector> means;      // its mean over the points at each value
  std::vector<Matrix> at_points;  // (points, values): gives a function of one input at the points from its values
  double mean = 0.0;
  Vector total;
};

class PointwiseAnalysis {
 public:
  PointwiseAnalysis(const SampleFunction& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                    InstructionSet simd)
      : path_(path), plan_(plan), output_(*path.model, path.parameters), lines_(path, followed(plan), simd) {
    for (const Matrix& points : batches) batches_.push_back(followed_from(points));
    for (Index d = 0; d < num_inputs(); ++d) pooled_.push_back(pooled_effect(d));
  }

  PathVariances result() const {
    const auto num_batches = static_cast<Index>(batches_.size());
    PathVariances variances{0.0, std::vector<Vector>(batches_.size(), Vector(num_inputs())),
                            Matrix(num_inputs(), num_batches), Vector::Zero(num_batches),
                            Matrix(plan_.grids.front().size(), num_inputs())};
    for (const Batch& batch : batches_) variances.mean += batch.mean / static_cast<double>(num_batches);
    for (Index d = 0; d < num_inputs(); ++d) {
      add_main(d, variances);
      variances.effects.col(d) = shown(d).array() + variances.mean;
    }
    for (Index b = 0; b < num_batches; ++b) {
      variances.total.col(b) = batches_[static_cast<std::size_t>(b)].total;
      variances.interactions[b] = interactions(batches_[static_cast<std::size_t>(b)], variances.mean);
    }
    return variances;
  }

 private:
  Index num_inputs() const { return path_.model->num_inputs(); }
  const Quadrature& rule(Index d) const { return plan_.rules[static_cast<std::size_t>(d)]; }
  Index num_nodes(Index d) const { return rule(d).nodes.size(); }

  // The rule's nodes, and behind them the grid where nothing can be said of it from the nodes.
  static std::vector<Vector> followed(const AnalysisPlan& plan) {
    std::vector<Vector> values;
    for (std::size_t d = 0; d < plan.rules.size(); ++d) {
      const Vector &nodes = plan.rules[d].nodes, &grid = plan.grids[d];
      values.push_back(nodes);
      if (plan.rules[d].panel_size > 0) continue;
      values[d].conservativeResize(nodes.size() + grid.size());
      values[d].tail(grid.size()) = grid;
    }
    return values;
  }

  Batch followed_from(const Matrix& points) const {
    Batch batch{lines_.from(points), {}, {}, 0.0, Vector(num_inputs())};
    Vector rest = path_outputs(path_, points);  // without main effects
    for (Index d = 0; d < num_inputs(); ++d) {
      Matrix& along = batch.along[static_cast<std::size_t>(d)];
      if (!output_.is_plain()) along = along.unaryExpr([&](double z) { return output_.of_process(z); });
      const Vector& weights = rule(d).weights;
      const auto at_nodes = along.leftCols(num_nodes(d));
      const Vector means = at_nodes * weights;
      batch.total[d] = ((at_nodes.colwise() - means).cwiseAbs2() * weights).mean();
      batch.means.push_back(along.colwise().mean());
      batch.at_points.push_back(interpolation(rule(d), points.col(d)));
      rest -= batch.at_points.back() * centred(d, batch.means.back()).head(num_nodes(d));
    }
    batch.mean = rest.mean();
    return batch;
  }

  // A function of input d, given at its values, without its mean.
  Vector centred(Index d, const Vector& values) const {
    return values.array() - rule(d).weights.dot(values.head(num_nodes(d)));
  }

  // Over the points of all batches.
  Vector pooled_effect(Index d) const {
    Vector mean = Vector::Zero(batches_.front().means[static_cast<std::size_t>(d)].size());
    for (const Batch& batch : batches_) mean += batch.means[static_cast<std::size_t>(d)];
    return centred(d, mean / static_cast<double>(batches_.size()));
  }

  // The variance of a mean over N points is that of the main effect and 1/N of the interactions' part. Batches are
  // independent, so that the covariance of two of them has no such part: its mean over all pairs is shared by the
  // batches, which differ in what each says alone, less its mean.
  void add_main(Index d, PathVariances& variances) const {
    const auto input = static_cast<std::size_t>(d);
    const Vector& weights = rule(d).weights;
    const double count = static_cast<double>(batches_.size());
    Vector alone(static_cast<Index>(batches_.size()));
    for (std::size_t b = 0; b < batches_.size(); ++b) {
      alone[static_cast<Index>(b)] = variance_by(weights, batches_[b].means[input].head(num_nodes(d)));
    }
    double main = variance_by(weights, pooled_[input].head(num_nodes(d)));
    if (count > 1.0) main = std::max((count * main - alone.mean()) / (count - 1.0), 0.0);
    for (std::size_t b = 0; b < batches_.size(); ++b) {
      variances.main[b][d] = main + alone[static_cast<Index>(b)] - alone.mean();
    }
  }

  Vector shown(Index d) const {
    const Vector& effect = pooled_[static_cast<std::size_t>(d)];
    const Vector& grid = plan_.grids[static_cast<std::size_t>(d)];
    if (rule(d).panel_size == 0) return effect.tail(grid.size());
    return interpolation(rule(d), grid) * effect;
  }

  // The mean square of the output without its main effects, over all nodes of each input in turn.
  double interactions(const Batch& batch, double mean) const {
    const Index num_points = batch.at_points.front().rows();
    Matrix effects(num_points, num_inputs());
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      effects.col(d) = batch.at_points[input] * pooled_[input].head(num_nodes(d));
    }
    const Vector together = effects.rowwise().sum();
    double sum = 0.0;
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      Matrix rest = batch.along[input].leftCols(num_nodes(d));
      rest.rowwise() -= pooled_[input].head(num_nodes(d)).transpose();
      rest.colwise() -= together - effects.col(d);
      rest.array() -= mean;
      sum += (rest.cwiseAbs2() * rule(d).weights).mean();
    }
    return sum / static_cast<double>(num_inputs());
  }

  const SampleFunction& path_;
  const AnalysisPlan& plan_;
  DrawOutput output_;
  ProcessLines lines_;
  std::vector<Batch> batches_;
  std::vector<Vector> pooled_;  // main effects without their mean, at the values of each input
};

}  // namespace

PathVariances analyse_pointwise(const SampleFunction& path, const AnalysisPlan& plan,
                                const std::vector<Matrix>& batches, InstructionSet simd) {
  return PointwiseAnalysis(path, plan, batches, simd).result();
}

}  // namespace ta2s2::detail
