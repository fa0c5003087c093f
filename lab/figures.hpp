// The paper's figures: the tables that they are drawn from, as plain CSV, and their drawing by gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::lab {

// Sampling positions, energy and weight, a row per draw; and the maximum, one row without a weight.
void write_draws(const std::filesystem::path& path, const MemberRecord& record);
void write_map(const std::filesystem::path& path, const MemberRecord& record);

// The paper's first figure: H, up to a constant, of the paper's model with the reference prior and the nugget at its
// lower bound, over [-7, 7]^2 (an empty cell where there is no density), and draws of a run on it that cools down
// towards zero.
void write_franke_levels(const std::filesystem::path& path, const OutputRuns& runs, Executor& executor);
void write_franke_modes(const std::filesystem::path& path, const OutputRuns& runs, Index num_samples,
                        std::uint64_t seed, Executor& executor);

struct FigureReport {
  std::vector<std::filesystem::path> drawn;
  std::string notice;  // why nothing was drawn; empty if all was
};

// From results.csv: crps_<experiment>.svg over the seeds of design 1 and crps_<experiment>_designs.svg over designs.
// From draws_<experiment>_<prior>_<system>.csv and map_<experiment>_<prior>*.csv: scatter_<experiment>_<prior>.svg.
// From franke_levels.csv, franke_modes.csv and the draws of `exact`: franke_levels.svg. What has no table has no
// figure. The prepared data and the scripts stay in the subfolder figures/, to be drawn again in another style. Without
// gnuplot nothing is drawn, and a notice says so. Error{bad_data} for a table that cannot be understood,
// Error{cannot_write} if gnuplot fails.
FigureReport draw_figures(const std::filesystem::path& folder);

}  // namespace ta2s2::lab
