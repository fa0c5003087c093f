#include <ta2s2/exec/thread_executor.hpp>
#include <ta2s2/smc/anneal.hpp>
#include <ta2s2/smc/function_target.hpp>
#include <ta2s2/workflow/version.hpp>

#include <cmath>
#include <cstdio>

int main() {
  using namespace ta2s2;
  const FunctionTarget target([](VectorView x) { return -0.5 * x.squaredNorm(); }, Vector::Constant(1, -10.0),
                              Vector::Constant(1, 10.0));
  ThreadExecutor executor(1);
  Observer silent;
  const AnnealResult run = anneal(target, {}, {executor, silent});
  std::printf("ta2s2 %s: log evidence %.3f\n", version(), run.log_evidence);
  const double truth = 0.5 * std::log(2.0 * 3.14159265358979);
  return std::abs(run.log_evidence - truth) < 6.0 * run.log_evidence_error ? 0 : 1;
}
