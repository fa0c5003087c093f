// Strips of draws of each length-scale, with the maximum in black.
#pragma once

#include <filesystem>
#include <vector>

#include "ta2s2/experiments/detail/figure.hpp"

namespace ta2s2::detail {

// One per experiment and prior of which there are files draws_<experiment>_<prior>_<system>.csv.
std::vector<Figure> scatter_figures(const std::filesystem::path& folder);

}  // namespace ta2s2::detail
