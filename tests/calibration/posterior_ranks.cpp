#include "calibration/posterior_ranks.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::calibration {
namespace {

double share_below(const Vector& values, const Vector& weights, double truth) {
  return ((values.array() < truth).cast<double>() * weights.array()).sum();
}

double energy_at(const MemberRecord& record, const Vector& z) {
  const GpTarget target = make_target(record.data, record.scaling, record.options);
  const auto workspace = target.make_workspace();
  Energy energy;
  target.energies(z, *workspace, {&energy, 1});
  const auto df = static_cast<double>(target.model()->degrees_of_freedom());
  return energy.total() + df * std::log(record.scaling.output_sd());  // the record's energies are in the user's units
}

// sigma^2 given phi, nugget and the runs is inverse gamma, S2 / sigma^2 ~ chi-square with m degrees of freedom, so that
// P(sigma^2 <= 1) is the upper tail at S2.
double sigma2_rank(const MemberRecord& record) {
  const auto model = make_model(record);
  const ParameterSpace space = make_space(record);
  const double half = 0.5 * static_cast<double>(model->degrees_of_freedom());
  const double unit2 = record.scaling.output_sd() * record.scaling.output_sd();
  GpFactor factor;
  double rank = 0.0;
  for (Index i = 0; i < record.sample.size(); ++i) {
    factorise(*model, space.natural(record.sample.positions.col(i)), factor);
    rank += record.sample.weights[i] * boost::math::gamma_q(half, 0.5 * factor.S2 * unit2);
  }
  return rank;
}

void add_new_runs(const SimulatedProblem& problem, const MemberRecord& record, std::vector<Rank>& ranks) {
  ThreadExecutor one_thread(1);
  const MixtureBlock block = make_predictive(record).mixtures(problem.new_runs.inputs(), Predict::new_run, one_thread);
  for (Index i = 0; i < block.num_points(); ++i) {
    ranks.push_back({"new_run_" + std::to_string(i + 1), block.at(i).cdf(problem.new_runs.output()[i])});
  }
}

}  // namespace

std::vector<Rank> posterior_ranks(const SimulatedProblem& problem, const MemberRecord& record) {
  const PosteriorSample& sample = record.sample;
  std::vector<Rank> ranks;
  for (Index d = 0; d < problem.z.size(); ++d) {
    ranks.push_back({sample.names[static_cast<std::size_t>(d)],
                     share_below(sample.positions.row(d).transpose(), sample.weights, problem.z[d])});
  }
  ranks.push_back({"energy", share_below(sample.energies, sample.weights, energy_at(record, problem.z))});
  ranks.push_back({"sigma2", sigma2_rank(record)});
  add_new_runs(problem, record, ranks);
  return ranks;
}

}  // namespace ta2s2::calibration
