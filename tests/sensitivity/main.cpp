// sensitivity_studies: how often intervals of Sobol indices hold the truth, per family of functions.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "sensitivity/study.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace {

using namespace ta2s2::sensitivity;

void print_table_row(const std::string& word, const std::vector<IndexFound>& found) {
  const Coverage first = coverage_of(found, IndexKind::first), total = coverage_of(found, IndexKind::total);
  std::printf("| %s | %lld | %.3f | %.3f | %.3f | %.3f | %.3f |\n", word.c_str(),
              static_cast<long long>(first.indices + total.indices), first.whole, total.whole, total.mean_width,
              first.of_means, total.of_means);
  std::fflush(stdout);
}

void print_each(const std::string& word, const std::vector<IndexFound>& found) {
  for (const IndexFound& index : found) {
    std::printf("%s,%lld,%lld,%s,%.6g,%.6g,%.6g,%.6g,%.6g\n", word.c_str(), static_cast<long long>(index.study),
                static_cast<long long>(index.input), index.kind == IndexKind::first ? "first" : "total", index.truth,
                index.whole.low, index.whole.high, index.of_means.low, index.of_means.high);
  }
}

std::vector<ta2s2::Setting> settings_of(const std::vector<std::string>& texts) {
  std::vector<ta2s2::Setting> settings;
  for (const std::string& text : texts) {
    const std::size_t end = text.find('=');
    settings.push_back({text.substr(0, end), end == std::string::npos ? "" : text.substr(end + 1)});
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  StudySize size{100, 2000, 400};
  std::string only;
  std::vector<std::string> texts;
  bool each = false;
  CLI::App app("Simulated studies of sensitivity: the share of true Sobol indices in their 95% intervals");
  app.add_option("--studies", size.studies, "per family")->capture_default_str();
  app.add_option("--samples", size.samples, "draws per level of the fits")->capture_default_str();
  app.add_option("--paths", size.paths, "functions per study")->capture_default_str();
  app.add_option("--family", only, "one family alone");
  app.add_option("--runs-times", size.runs_times, "this many times the family's numbers of runs")
      ->capture_default_str();
  app.add_option(
      "--setting", texts,
      "of the fits, as in correlation=matern32, instead of those for sensitivity; may be given several times");
  app.add_flag("--each", each, "a line for each index instead: its truth and its intervals");
  CLI11_PARSE(app, argc, argv);
  const std::vector<ta2s2::Setting> settings = texts.empty() ? settings_for_sensitivity() : settings_of(texts);
  ta2s2::ThreadExecutor executor(0);
  if (each) {
    std::printf("functions,study,input,index,truth,low,high,low_of_means,high_of_means\n");
  } else {
    std::printf(
        "| functions | indices | first-order | total | width of totals | first-order of means | total of means |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
  }
  for (const Family family : {Family::waves, Family::ishigami, Family::g_function, Family::process}) {
    const std::string word = to_word(family);
    if (!only.empty() && only != word) continue;
    const std::vector<IndexFound> found = run_studies(family, size, settings, executor);
    each ? print_each(word, found) : print_table_row(word, found);
  }
}
