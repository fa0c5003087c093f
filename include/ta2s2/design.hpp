// Where to run the simulator: designs before any run is made, and next runs once an emulator knows some.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

/// How points are spread.
enum class DesignKind {
  maximin,  ///< Latin hypercube whose nearest points are far apart, each at the centre of its strata
  random,   ///< Latin hypercube, each point anywhere in its strata
  sobol,    ///< Sobol sequence, shifted at random
};

/// Which design.
struct DesignOptions {
  Index inputs = 1;                       ///< columns of the design
  Index runs = 1;                         ///< rows of the design
  DesignKind kind = DesignKind::maximin;  ///< how its points are spread
  std::uint64_t seed = 1;                 ///< of every random number
};

/// A run in each row, in the unit cube. The same options give the same design. Error{usage} for sizes below 1 or, with
/// sobol, more inputs than its table has dimensions.
Matrix make_design(const DesignOptions& options);

/// From the unit cube to the ranges, one for each column; evenly in the logarithm where the scale is log.
Matrix to_ranges(MatrixView unit, const std::vector<InputRange>& ranges);

/// A criterion for next runs and what it needs to know: "imse", "boundary(3.5)".
struct CriterionSpec {
  std::string name = "imse";  ///< without its argument
  double level = 0.0;         ///< of boundary
};

/// Error{usage} that names all criteria if the text is none.
CriterionSpec parse_criterion(const std::string& text);
/// As it is typed.
std::string to_text(const CriterionSpec& criterion);

/// What there is to say of a criterion.
struct CriterionInfo {
  std::string name;     ///< as help shows it: "boundary(y0)"
  std::string column;   ///< what its values are called
  std::string meaning;  ///< of a value, in a sentence without its full stop
};
/// All criteria that there are.
const std::vector<CriterionInfo>& criteria();
/// Of this one.
const CriterionInfo& info_of(const CriterionSpec& criterion);

/// Which next runs.
struct NextRunsOptions {
  Index count = 5;               ///< how many points
  CriterionSpec criterion = {};  ///< by which they are chosen
  Index draws = 100;             ///< that the criterion is averaged over, chosen by weight; fewer with very many runs
  std::uint64_t seed = 1;        ///< of every random number
  Index map_size = 0;  ///< for one or two inputs: of a grid, to each side, on which the criterion is also wanted
};

/// The criterion before any point is chosen.
struct CriterionMap {
  Matrix points;  ///< in the user's units; the first input changes fastest
  Vector values;  ///< of the criterion there
};

/// Points chosen together, each given those before it.
struct NextRuns {
  Matrix points;                         ///< a row each, in the order of choice; the user's units
  Vector values;                         ///< of the criterion, given the points before
  std::vector<Index> rows;               ///< of the candidates, if there were any
  Index draws = 0;                       ///< that were used
  std::vector<double> average_variance;  ///< before any and after each, if the criterion lowers one; else empty
  CriterionMap map;                      ///< if map_size asked for it
  Vector mean;                           ///< of a new run at each point, before any of them is made
  Vector sd;                             ///< its standard deviation
  std::vector<std::string> notices;      ///< sentences that the user should see
};

}  // namespace ta2s2
