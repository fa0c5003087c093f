#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "lab/suite.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/dataset.hpp"

namespace ta2s2::lab {
namespace {

double mean_of(const std::vector<double>& values) {
  return t_interval(values).mean;
}

// A single smooth function on which a rough model is a hundred times worse decides a mean of ratios, not this one.
double geometric_mean_of(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return std::exp(mean_of(values));
}

// A test function with a number of runs, and each model's rows on it: over designs and seeds.
struct Case {
  std::string function, runs;
  std::map<std::string, std::vector<const ResultRow*>> rows_of_model;

  std::string name() const { return function + ", " + runs + " runs"; }
};

class SuiteSummary {
 public:
  explicit SuiteSummary(const ResultFile& results) : table_(results) {
    for (const ResultRow& row : results.rows()) {
      const std::string& model = table_.text(row, "model");
      add_once(models_, model);
      case_of(row).rows_of_model[model].push_back(&row);
    }
  }

  const std::vector<std::string>& models() const { return models_; }
  const std::vector<Case>& cases() const { return cases_; }

  // Mean over designs; nothing if the model was not run on it.
  std::optional<double> mean(const Case& which, const std::string& model, const std::string& column) const {
    const auto found = which.rows_of_model.find(model);
    if (found == which.rows_of_model.end()) return std::nullopt;
    return mean_of(table_.numbers(found->second, column));
  }

  // One value per case that the model was run on.
  std::vector<double> means(const std::string& model, const std::string& column) const {
    std::vector<double> values;
    for (const Case& which : cases_) {
      if (const auto value = mean(which, model, column)) values.push_back(*value);
    }
    return values;
  }

  // CRPS over that of the case's best model.
  double relative_crps(const Case& which, const std::string& model) const {
    double best = *mean(which, model, "crps");
    for (const auto& [other, rows] : which.rows_of_model) best = std::min(best, *mean(which, other, "crps"));
    return *mean(which, model, "crps") / best;
  }

  struct Worst {
    std::string name;
    double relative = 0.0;
  };

  std::vector<double> relative_crps(const std::string& model, Worst& worst) const {
    std::vector<double> values;
    for (const Case& which : cases_) {
      if (!which.rows_of_model.contains(model)) continue;
      values.push_back(relative_crps(which, model));
      if (values.back() > worst.relative) worst = {which.name(), values.back()};
    }
    return values;
  }

  // log(CRPS / the base model's), over the cases that both were run on.
  std::optional<MeanInterval> log_ratio(const std::string& model) const {
    std::vector<double> ratios;
    for (const Case& which : cases_) {
      const auto own = mean(which, model, "crps"), other = mean(which, kBaseModel, "crps");
      if (own && other) ratios.push_back(std::log(*own / *other));
    }
    if (ratios.empty() || model == kBaseModel) return std::nullopt;
    return t_interval(ratios);
  }

 private:
  Case& case_of(const ResultRow& row) {
    const std::string &function = table_.text(row, "function"), &runs = table_.text(row, "runs");
    const auto same = [&](const Case& which) { return which.function == function && which.runs == runs; };
    const auto found = std::find_if(cases_.begin(), cases_.end(), same);
    return found != cases_.end() ? *found : cases_.emplace_back(Case{function, runs, {}});
  }

  ResultTable table_;
  std::vector<std::string> models_;
  std::vector<Case> cases_;
};

std::string plus_minus(const MeanInterval& interval, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, interval.mean, interval.half_width);
  return text;
}

std::string ratio_text(const std::optional<MeanInterval>& log_ratio) {
  if (!log_ratio) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.3f (%.3f, %.3f)", std::exp(log_ratio->mean),
                std::exp(log_ratio->mean - log_ratio->half_width), std::exp(log_ratio->mean + log_ratio->half_width));
  return text;
}

void write_models(std::ostream& out, const SuiteSummary& summary) {
  out << markdown_head({"model", "cases", "relative CRPS", "geometric mean", "CRPS to single's", "CRPS / sd",
                        "RMSE / sd", "NLPD", "95% covers", "interval score 95% / sd", "seconds", "worst case"});
  for (const std::string& model : summary.models()) {
    SuiteSummary::Worst worst;
    const std::vector<double> relative = summary.relative_crps(model, worst);
    const auto mean = [&](const char* column) { return digits(mean_of(summary.means(model, column))); };
    out << markdown_line(
        {model, std::to_string(relative.size()), digits(mean_of(relative)), digits(geometric_mean_of(relative)),
         ratio_text(summary.log_ratio(model)), mean("crps_over_sd"), mean("rmse_over_sd"), mean("nlpd_over_sd"),
         plus_minus(t_interval(summary.means(model, "coverage95")), "%.3f +- %.3f"), mean("interval_score95_over_sd"),
         mean("seconds"), worst.name + " (" + digits(worst.relative, 3) + ")"});
  }
}

void write_cases(std::ostream& out, const SuiteSummary& summary) {
  std::vector<std::string> columns = {"case"};
  columns.insert(columns.end(), summary.models().begin(), summary.models().end());
  out << markdown_head(columns);
  for (const Case& which : summary.cases()) {
    std::vector<std::string> cells = {which.name()};
    for (const std::string& model : summary.models()) {
      const auto value = summary.mean(which, model, "crps_over_sd");
      cells.push_back(value ? digits(*value, 3) : "");
    }
    out << markdown_line(cells);
  }
}

void write_markdown(std::ostream& out, const SuiteSummary& summary) {
  out << "A case is a test function with a number of runs; every score is a mean over its designs, and then over "
         "cases. Relative CRPS: divided by that of the case's best model; mean, and geometric mean, which no single "
         "case decides. CRPS to single's: geometric mean of the ratio, and its 95% t interval over cases. Coverage: "
         "mean +- half of that interval. sd: of the test outputs; NLPD is that of outputs divided by it.\n\n";
  write_models(out, summary);
  out << "\nCRPS / sd of each case:\n\n";
  write_cases(out, summary);
}

void write_csv(std::ostream& out, const SuiteSummary& summary) {
  write_csv_cells(out, {"function", "runs", "model", "designs", "crps", "relative_crps", "crps_over_sd", "rmse_over_sd",
                        "nlpd_over_sd", "coverage95", "interval_score95_over_sd", "seconds"});
  for (const Case& which : summary.cases()) {
    for (const auto& [model, rows] : which.rows_of_model) {
      const auto mean = [&, name = model](const char* column) { return cell(*summary.mean(which, name, column)); };
      write_csv_cells(out,
                      {which.function, which.runs, model, std::to_string(rows.size()), mean("crps"),
                       cell(summary.relative_crps(which, model)), mean("crps_over_sd"), mean("rmse_over_sd"),
                       mean("nlpd_over_sd"), mean("coverage95"), mean("interval_score95_over_sd"), mean("seconds")});
    }
  }
}

}  // namespace

void write_suite_summary(const ResultFile& results, const std::filesystem::path& folder) {
  const SuiteSummary summary(results);
  write_summary_files(
      folder, "suite_summary", [&](std::ostream& out) { write_markdown(out, summary); },
      [&](std::ostream& out) { write_csv(out, summary); });
}

}  // namespace ta2s2::lab
