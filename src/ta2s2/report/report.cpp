#include "ta2s2/report/report.hpp"

#include <algorithm>

#include "ta2s2/report/sections.hpp"

namespace ta2s2 {
namespace report {
namespace {

ModelSection model_section(const MemberRecord& fit) {
  return {fit.data.output_name(), fit.data.input_names(),  fit.data.num_runs(),
          fit.data.num_inputs(),  fit.options.correlation, fit.options.trend,
          fit.options.prior,      fit.options.nugget,      fit.has_sample()};
}

OutputPage page_of(const OutputRecord& output, const OutputRuns* validation, Executor& executor) {
  const LeftOutPredictions left_out = predict_left_out(output, executor);
  std::optional<ValidationPredictions> unseen;
  if (validation) unseen = predict_validation(output, *validation, executor);
  OutputPage page;
  page.model = model_section(output.members.front());
  page.verdict = verdict_section(output, left_out, unseen ? &*unseen : nullptr);
  page.leave_one_out = left_out_section(output, left_out);
  if (unseen) page.validation = validation_section(*unseen);
  const Sensitivity sensitivity = sensitivity_of(output, executor);
  page.inputs = inputs_section(sensitivity);
  page.main_effects = effects_section(sensitivity, output.members.front());
  page.next_runs = next_runs_section(output, executor);
  page.average = average_section(output);
  std::vector<Index> order;
  for (const InputRow& row : page.inputs.rows) order.push_back(row.column);
  page.members = member_sections(output, order, executor);
  page.totals = totals_section(output);
  page.provenance = provenance_section(output);
  page.emulator = page_emulator(output, executor);
  return page;
}

OverviewRow overview_row(const OutputPage& page, const std::optional<JudgedSection>& judged) {
  OverviewRow row{page.model.output, page.verdict.level, page.verdict.headline, {}, {}, {}, {}};
  if (!judged) return row;
  const ScoreRow& scores = judged->scores.posterior;
  row.explained = judged->explained;
  row.coverage_95 = scores.coverage_95, row.crps = scores.crps, row.rmse = scores.rmse;
  return row;
}

OutputsPage side_by_side(std::vector<OutputPage> pages) {
  const bool are_validated =
      std::all_of(pages.begin(), pages.end(), [](const OutputPage& page) { return page.validation.has_value(); });
  OutputsPage all;
  all.num_outputs = static_cast<Index>(pages.size());
  all.judged_by = judged_by(are_validated);
  for (const OutputPage& page : pages) {
    all.overview.push_back(overview_row(page, are_validated ? page.validation : page.leave_one_out));
  }
  all.version = pages.front().provenance.version;
  all.outputs = std::move(pages);
  return all;
}

}  // namespace
}  // namespace report

ReportRecord make_report_record(const EmulatorRecord& emulator, const std::vector<OutputRuns>& validation,
                                Executor& executor) {
  std::vector<report::OutputPage> pages;
  for (std::size_t k = 0; k < emulator.outputs.size(); ++k) {
    pages.push_back(report::page_of(emulator.outputs[k], validation.empty() ? nullptr : &validation[k], executor));
  }
  if (pages.size() == 1) return std::move(pages.front());
  return report::side_by_side(std::move(pages));
}

}  // namespace ta2s2
