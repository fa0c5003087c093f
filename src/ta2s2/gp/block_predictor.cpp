#include "ta2s2/gp/block_predictor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/gp/detail/model_panels.hpp"
#include "ta2s2/gp/detail/transformed_runs.hpp"
#include "ta2s2/linalg/decompositions.hpp"

namespace ta2s2 {

namespace {

void predict_plainly(const GpModel& model, MatrixView X_new, const GpParameters& parameters, BlockPrediction& out) {
  const ConditionalPredictor predictor(model, parameters);
  predictor.predict(X_new, out.mean, out.c);
  out.S2 = predictor.S2();
}

class PlainPredictor final : public BlockPredictor {
 public:
  PlainPredictor(const GpModel& model, MatrixView X_new) : model_(model), X_new_(X_new) {}

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }

  void predict(const GpParameters& parameters, Workspace&, BlockPrediction& out) const override {
    predict_plainly(model_, X_new_, parameters, out);
  }

 private:
  const GpModel& model_;
  Matrix X_new_;
};

// Rows of `values` as simd/panel_routines.hpp wants points: [group][column][point].
AlignedBuffer in_groups(const Matrix& values, std::size_t num_groups) {
  AlignedBuffer grouped;
  const auto columns = static_cast<std::size_t>(values.cols());
  grouped.resize(num_groups * columns * kPointGroup);
  for (Index d = 0; d < values.cols(); ++d) {
    for (Index i = 0; i < values.rows(); ++i) {
      const auto point = static_cast<std::size_t>(i);
      grouped[(point / kPointGroup * columns + static_cast<std::size_t>(d)) * kPointGroup + point % kPointGroup] =
          values(i, d);
    }
  }
  return grouped;
}

// [group][run][input][point].
AlignedBuffer feature_table(const GpModel& model, const Matrix& X_new, std::size_t num_groups) {
  AlignedBuffer table;
  const Index n = model.num_runs(), p = model.num_inputs();
  table.resize(num_groups * static_cast<std::size_t>(n * p) * kPointGroup);
  for (Index i = 0; i < X_new.rows(); ++i) {
    const auto point = static_cast<std::size_t>(i);
    double* out = table.data() + point / kPointGroup * static_cast<std::size_t>(n * p) * kPointGroup;
    for (Index run = 0; run < n; ++run) {
      for (Index d = 0; d < p; ++d, out += kPointGroup) {
        out[point % kPointGroup] = model.covariance().feature(std::abs(model.X()(run, d) - X_new(i, d)));
      }
    }
  }
  return table;
}

struct PanelWorkspace final : Workspace {
  AlignedBuffer work, mean, c, log2_weights;
  detail::TransformedBlock transformed;
  Matrix U, R;
  Vector residual, trend_coordinates, beta;
};

class PanelPredictor final : public BlockPredictor {
 public:
  PanelPredictor(const GpModel& model, MatrixView X_new, InstructionSet path, const PanelRoutines& kernels)
      : model_(model), X_new_(X_new), kernels_(kernels), panels_(model), transformed_(model, path, 0) {
    points_.num_groups = (static_cast<std::size_t>(X_new.rows()) + kPointGroup - 1) / kPointGroup;
    inputs_ = in_groups(X_new_, points_.num_groups);
    trend_ = in_groups(model.trend().columns(X_new_), points_.num_groups);
    points_.inputs = inputs_.data();
    points_.trend = trend_.data();
    if (panels_.problem().feature != PairFeature::table) return;
    table_ = feature_table(model, X_new_, points_.num_groups);
    points_.table = table_.data();
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto workspace = std::make_unique<PanelWorkspace>();
    workspace->work.resize(kernels_.prediction_work_size(panels_.problem()));
    workspace->mean.resize(points_.num_groups * kPointGroup);
    workspace->c.resize(points_.num_groups * kPointGroup);
    workspace->log2_weights.resize(panels_.problem().num_inputs + kPaddedWeights);
    workspace->transformed = transformed_.make_block(1);
    return workspace;
  }

  void predict(const GpParameters& parameters, Workspace& workspace, BlockPrediction& out) const override {
    auto& own = static_cast<PanelWorkspace&>(workspace);
    // At the edge of what can be factorised the paths need not agree, and a draw of another path must still predict.
    if (!factorise(parameters, own)) return predict_plainly(model_, X_new_, parameters, out);
    regress_on_trend(own);
    out.S2 = own.residual.squaredNorm();
    if (model_.has_proper_columns()) shrink_trend(own, out);
    own.beta = own.trend_coordinates;
    if (own.beta.size() > 0) own.R.triangularView<Eigen::Upper>().solveInPlace(own.beta);
    if (model_.has_proper_columns()) weigh_trend(own);
    kernels_.predict(panels_.problem(), std::exp(parameters.log_shape),
                     {own.U.data(), own.R.data(), own.residual.data(), own.beta.data()}, points_, own.work.data(),
                     own.mean.data(), own.c.data());
    out.mean = Eigen::Map<const Vector>(own.mean.data(), X_new_.rows());
    out.c = Eigen::Map<const Vector>(own.c.data(), X_new_.rows());
  }

 private:
  bool factorise(const GpParameters& parameters, PanelWorkspace& own) const {
    const Covariance::LogWeight log2_weight = model_.covariance().log2_weight();
    for (Index d = 0; d < model_.num_inputs(); ++d) {
      own.log2_weights[static_cast<std::size_t>(d)] = log2_weight.at(std::log(parameters.phi[d]));
    }
    double log_det_K = 0.0, log_det_trend = 0.0, log_S2 = 0.0, positive = 0.0;
    own.transformed.parameters.front() = parameters.transform.data();
    transformed_.fill(own.transformed);
    kernels_.factorise(
        panels_.problem(),
        {own.log2_weights.data(), parameters.nugget, std::exp(parameters.log_shape), own.transformed.outputs.data()},
        own.work.data(), {&log_det_K, &log_det_trend, &log_S2, &positive});
    return positive != 0.0 && std::isfinite(log_det_K) && std::isfinite(log_det_trend) && std::isfinite(log_S2);
  }

  // As integrated_posterior.cpp: each column is projected twice.
  void regress_on_trend(PanelWorkspace& own) const {
    const Index n = model_.num_runs(), q = model_.num_trend_columns();
    Matrix borders(n, q + 1);
    kernels_.solved_borders(panels_.problem(), own.work.data(), borders.data());
    own.U = borders.leftCols(q);
    own.residual = borders.col(q);
    orthonormalise(own.U, own.R);
    project_out(own.U, own.residual, own.trend_coordinates);
  }

  // What a proper prior leaves in the residual, and of the coefficients: as ConditionalPredictor.
  void shrink_trend(PanelWorkspace& own, BlockPrediction& out) const {
    const auto shares = model_.trend_shares().array();
    out.S2 += ((1.0 - shares) * own.trend_coordinates.array().square()).sum();
    own.residual += own.U * ((1.0 - shares) * own.trend_coordinates.array()).matrix();
    own.trend_coordinates.array() *= shares;
  }

  // E = R^-T h - U' G, the coefficients' part in c, times the root of the shares.
  void weigh_trend(PanelWorkspace& own) const {
    const Vector roots = model_.trend_shares().array().sqrt();
    own.U = own.U * roots.asDiagonal();
    own.R = roots.cwiseInverse().asDiagonal() * own.R;
  }

  const GpModel& model_;
  Matrix X_new_;
  const PanelRoutines& kernels_;
  detail::ModelPanels panels_;
  detail::TransformedRuns transformed_;
  AlignedBuffer inputs_, trend_, table_;
  PanelPoints points_;
};

}  // namespace

std::unique_ptr<const BlockPredictor> make_block_predictor(const GpModel& model, MatrixView X_new,
                                                           InstructionSet path) {
  if (path == InstructionSet::plain) return std::make_unique<PlainPredictor>(model, X_new);
  const PanelRoutines* kernels = panel_routines(path);
  if (kernels == nullptr) throw Error(ErrorCode::internal, "an instruction path that was not compiled");
  return std::make_unique<PanelPredictor>(model, X_new, path, *kernels);
}

Index most_points_in_block(const GpModel& model) {
  if (model.covariance().pair_feature() != PairFeature::table) return std::numeric_limits<Index>::max();
  constexpr Index kNumbersInTable = 4'000'000;  // 32 MB
  return std::max<Index>(kNumbersInTable / (model.num_runs() * model.num_inputs()), 1);
}

}  // namespace ta2s2
