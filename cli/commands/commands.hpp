// The subcommands. Each parses, calls the library, writes.
#pragma once

#include <CLI/CLI.hpp>

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

}  // namespace ta2s2::cli
