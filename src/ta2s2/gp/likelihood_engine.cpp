#include "ta2s2/gp/likelihood_engine.hpp"

#include "ta2s2/gp/engines/engines.hpp"

namespace ta2s2 {
namespace {

std::unique_ptr<const LikelihoodEngine> make_engine(const GpModel& model, InformationOver over, InstructionSet path) {
  if (path == InstructionSet::plain) return make_plain_engine(model, over);
  return make_simd_engine(model, over, path);
}

}  // namespace

std::unique_ptr<const LikelihoodEngine> make_likelihood_engine(const GpModel& model, InformationOver over,
                                                               InstructionSet path, Index num_leading) {
  if (num_leading == 0) return make_engine(model, over, path);
  // The information of a part is no part of the information, and the plain engine is the definition.
  if (path == InstructionSet::plain || over != InformationOver::nothing) {
    auto leading = std::make_unique<const GpModel>(model.first_runs(num_leading));
    auto engine = make_engine(*leading, over, path);
    return make_paired_engine(make_engine(model, over, path), std::move(leading), std::move(engine));
  }
  return make_simd_engine(model, over, path, num_leading);
}

}  // namespace ta2s2
