// sensitivity_studies: how often intervals of Sobol indices hold the truth, per family of functions.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "sensitivity/study.hpp"
#include "ta2s2/exec/thread_executor.hpp"

int main(int argc, char** argv) {
  using namespace ta2s2::sensitivity;
  ta2s2::Index count = 100, samples = 2000;
  CLI::App app("Simulated studies of sensitivity: the share of true Sobol indices in their 95% intervals");
  app.add_option("--studies", count, "per family")->capture_default_str();
  app.add_option("--samples", samples, "draws per level of the fits")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  ta2s2::ThreadExecutor executor(0);
  std::printf(
      "| functions | indices | first-order | total | width of totals | first-order, means alone | total, means alone "
      "|\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const Family family : {Family::waves, Family::ishigami, Family::g_function, Family::process}) {
    const Coverage whole = run_studies(family, count, samples, Uncertainty::whole, executor);
    const Coverage mutant = run_studies(family, count, samples, Uncertainty::of_hyper_parameters_alone, executor);
    std::printf("| %s | %lld | %.3f | %.3f | %.3f | %.3f | %.3f |\n", to_word(family).c_str(),
                static_cast<long long>(whole.indices), whole.first(), whole.total(), whole.mean_width, mutant.first(),
                mutant.total());
    std::fflush(stdout);
  }
}
