#include "whole_run/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace ta2s2::whole_run {
namespace {

constexpr double kLevel = 0.001;

std::string text(const char* format, double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string in_bold(const std::string& cell, bool bold) {
  return bold ? "**" + cell + "**" : cell;
}

// The largest over the quantities of one kind, each column for itself.
struct Worst {
  double bias = 0.0, in_standard_errors = 0.0, rmse = 0.0;
};

Worst worst_of(const std::vector<Bias>& biases, Kind kind) {
  Worst worst;
  for (const Bias& bias : biases) {
    if (bias.quantity.kind != kind) continue;
    worst.bias = std::max(worst.bias, std::abs(bias.bias));
    worst.in_standard_errors = std::max(worst.in_standard_errors, std::abs(bias.in_standard_errors()));
    worst.rmse = std::max(worst.rmse, bias.rmse);
  }
  return worst;
}

std::string worst_cell(const std::vector<Bias>& biases, Kind kind, double critical) {
  const Worst worst = worst_of(biases, kind);
  if (worst.rmse == 0.0) return "";
  const std::string bias = text("%.4f", worst.bias) + " (" + text("%.1f", worst.in_standard_errors) + " se)";
  return in_bold(bias, worst.in_standard_errors > critical) + ", " + text("%.4f", worst.rmse);
}

std::string evidence_cell(const std::vector<Bias>& biases, double critical) {
  const Bias& evidence = biases.back();
  const std::string bias = text("%+.4f", evidence.bias) + " ± " + text("%.4f", evidence.standard_error);
  return in_bold(bias, std::abs(evidence.in_standard_errors()) > critical) + ", " + text("%.4f", evidence.rmse);
}

double critical_value_of(const std::vector<TableRow>& rows) {
  Index num_comparisons = 0;
  for (const TableRow& row : rows) num_comparisons += 2 * static_cast<Index>(row.study.quantities.size());
  return critical_value(rows.front().study.final_errors.cols(), num_comparisons, kLevel);
}

void write_table(const std::vector<TableRow>& rows, bool recycled, std::ostream& out) {
  const double critical = critical_value_of(rows);
  out << "| target | N | evaluations | means | sds | quantiles | mode weights | log evidence |"
      << (recycled ? "" : " reported error |") << "\n|---|---:|---:|---|---|---|---|---|"
      << (recycled ? "\n" : "---|\n");
  for (const auto& [problem, num_samples, study] : rows) {
    const std::vector<Bias> all = biases(study, recycled ? study.recycled_errors : study.final_errors);
    out << "| " << problem << " | " << num_samples << " | " << text("%.0f", study.evaluations) << " | ";
    for (const Kind kind : {Kind::mean, Kind::sd, Kind::quantile, Kind::mode_weight}) {
      out << worst_cell(all, kind, critical) << " | ";
    }
    out << evidence_cell(all, critical) << " |";
    if (!recycled) {
      const auto num_seeds = static_cast<double>(study.reported_errors.size());
      out << ' ' << text("%.4f", study.reported_errors.norm() / std::sqrt(num_seeds)) << " |";
    }
    out << '\n';
  }
}

}  // namespace

void write_tables(const std::vector<TableRow>& rows, std::ostream& out) {
  if (rows.empty()) return;
  out << "Over " << rows.front().study.final_errors.cols()
      << " seeds: the largest bias (in standard errors of the bias), then the largest root mean square error. Means "
         "and\n"
         "sds in posterior sds, quantiles as the probability below their true place, log evidence in nats. Bold: "
         "beyond\n"
      << text("%.2f", critical_value_of(rows))
      << " standard errors, which chance would show anywhere in both tables once in 1000.\n\nFinal level:\n\n";
  write_table(rows, false, out);
  out << "\nRecycled sample:\n\n";
  write_table(rows, true, out);
}

}  // namespace ta2s2::whole_run
