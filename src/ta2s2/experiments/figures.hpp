// The paper's figures, drawn again by gnuplot from the tables that a reproduction leaves in a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ta2s2 {

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

}  // namespace ta2s2
