// Box plots of the CRPS by system: the paper's figures of its section 5.
#pragma once

#include <vector>

#include "ta2s2/experiments/detail/figure.hpp"
#include "ta2s2/experiments/detail/figure_table.hpp"

namespace ta2s2::detail {

// Per experiment one over the seeds of design 1 and, if there are other designs, one over designs.
std::vector<Figure> crps_figures(const FigureTable& results);

}  // namespace ta2s2::detail
