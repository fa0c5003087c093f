#include "ta2s2/gp/likelihood_engine.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/detail/model_panels.hpp"
#include "ta2s2/gp/detail/transformed_runs.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/simd/lane_routines.hpp"
#include "ta2s2/simd/panel_routines.hpp"

namespace ta2s2 {

void LikelihoodEngine::evaluate_with_gradients(std::span<const LikelihoodPoint>, Workspace&, std::span<PointLikelihood>,
                                               std::span<LikelihoodGradient>) const {
  throw Error(ErrorCode::internal, "an engine without gradients");
}

// Points in SIMD lanes where a block of small matrices is full enough, else one matrix at a time with the lanes along
// its rows. Both give the same bits, so a point's result depends neither on its neighbours nor on the size of the
// block.

namespace {

// Beyond, a matrix per lane leaves the second cache: 0.8 MB with eight lanes.
constexpr Index kLargestLaneMatrix = 160;
constexpr std::size_t kMostLanes = 8;

struct SimdWorkspace final : Workspace {
  AlignedBuffer lane_work, panel_work, lane_weights, panel_weights, lane_shapes;
  detail::TransformedBlock lane_outputs, panel_outputs;
  AlignedBuffer gradient_work, gradient, by_output;  // empty until the first gradient
  Matrix gram;
  std::unique_ptr<Workspace> plain;
};

struct Integrated {
  alignas(64) double log_det_K[kMostLanes], log_det_trend[kMostLanes], log_S2[kMostLanes], positive[kMostLanes];

  IntegratedResults results() { return {log_det_K, log_det_trend, log_S2, positive}; }
};

// Of all runs, and of the first ones.
struct IntegratedPair {
  Integrated all, leading;
  IntegratedResults leading_results = leading.results();

  IntegratedResults results(bool with_leading) {
    IntegratedResults results = all.results();
    if (with_leading) results.leading = &leading_results;
    return results;
  }
};

// What a likelihood has besides the numbers of a factorisation.
struct LikelihoodConstants {
  double half_freedom = 0.0, constant = 0.0;

  LikelihoodConstants(Index degrees_of_freedom, double log_prior_volume)
      : half_freedom(0.5 * static_cast<double>(degrees_of_freedom)),
        constant(boost::math::lgamma(half_freedom) - half_freedom * std::log(std::numbers::pi) + log_prior_volume) {}
};

class SimdEngine final : public LikelihoodEngine {
 public:
  SimdEngine(const GpModel& model, InformationOver over, InstructionSet path, Index num_leading)
      : model_(model),
        over_(over),
        lane_routines_(lane_routines(path)),
        panel_routines_(panel_routines(path)),
        log2_weight_(model.covariance().log2_weight()),
        plain_(make_plain_engine(model, over)),
        constants_(model.degrees_of_freedom(), log_prior_volume(model, model.num_runs())),
        leading_constants_(model.degrees_of_freedom() - (num_leading > 0 ? model.num_runs() - num_leading : 0),
                           log_prior_volume(model, num_leading)),
        with_leading_(num_leading > 0),
        panels_(model, over, num_leading),
        transformed_(model, path, num_leading) {
    if (uses_lanes()) prepare_lanes();
  }

  int lanes() const override { return uses_lanes() ? static_cast<int>(lane_routines_->lanes) : 1; }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto workspace = std::make_unique<SimdWorkspace>();
    if (uses_lanes()) {
      workspace->lane_work.resize(lane_routines_->work_size(lane_problem_));
      workspace->lane_weights.resize(num_inputs() * lane_routines_->lanes);
      workspace->lane_shapes.resize(lane_routines_->lanes);
      workspace->lane_outputs = transformed_.make_block(lane_routines_->lanes);
    }
    workspace->panel_outputs = transformed_.make_block(1);
    workspace->panel_work.resize(panel_routines_->work_size(panels_.problem()));
    workspace->panel_weights.resize(num_inputs() + kPaddedWeights);
    workspace->gram.resize(num_directions(), num_directions());
    if (wants_information()) workspace->plain = plain_->make_workspace();
    return workspace;
  }

  void evaluate(std::span<const LikelihoodPoint> points, Workspace& workspace,
                std::span<PointLikelihood> out) const override {
    auto& own = static_cast<SimdWorkspace&>(workspace);
    // A matrix at a time costs about twice a lane's share of a full block.
    if (uses_lanes() && 2 * points.size() > lane_routines_->lanes) return evaluate_in_lanes(points, own, out);
    for (std::size_t i = 0; i < points.size(); ++i) out[i] = evaluate_one(points[i], own);
  }

  // Sums over pairs of runs are not the same in panels: where lanes are used they serve single points too, and a
  // gradient depends on nobody.
  void evaluate_with_gradients(std::span<const LikelihoodPoint> points, Workspace& workspace,
                               std::span<PointLikelihood> out, std::span<LikelihoodGradient> gradients) const override {
    auto& own = static_cast<SimdWorkspace&>(workspace);
    if (uses_lanes()) return gradients_in_lanes(points, own, out, gradients);
    for (std::size_t i = 0; i < points.size(); ++i) out[i] = gradient_of_one(points[i], own, gradients[i]);
  }

 private:
  std::size_t num_inputs() const { return static_cast<std::size_t>(model_.num_inputs()); }
  bool wants_information() const { return over_ != InformationOver::nothing; }
  bool with_nugget() const { return over_ == InformationOver::length_scales_and_nugget; }
  Index num_directions() const { return model_.num_inputs() + (with_nugget() ? 1 : 0); }
  // The information is found a matrix at a time, from its panel factor.
  bool uses_lanes() const { return model_.num_runs() <= kLargestLaneMatrix && !wants_information(); }

  void prepare_lanes() {
    const Index n = model_.num_runs(), p = model_.num_inputs();
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) {
        for (Index d = 0; d < p; ++d) {
          pair_features_.push_back(model_.covariance().feature(std::abs(model_.X()(i, d) - model_.X()(j, d))));
        }
      }
    }
    pair_features_.resize(pair_features_.size() + kPaddedPairs * num_inputs());
    const PanelProblem& panels = panels_.problem();
    lane_problem_ = {panels.num_runs,          panels.num_inputs, panels.columns,
                     panels.num_leading,       panels.form,       panels.constant_share,
                     pair_features_.data(),    panels.borders,    panels.derivative_scale,
                     panels.degrees_of_freedom};
  }

  // Idle lanes repeat the first point.
  LanePoints load_lanes(std::span<const LikelihoodPoint> points, SimdWorkspace& workspace, double* nuggets) const {
    const std::size_t lanes = lane_routines_->lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const LikelihoodPoint& point = points[lane < points.size() ? lane : 0];
      for (std::size_t d = 0; d < num_inputs(); ++d) {
        workspace.lane_weights[d * lanes + lane] = log2_weight_.at(point.log_phi[d]);
      }
      nuggets[lane] = point.nugget;
      workspace.lane_shapes[lane] = std::exp(point.log_shape);
      workspace.lane_outputs.parameters[lane] = point.transform;
    }
    transformed_.fill(workspace.lane_outputs);
    return {workspace.lane_weights.data(), nuggets, workspace.lane_shapes.data(),
            workspace.lane_outputs.outputs.data()};
  }

  void evaluate_in_lanes(std::span<const LikelihoodPoint> points, SimdWorkspace& workspace,
                         std::span<PointLikelihood> out) const {
    IntegratedPair integrated;
    alignas(64) double nuggets[kMostLanes];
    lane_routines_->factorise(lane_problem_, load_lanes(points, workspace, nuggets), workspace.lane_work.data(),
                              integrated.results(with_leading_));
    for (std::size_t lane = 0; lane < points.size(); ++lane) {
      out[lane] = likelihood(integrated, lane, workspace.lane_outputs);
    }
  }

  void gradients_in_lanes(std::span<const LikelihoodPoint> points, SimdWorkspace& workspace,
                          std::span<PointLikelihood> out, std::span<LikelihoodGradient> gradients) const {
    const std::size_t lanes = lane_routines_->lanes;
    if (workspace.gradient_work.data() == nullptr) {
      workspace.gradient_work.resize(lane_routines_->gradient_work_size(lane_problem_));
      make_room_for_gradient(workspace, lanes);
    }
    IntegratedPair integrated;
    alignas(64) double nuggets[kMostLanes];
    lane_routines_->factorise_with_gradient(lane_problem_, load_lanes(points, workspace, nuggets),
                                            workspace.gradient_work.data(), integrated.results(false),
                                            gradient_results(workspace, lanes));
    transformed_.differentiate(workspace.lane_outputs, workspace.by_output.data());
    for (std::size_t lane = 0; lane < points.size(); ++lane) {
      out[lane] = likelihood(integrated, lane, workspace.lane_outputs);
      copy_gradient(workspace, workspace.lane_outputs, lane, gradients[lane]);
    }
  }

  PointLikelihood gradient_of_one(const LikelihoodPoint& point, SimdWorkspace& workspace,
                                  LikelihoodGradient& gradient) const {
    if (workspace.gradient_work.data() == nullptr) {
      workspace.gradient_work.resize(panel_routines_->gradient_work_size(panels_.problem()));
      make_room_for_gradient(workspace, 1);
    }
    IntegratedPair integrated;
    panel_routines_->factorise_with_gradient(panels_.problem(), load_point(point, workspace),
                                             workspace.gradient_work.data(), integrated.results(false),
                                             gradient_results(workspace, 1));
    const PointLikelihood result = likelihood(integrated, 0, workspace.panel_outputs);
    if (result.reason != Impossible::no) return result;
    transformed_.differentiate(workspace.panel_outputs, workspace.by_output.data());
    copy_gradient(workspace, workspace.panel_outputs, 0, gradient);
    return result;
  }

  // By each input, by the nugget, by the shape; and by each output, if these depend on the point.
  void make_room_for_gradient(SimdWorkspace& workspace, std::size_t lanes) const {
    workspace.gradient.resize((num_inputs() + 2) * lanes);
    if (!transformed_.is_fixed()) workspace.by_output.resize(static_cast<std::size_t>(model_.num_runs()) * lanes);
  }

  GradientResults gradient_results(SimdWorkspace& workspace, std::size_t lanes) const {
    double* by_nugget = workspace.gradient.data() + num_inputs() * lanes;
    return {workspace.gradient.data(), by_nugget, by_nugget + lanes, workspace.by_output.data()};
  }

  void copy_gradient(const SimdWorkspace& workspace, const detail::TransformedBlock& outputs, std::size_t lane,
                     LikelihoodGradient& to) const {
    const double* from = workspace.gradient.data() + lane;
    to.by_log_phi.resize(model_.num_inputs());
    for (double& derivative : to.by_log_phi) {
      derivative = *from;
      from += outputs.lanes();
    }
    to.by_nugget = *from;
    to.by_log_shape = from[outputs.lanes()];
    detail::TransformedRuns::copy_gradient(outputs, lane, to.by_transform);
  }

  PanelPoint load_point(const LikelihoodPoint& point, SimdWorkspace& workspace) const {
    for (std::size_t d = 0; d < num_inputs(); ++d) {
      workspace.panel_weights[d] = log2_weight_.at(point.log_phi[d]);
    }
    workspace.panel_outputs.parameters.front() = point.transform;
    transformed_.fill(workspace.panel_outputs);
    return {workspace.panel_weights.data(), point.nugget, std::exp(point.log_shape),
            workspace.panel_outputs.outputs.data()};
  }

  PointLikelihood evaluate_one(const LikelihoodPoint& point, SimdWorkspace& workspace) const {
    IntegratedPair integrated;
    panel_routines_->factorise(panels_.problem(), load_point(point, workspace), workspace.panel_work.data(),
                               integrated.results(with_leading_));
    PointLikelihood result = likelihood(integrated, 0, workspace.panel_outputs);
    if (result.reason == Impossible::no && wants_information()) {
      result.log_information_root = information_root(point, workspace);
    }
    return result;
  }

  // log_likelihood of gp/integrated_posterior.hpp.
  double log_likelihood(const Integrated& integrated, std::size_t lane, const LikelihoodConstants& constants) const {
    const double both = -0.5 * integrated.log_det_K[lane] - constants.half_freedom * integrated.log_S2[lane];
    if (model_.exponent() == Exponent::paper) return both;
    return both + (constants.constant - 0.5 * integrated.log_det_trend[lane]);
  }

  PointLikelihood likelihood(const IntegratedPair& integrated, std::size_t lane,
                             const detail::TransformedBlock& outputs) const {
    if (integrated.all.positive[lane] == 0.0) return {0.0, 0.0, Impossible::not_positive_definite};
    const auto at = static_cast<Index>(lane);
    PointLikelihood result{log_likelihood(integrated.all, lane, constants_) + outputs.log_jacobians[at]};
    if (with_leading_) {
      result.leading_log_likelihood =
          log_likelihood(integrated.leading, lane, leading_constants_) + outputs.leading_log_jacobians[at];
    }
    const bool is_finite = std::isfinite(result.log_likelihood) && std::isfinite(result.leading_log_likelihood);
    result.reason = is_finite ? Impossible::no : Impossible::not_finite;
    return result;
  }

  double information_root(const LikelihoodPoint& point, SimdWorkspace& workspace) const {
    panel_routines_->information(panels_.problem(), std::exp(point.log_shape), InformationForm::best,
                                 workspace.panel_work.data(), workspace.gram.data());
    const double root = log_information_root(workspace.gram, model_.residual_rank());
    if (std::isfinite(root)) return root;
    PointLikelihood plain;
    plain_->evaluate({&point, 1}, *workspace.plain, {&plain, 1});
    return plain.log_information_root;
  }

  const GpModel& model_;
  InformationOver over_;
  const LaneRoutines* lane_routines_;
  const PanelRoutines* panel_routines_;
  Covariance::LogWeight log2_weight_;
  std::unique_ptr<const LikelihoodEngine> plain_;  // for what the products of the information cannot tell apart
  LikelihoodConstants constants_, leading_constants_;
  bool with_leading_;
  detail::ModelPanels panels_;
  detail::TransformedRuns transformed_;
  std::vector<double> pair_features_;
  LaneProblem lane_problem_;
};

}  // namespace

std::unique_ptr<const LikelihoodEngine> make_simd_engine(const GpModel& model, InformationOver over,
                                                         InstructionSet path, Index num_leading) {
  if (lane_routines(path) == nullptr) throw Error(ErrorCode::internal, "an instruction path that was not compiled");
  return std::make_unique<SimdEngine>(model, over, path, num_leading);
}

namespace {

// One point after another through factorise and log_likelihood.
class PlainEngine final : public LikelihoodEngine {
 public:
  PlainEngine(const GpModel& model, InformationOver over) : model_(model), over_(over) {}

  int lanes() const override { return 4; }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<PlainWorkspace>(); }

  void evaluate(std::span<const LikelihoodPoint> points, Workspace& workspace,
                std::span<PointLikelihood> out) const override {
    auto& own = static_cast<PlainWorkspace&>(workspace);
    for (std::size_t i = 0; i < points.size(); ++i) out[i] = evaluate_one(points[i], own);
  }

  void evaluate_with_gradients(std::span<const LikelihoodPoint> points, Workspace& workspace,
                               std::span<PointLikelihood> out, std::span<LikelihoodGradient> gradients) const override {
    auto& own = static_cast<PlainWorkspace&>(workspace);
    for (std::size_t i = 0; i < points.size(); ++i) {
      out[i] = evaluate_one(points[i], own);
      if (out[i].reason != Impossible::no) continue;
      log_likelihood_gradient(model_, own.parameters, own.factor, own.gradient_scratch, gradients[i]);
    }
  }

 private:
  struct PlainWorkspace final : Workspace {
    GpParameters parameters;
    GpFactor factor;
    InformationScratch scratch;
    GradientScratch gradient_scratch;
  };

  PointLikelihood evaluate_one(const LikelihoodPoint& point, PlainWorkspace& workspace) const {
    PointLikelihood result;
    GpParameters& parameters = workspace.parameters;
    parameters.phi = Eigen::Map<const Vector>(point.log_phi, model_.num_inputs()).array().exp();
    parameters.nugget = point.nugget;
    parameters.log_shape = point.log_shape;
    parameters.transform = Eigen::Map<const Vector>(point.transform, model_.transform().num_parameters());
    result.reason = factorise(model_, parameters, workspace.factor);
    if (result.reason != Impossible::no) return result;
    result.log_likelihood = log_likelihood(model_, workspace.factor);
    if (over_ != InformationOver::nothing) {
      result.log_information_root =
          log_information_root(model_, parameters, workspace.factor, over_, workspace.scratch);
    }
    return result;
  }

  const GpModel& model_;
  InformationOver over_;
};

struct PairedWorkspace final : Workspace {
  std::unique_ptr<Workspace> all, leading;
  std::vector<PointLikelihood> of_leading;
};

// What all runs say and what the first ones say, from two engines, and the model of the first ones.
class PairedEngine final : public LikelihoodEngine {
 public:
  PairedEngine(std::unique_ptr<const LikelihoodEngine> all, std::unique_ptr<const GpModel> leading_model,
               std::unique_ptr<const LikelihoodEngine> leading)
      : leading_model_(std::move(leading_model)), all_(std::move(all)), leading_(std::move(leading)) {}

  int lanes() const override { return std::min(all_->lanes(), leading_->lanes()); }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto workspace = std::make_unique<PairedWorkspace>();
    workspace->all = all_->make_workspace();
    workspace->leading = leading_->make_workspace();
    workspace->of_leading.resize(static_cast<std::size_t>(lanes()));
    return workspace;
  }

  void evaluate(std::span<const LikelihoodPoint> points, Workspace& workspace,
                std::span<PointLikelihood> out) const override {
    auto& own = static_cast<PairedWorkspace&>(workspace);
    all_->evaluate(points, *own.all, out);
    leading_->evaluate(points, *own.leading, own.of_leading);
    for (std::size_t i = 0; i < points.size(); ++i) {
      out[i].leading_log_likelihood = own.of_leading[i].log_likelihood;
      out[i].leading_log_information_root = own.of_leading[i].log_information_root;
      if (out[i].reason == Impossible::no) out[i].reason = own.of_leading[i].reason;
    }
  }

 private:
  std::unique_ptr<const GpModel> leading_model_;  // outlives its engine
  std::unique_ptr<const LikelihoodEngine> all_, leading_;
};

std::unique_ptr<const LikelihoodEngine> make_engine(const GpModel& model, InformationOver over, InstructionSet path) {
  if (path == InstructionSet::plain) return make_plain_engine(model, over);
  return make_simd_engine(model, over, path);
}

}  // namespace

std::unique_ptr<const LikelihoodEngine> make_plain_engine(const GpModel& model, InformationOver over) {
  return std::make_unique<PlainEngine>(model, over);
}

std::unique_ptr<const LikelihoodEngine> make_likelihood_engine(const GpModel& model, InformationOver over,
                                                               InstructionSet path, Index num_leading) {
  if (num_leading == 0) return make_engine(model, over, path);
  // The information of a part is no part of the information, and the plain engine is the definition.
  if (path == InstructionSet::plain || over != InformationOver::nothing) {
    auto leading = std::make_unique<const GpModel>(model.first_runs(num_leading));
    auto engine = make_engine(*leading, over, path);
    return std::make_unique<PairedEngine>(make_engine(model, over, path), std::move(leading), std::move(engine));
  }
  return make_simd_engine(model, over, path, num_leading);
}

}  // namespace ta2s2
