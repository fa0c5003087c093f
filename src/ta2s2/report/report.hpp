// The report: one HTML page that needs nothing else, made from a record of everything that it shows. A page holds its
// record as JSON, so that a later version can draw it anew.
#pragma once

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/record.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// A page with a tab for each of several outputs. `validation`: of each output runs that the fit has not seen, or
// nothing.
ReportRecord make_report_record(const EmulatorRecord& emulator, const std::vector<OutputRuns>& validation,
                                Executor& executor);

// The label names a fit on the page: its file.
struct LabelledRecord {
  std::string label;
  ReportRecord record;
};
// Error{usage} unless both are of one output.
ReportRecord compare_reports(const LabelledRecord& first, const LabelledRecord& second);

// The record in `text`: a report page that holds one, or its JSON by itself, of this version or an earlier one.
// Error{bad_file} if there is none, or one of a later version; `path` is for the message.
ReportRecord find_report_record(const std::string& text, const std::string& path);

std::string to_json(const ReportRecord& record);
std::string render_page(const ReportRecord& record);

}  // namespace ta2s2
