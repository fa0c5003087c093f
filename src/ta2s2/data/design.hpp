// Where to run the simulator: designs on the unit cube.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/data/input_range.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

enum class DesignKind {
  maximin,  // Latin hypercube whose nearest points are far apart, each at the centre of its strata
  random,   // Latin hypercube, each point anywhere in its strata
  sobol,    // Sobol sequence, shifted at random
};

struct DesignOptions {
  Index inputs = 1;
  Index runs = 1;
  DesignKind kind = DesignKind::maximin;
  std::uint64_t seed = 1;
};

// One run per row. The same options give the same design. Error{usage} for sizes below 1 or, with sobol, more
// inputs than its table has dimensions.
Matrix make_design(const DesignOptions& options);

// From the unit cube to the ranges, one per column.
Matrix to_ranges(MatrixView unit, const std::vector<InputRange>& ranges);

}  // namespace ta2s2
