// From the runs of one output to one model of them.
#pragma once

#include "ta2s2/dataset.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {

// `leader`: another model of these runs, fitted already, near whose maximum a search for this one's begins (--fast).
MemberRecord fit(const OutputRuns& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 Execution context, const MemberRecord* leader = nullptr);

// The same with the scaling, the prior's constants and the transformation of another model of the same columns. A
// transformation whose support does not hold the data gets new constants, and the record says so.
MemberRecord fit_like(const MemberRecord& model, const OutputRuns& data, const ValidFitOptions& options,
                      Execution context);
std::string notice_of_outgrown(const OutputTransform& transform);

// ---- the constant of a prior that is known but for it, so that evidences under it compare with others ----

// The log of the prior's integral over the box.
EvidenceEstimate log_prior_constant(const OutputRuns& data, const ModelConstants& constants, const FitOptions& options,
                                    Execution context);

// Nothing if the fit's evidence is normalised, or there is none. Else the sampler integrates the prior alone over the
// box, and the log evidence is divided by what it finds; its error has both parts.
void normalise_evidence(MemberRecord& fit, Execution context);

// ---- what every record of a sampled posterior has, whoever sampled it ----

// In the user's units, which `offset` turns energies into.
Sample describe_posterior(SamplerResult result, const GpTarget& target, double offset, std::uint64_t seed,
                          Executor& executor);

std::string utc_now();

// What turns an energy of the standardised output into one of the user's: density per unit^df of the output.
double unit_offset(const GpModel& model, const Scaling& scaling);

MapEstimate best_mode(const std::vector<Mode>& modes);

// Adds to the log evidence of all and of each group.
void shift(Evidence& evidence, double log_factor);
// A group without any state of positive weight at some level has no evidence at all; files hold finite numbers only.
void keep_finite(Evidence& evidence);

// A target that gives up once a stop is requested: for searches that no executor runs.
class InterruptibleTarget final : public TargetDensity {
 public:
  InterruptibleTarget(const TargetDensity& target, const Executor& executor) : target_(target), executor_(executor) {}

  Index dim() const override { return target_.dim(); }
  std::vector<std::string> names() const override { return target_.names(); }
  const Box* box() const override { return target_.box(); }
  int lanes() const override { return target_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return target_.make_workspace(); }
  Vector draw_start(Stream& stream) const override { return target_.draw_start(stream); }

  // Error{interrupted} if a stop was requested.
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    executor_.throw_if_stopped();
    target_.energies(points, workspace, out);
  }

 private:
  const TargetDensity& target_;
  const Executor& executor_;
};

}  // namespace ta2s2
