// Level curves of the negative log posterior over two length-scales, with draws on top.
#pragma once

#include <filesystem>
#include <optional>

#include "ta2s2/experiments/detail/figure.hpp"

namespace ta2s2::detail {

// None unless there are franke_levels.csv, franke_modes.csv and draws_franke_reference_exact.csv.
std::optional<Figure> levels_figure(const std::filesystem::path& folder);

}  // namespace ta2s2::detail
