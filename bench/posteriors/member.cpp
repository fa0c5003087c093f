// A fit as the default makes it of each model that it averages over: its log evidence weighs the model.
// usage: bench_member RUNS PRIOR SEED SAMPLES MODEL
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/fit_member.hpp"

int main(int argc, char** argv) {
  using namespace ta2s2;
  if (argc != 6) {
    std::fprintf(stderr, "usage: bench_member RUNS PRIOR SEED SAMPLES MODEL\n");
    return 2;
  }
  FitOptions options;
  apply_settings(options,
                 {{"output", "y"}, {"prior", argv[2]}, {"seed", argv[3]}, {"samples", argv[4]}, {"model", "single"}});
  options = for_single_model(options);
  options.weighs_evidence = true;
  ThreadExecutor executor(1);
  Observer silent;
  const OutputRuns runs = load_runs(argv[1], {"y", {}});
  std::ofstream file(argv[5]);
  write_model(file, {{single_member(fit(runs, ValidFitOptions(options), {}, {executor, silent}))}});
}
