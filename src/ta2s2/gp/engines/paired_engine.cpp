// What all runs say and what the first ones say, from two engines.
#include <algorithm>
#include <vector>

#include "ta2s2/gp/engines/engines.hpp"

namespace ta2s2 {

namespace {

struct PairedWorkspace final : Workspace {
  std::unique_ptr<Workspace> all, leading;
  std::vector<PointLikelihood> of_leading;
};

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

}  // namespace

std::unique_ptr<const LikelihoodEngine> make_paired_engine(std::unique_ptr<const LikelihoodEngine> all,
                                                           std::unique_ptr<const GpModel> leading_model,
                                                           std::unique_ptr<const LikelihoodEngine> leading) {
  return std::make_unique<PairedEngine>(std::move(all), std::move(leading_model), std::move(leading));
}

}  // namespace ta2s2
