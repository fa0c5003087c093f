#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "lab/reproduce.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/dataset.hpp"

namespace ta2s2::lab {
namespace {

enum class Over { designs, seeds };

constexpr std::array<const char*, 5> kScores = {"crps", "crps_normal", "rmse", "nlpd", "interval_score95"};
constexpr std::array<const char*, 3> kCoverages = {"coverage50", "coverage80", "coverage95"};
constexpr std::array<const char*, 3> kCosts = {"evaluations", "seconds", "ess_per_evaluation"};

using Rows = std::vector<const ResultRow*>;

// Rows that differ in nothing but the design, or the seed.
struct Group {
  std::string experiment, prior, system, sample;
  Over over;
  Rows rows;
};

struct Spread {
  double median, lower, upper;
};

class Summary {
 public:
  explicit Summary(const ResultFile& results) : table_(results) {
    for (const ResultRow& row : results.rows()) {
      if (table_.text(row, "design") == "1") add(row, Over::seeds);
      if (table_.number(row, "seed") == first_seed(row)) add(row, Over::designs);
    }
    // A table over designs needs more than one.
    std::erase_if(groups_, [&](const Group& group) { return group.over == Over::designs && !has_designs(group); });
  }

  const std::vector<Group>& groups() const { return groups_; }

  Spread spread(const Group& group, const std::string& column) const {
    const std::vector<double> values = table_.numbers(group.rows, column);
    if (values.empty()) return {kNoNumber, kNoNumber, kNoNumber};
    return {sample_quantile(values, 0.5), sample_quantile(values, 0.25), sample_quantile(values, 0.75)};
  }

  double mean(const Group& group, const std::string& column) const {
    return t_interval(table_.numbers(group.rows, column)).mean;
  }

  // Over designs, half of its 95% t interval. Over seeds, the binomial error of one fit's test runs: those of the
  // others are the same ones, and count once.
  double coverage_error(const Group& group, const std::string& column) const {
    if (group.over == Over::designs) return t_interval(table_.numbers(group.rows, column)).half_width;
    return binomial_error(mean(group, column), table_.number(*group.rows.front(), "test_runs"));
  }

  // Against `exact` with the same design, seed and sample; nothing if it was not run.
  std::optional<MeanInterval> difference(const Group& group, const std::string& column) const {
    if (group.system == kReferenceSystem) return std::nullopt;
    std::vector<double> differences;
    for (const ResultRow* row : group.rows) {
      if (const ResultRow* other = reference_of(*row)) {
        differences.push_back(table_.number(*row, column) - table_.number(*other, column));
      }
    }
    if (differences.empty()) return std::nullopt;
    return t_interval(differences);
  }

 private:
  // The least seed of the row's experiment: the one that every design was run with.
  double first_seed(const ResultRow& row) const {
    double least = table_.number(row, "seed");
    for (const ResultRow& other : table_.rows()) {
      if (table_.text(other, "experiment") != table_.text(row, "experiment")) continue;
      least = std::min(least, table_.number(other, "seed"));
    }
    return least;
  }

  void add(const ResultRow& row, Over over) {
    const Group wanted{table_.text(row, "experiment"),
                       table_.text(row, "prior"),
                       table_.text(row, "system"),
                       table_.text(row, "sample"),
                       over,
                       {}};
    const auto same = [&](const Group& group) {
      return group.experiment == wanted.experiment && group.prior == wanted.prior && group.system == wanted.system &&
             group.sample == wanted.sample && group.over == over;
    };
    auto found = std::find_if(groups_.begin(), groups_.end(), same);
    if (found == groups_.end()) found = groups_.insert(groups_.end(), wanted);
    found->rows.push_back(&row);
  }

  bool has_designs(const Group& group) const {
    return std::any_of(group.rows.begin(), group.rows.end(),
                       [&](const ResultRow* row) { return table_.text(*row, "design") != "1"; });
  }

  const ResultRow* reference_of(const ResultRow& row) const {
    for (const ResultRow& other : table_.rows()) {
      if (table_.text(other, "system") != kReferenceSystem) continue;
      const auto agrees = [&](const char* column) { return table_.text(other, column) == table_.text(row, column); };
      if (agrees("experiment") && agrees("prior") && agrees("design") && agrees("seed") && agrees("sample")) {
        return &other;
      }
    }
    return nullptr;
  }

  ResultTable table_;
  std::vector<Group> groups_;
};

const char* word(Over over) {
  return over == Over::designs ? "designs" : "seeds";
}

std::string spread_text(const Spread& spread) {
  if (std::isnan(spread.median)) return "";
  return digits(spread.median) + " (" + digits(spread.lower) + ", " + digits(spread.upper) + ")";
}

std::string difference_text(const std::optional<MeanInterval>& difference) {
  if (!difference) return "";
  char text[64];
  std::snprintf(text, sizeof text, std::isinf(difference->half_width) ? "%+.3g" : "%+.3g +- %.2g", difference->mean,
                difference->half_width);
  return text;
}

std::string coverage_text(const Summary& summary, const Group& group, const std::string& column) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f +- %.3f", summary.mean(group, column), summary.coverage_error(group, column));
  return text;
}

void write_scores(std::ostream& out, const Summary& summary, const std::vector<Group>& groups) {
  out << markdown_head({"prior", "system", "sample", "fits", "CRPS", "CRPS, normal mixture", "RMSE", "NLPD",
                        "interval score 95%", "50% covers", "80% covers", "95% covers", "evaluations", "ESS per 1000",
                        "seconds"});
  for (const Group& group : groups) {
    std::vector<std::string> cells = {group.prior, group.system, group.sample, std::to_string(group.rows.size())};
    for (const char* score : kScores) cells.push_back(spread_text(summary.spread(group, score)));
    for (const char* coverage : kCoverages) cells.push_back(coverage_text(summary, group, coverage));
    cells.push_back(digits(summary.spread(group, "evaluations").median));
    cells.push_back(digits(1000.0 * summary.spread(group, "ess_per_evaluation").median, 3));
    cells.push_back(digits(summary.spread(group, "seconds").median, 2));
    out << markdown_line(cells);
  }
}

void write_differences(std::ostream& out, const Summary& summary, const std::vector<Group>& groups) {
  out << markdown_head(
      {"prior", "system", "sample", "CRPS", "CRPS, normal mixture", "RMSE", "NLPD", "interval score 95%"});
  for (const Group& group : groups) {
    if (!summary.difference(group, kScores.front())) continue;
    std::vector<std::string> cells = {group.prior, group.system, group.sample};
    for (const char* score : kScores) cells.push_back(difference_text(summary.difference(group, score)));
    out << markdown_line(cells);
  }
}

std::vector<Group> groups_of(const Summary& summary, const std::string& experiment, Over over) {
  std::vector<Group> chosen;
  for (const Group& group : summary.groups()) {
    if (group.experiment == experiment && group.over == over) chosen.push_back(group);
  }
  // By prior; within it as they were run.
  std::stable_sort(chosen.begin(), chosen.end(), [](const Group& a, const Group& b) { return a.prior < b.prior; });
  return chosen;
}

void write_markdown(std::ostream& out, const Summary& summary) {
  out << "Scores: median (quartiles). Coverage: mean +- half of its 95% t interval over designs, +- its binomial error "
         "over seeds. ESS: effective draws per 1000 evaluations of the posterior.\n"
         "Differences: the system's score minus that of `exact` with the same design and seed, mean +- half of its 95% "
         "t interval; above zero, `exact` is better.\n";
  std::vector<std::string> experiments;
  for (const Group& group : summary.groups()) add_once(experiments, group.experiment);
  for (const std::string& experiment : experiments) {
    for (const Over over : {Over::designs, Over::seeds}) {
      const std::vector<Group> groups = groups_of(summary, experiment, over);
      if (groups.empty()) continue;
      out << "\n### " << experiment << ", over " << word(over) << "\n\n";
      write_scores(out, summary, groups);
      out << "\nDifferences from `exact`:\n\n";
      write_differences(out, summary, groups);
    }
  }
}

void write_csv(std::ostream& out, const Summary& summary) {
  ResultRow columns = {"experiment", "prior", "system", "sample", "over", "fits"};
  for (const char* score : kScores) {
    for (const char* what : {"median", "lower_quartile", "upper_quartile"}) {
      columns.push_back(std::string(score) + "_" + what);
    }
  }
  for (const char* coverage : kCoverages) {
    columns.push_back(coverage);
    columns.push_back(std::string(coverage) + "_error");
  }
  for (const char* cost : kCosts) columns.push_back(std::string(cost) + "_median");
  for (const char* score : kScores) {
    columns.push_back(std::string(score) + "_minus_exact");
    columns.push_back(std::string(score) + "_minus_exact_error");
  }
  write_csv_cells(out, columns);
  for (const Group& group : summary.groups()) {
    ResultRow row = {group.experiment, group.prior,      group.system,
                     group.sample,     word(group.over), std::to_string(group.rows.size())};
    for (const char* score : kScores) {
      const Spread spread = summary.spread(group, score);
      row.insert(row.end(), {cell(spread.median), cell(spread.lower), cell(spread.upper)});
    }
    for (const char* coverage : kCoverages) {
      row.insert(row.end(), {cell(summary.mean(group, coverage)), cell(summary.coverage_error(group, coverage))});
    }
    for (const char* cost : kCosts) row.push_back(cell(summary.spread(group, cost).median));
    for (const char* score : kScores) {
      const std::optional<MeanInterval> difference = summary.difference(group, score);
      const bool has_error = difference && std::isfinite(difference->half_width);
      row.push_back(difference ? cell(difference->mean) : "");
      row.push_back(has_error ? cell(difference->half_width) : "");
    }
    write_csv_cells(out, row);
  }
}

}  // namespace

void write_reproduction_summary(const ResultFile& results, const std::filesystem::path& folder) {
  const Summary summary(results);
  write_summary_files(
      folder, "summary", [&](std::ostream& out) { write_markdown(out, summary); },
      [&](std::ostream& out) { write_csv(out, summary); });
}

}  // namespace ta2s2::lab
