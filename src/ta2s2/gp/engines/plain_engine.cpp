// One point after another through factorise and log_likelihood.
#include "ta2s2/gp/engines/engines.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"

namespace ta2s2 {

namespace {

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

}  // namespace

std::unique_ptr<const LikelihoodEngine> make_plain_engine(const GpModel& model, InformationOver over) {
  return std::make_unique<PlainEngine>(model, over);
}

}  // namespace ta2s2
