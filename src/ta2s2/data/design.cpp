#include "ta2s2/data/design.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <string>

#include "ta2s2/data/detail/latin_hypercube.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {

namespace {

constexpr Index kMaxSobolInputs = boost::random::default_sobol_table::max_dimension;

void check(const DesignOptions& options) {
  if (options.inputs < 1 || options.runs < 1)
    throw Error(ErrorCode::usage, "a design of " + std::to_string(options.runs) + " runs and " +
                                      std::to_string(options.inputs) + " inputs: expected at least one of each");
  if (options.kind == DesignKind::sobol && options.inputs > kMaxSobolInputs)
    throw Error(ErrorCode::usage, "a Sobol design of " + std::to_string(options.inputs) + " inputs: expected at most " +
                                      std::to_string(kMaxSobolInputs));
}

// Cranley and Patterson (1976): the whole sequence is moved by one random vector modulo 1, here exactly, in
// 64-bit integers. The zero point, which boost skips, is put back: shifted, it is as good as any, and the
// first 2^k points are balanced only with it.
Matrix shifted_sobol(Index runs, Index inputs, Stream& stream) {
  const auto num_inputs = static_cast<std::size_t>(inputs);
  boost::random::sobol sequence(num_inputs);
  std::vector<std::uint64_t> shift(num_inputs), point(num_inputs, 0);
  for (std::uint64_t& word : shift) word = stream.bits();
  Matrix design(runs, inputs);
  for (Index run = 0; run < runs; ++run) {
    for (std::size_t input = 0; input < num_inputs; ++input) {
      const std::uint64_t shifted = point[input] + shift[input];
      design(run, static_cast<Index>(input)) = (static_cast<double>(shifted >> 12) + 0.5) * 0x1.0p-52;
    }
    sequence.generate(point.begin(), point.end());
  }
  return design;
}

}  // namespace

Matrix make_design(const DesignOptions& options) {
  check(options);
  if (options.kind == DesignKind::maximin)
    return detail::maximin_latin_hypercube(options.runs, options.inputs, options.seed);
  Stream stream({.seed = options.seed, .purpose = Purpose::design});
  if (options.kind == DesignKind::random) return detail::random_latin_hypercube(options.runs, options.inputs, stream);
  return shifted_sobol(options.runs, options.inputs, stream);
}

Matrix to_ranges(MatrixView unit, const std::vector<InputRange>& ranges) {
  if (static_cast<Index>(ranges.size()) != unit.cols())
    throw Error(ErrorCode::usage, std::to_string(ranges.size()) + " ranges for " + std::to_string(unit.cols()) +
                                      " inputs: expected one each");
  Matrix points(unit.rows(), unit.cols());
  for (Index input = 0; input < unit.cols(); ++input) {
    const InputRange& range = ranges[static_cast<std::size_t>(input)];
    const auto share = unit.col(input).array();
    // Rounding must not put a point outside its range.
    points.col(input) = ((1.0 - share) * range.low + share * range.high).max(range.low).min(range.high);
  }
  return points;
}

}  // namespace ta2s2
