// sensitivity_studies: how often intervals of Sobol indices hold the truth, per family of functions.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "sensitivity/study.hpp"
#include "ta2s2/exec/thread_executor.hpp"

int main(int argc, char** argv) {
  using namespace ta2s2::sensitivity;
  StudySize size{100, 2000, 400};
  std::string only;
  CLI::App app("Simulated studies of sensitivity: the share of true Sobol indices in their 95% intervals");
  app.add_option("--studies", size.studies, "per family")->capture_default_str();
  app.add_option("--samples", size.samples, "draws per level of the fits")->capture_default_str();
  app.add_option("--paths", size.paths, "functions per study")->capture_default_str();
  app.add_option("--family", only, "one family alone");
  CLI11_PARSE(app, argc, argv);
  ta2s2::ThreadExecutor executor(0);
  std::printf(
      "| functions | indices | first-order | total | width of totals | first-order of means | total of means |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const Family family : {Family::waves, Family::ishigami, Family::g_function, Family::process}) {
    if (!only.empty() && only != to_word(family)) continue;
    const Coverage whole = run_studies(family, size, Uncertainty::whole, executor);
    const Coverage mutant = run_studies(family, size, Uncertainty::of_hyper_parameters_alone, executor);
    std::printf("| %s | %lld | %.3f | %.3f | %.3f | %.3f | %.3f |\n", to_word(family).c_str(),
                static_cast<long long>(whole.first_indices + whole.total_indices), whole.first(), whole.total(),
                whole.mean_width, mutant.first(), mutant.total());
    std::fflush(stdout);
  }
}
