// The subcommands. Each parses, calls one workflow function, writes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "output.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::cli {

void add_design_command(CLI::App& app);
void add_fit_command(CLI::App& app);
void add_resume_command(CLI::App& app);
void add_add_runs_command(CLI::App& app);
void add_plan_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_predict_command(CLI::App& app);
void add_validate_command(CLI::App& app);
void add_next_runs_command(CLI::App& app);
void add_sensitivity_command(CLI::App& app);
void add_show_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_draws_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_options_command(CLI::App& app);

// Where a fit's report goes: nowhere without a path. `others` are files that the command reads or writes.
std::optional<Output> open_report(const std::string& path, const std::vector<std::string>& others);
void write_report(Output& output, const EmulatorRecord& model, Executor& executor);

}  // namespace ta2s2::cli
