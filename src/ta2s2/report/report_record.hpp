// Everything a report shows, as one versioned JSON document (docs/report.md). The page reads nothing else, so a record
// that an earlier version wrote can be rendered by a later one.
#pragma once

#include <string>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

inline constexpr int kReportFormatVersion = 3;
inline constexpr const char* kReportFormatName = "ta2s2-report";

// Of one model, or of an average as a whole. `validation`: runs that the fit has not seen, or null.
std::string make_report_record(const OutputRecord& output, const OutputRuns* validation, Executor& executor);

// The record in `text`, in the form of today: a report page that holds one, or a record by itself. Error{bad_file} if
// there is none, or one of a later version; `path` is for the message.
std::string find_report_record(const std::string& text, const std::string& path);

}  // namespace ta2s2
