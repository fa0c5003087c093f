#include "ta2s2/gp/likelihood_engine.hpp"

#include <algorithm>
#include <vector>

#include "ta2s2/gp/integrated_posterior.hpp"

namespace ta2s2 {
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

 private:
  struct PlainWorkspace final : Workspace {
    GpParameters parameters;
    GpFactor factor;
    InformationScratch scratch;
  };

  PointLikelihood evaluate_one(const LikelihoodPoint& point, PlainWorkspace& workspace) const {
    PointLikelihood result;
    GpParameters& parameters = workspace.parameters;
    parameters.phi = Eigen::Map<const Vector>(point.log_phi, model_.num_inputs()).array().exp();
    parameters.nugget = point.nugget;
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
