#include "ta2s2/workflow/next_runs.hpp"

#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::python {

nb::dict next_runs(const Predictive& predictive, const NextRunsOptions& options,
                   const std::optional<Matrix>& candidates, int threads) {
  NextRunsReport report;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    report = ta2s2::next_runs(predictive, options, candidates, executor);
  });
  nb::dict dict;
  dict["points"] = to_numpy(std::move(report.runs.points));
  dict["values"] = to_numpy(std::move(report.runs.values));
  dict["mean"] = to_numpy(std::move(report.predicted.mean));
  dict["std"] = to_numpy(std::move(report.predicted.sd));
  nb::list rows, variances, notices;
  for (const Index row : report.runs.rows) rows.append(row);
  for (const double variance : report.runs.average_variance) variances.append(variance);
  for (const std::string& notice : report.notices) notices.append(nb::str(notice.c_str()));
  dict["rows"] = rows;
  dict["average_variance"] = variances;
  dict["notices"] = notices;
  dict["meaning"] = nb::str(info_of(options.criterion).meaning.c_str());
  return dict;
}

}  // namespace ta2s2::python
