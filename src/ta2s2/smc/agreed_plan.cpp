#include "ta2s2/smc/agreed_plan.hpp"

namespace ta2s2 {
namespace {

void put(Payload& payload, const Matrix& matrix) {
  payload.insert(payload.end(), matrix.data(), matrix.data() + matrix.size());
}

void put(Payload& payload, const std::vector<Index>& indices) {
  payload.push_back(static_cast<double>(indices.size()));
  payload.insert(payload.end(), indices.begin(), indices.end());
}

Payload pack(const LevelPlan& plan) {
  Payload payload = {plan.beta, plan.walk_scale, static_cast<double>(plan.mixture.components().size())};
  put(payload, plan.covariance_factor);
  for (const TComponent& component : plan.mixture.components()) {
    payload.push_back(component.weight);
    put(payload, component.mean);
    put(payload, component.factor);
  }
  put(payload, plan.markers_by_energy);
  put(payload, plan.chains.starts);
  put(payload, plan.chains.lengths);
  put(payload, plan.chains.group_begin);
  return payload;
}

class Reader {
 public:
  explicit Reader(const Payload& payload) : next_(payload.data()) {}

  double number() { return *next_++; }
  Matrix matrix(Index rows, Index columns) {
    const Matrix matrix = Eigen::Map<const Matrix>(next_, rows, columns);
    next_ += matrix.size();
    return matrix;
  }
  std::vector<Index> indices() {
    std::vector<Index> indices(static_cast<std::size_t>(number()));
    for (Index& index : indices) index = static_cast<Index>(number());
    return indices;
  }

 private:
  const double* next_;
};

void unpack(const Payload& payload, LevelPlan& plan) {
  Reader reader(payload);
  const Index dim = plan.dim();
  plan.beta = reader.number();
  plan.walk_scale = reader.number();
  std::vector<TComponent> components(static_cast<std::size_t>(reader.number()));
  plan.covariance_factor = reader.matrix(dim, dim);
  for (TComponent& component : components) {
    component.weight = reader.number();
    component.mean = reader.matrix(dim, 1);
    component.factor = reader.matrix(dim, dim);
  }
  plan.mixture = components.empty() ? ProposalMixture() : ProposalMixture(std::move(components));
  plan.markers_by_energy = reader.indices();
  plan.chains = {reader.indices(), reader.indices(), reader.indices()};
}

}  // namespace

LevelPlan agreed_plan(LevelPlan plan, Executor& executor) {
  unpack(executor.agree(pack(plan)), plan);
  return plan;
}

}  // namespace ta2s2
