#include "ta2s2/design.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::python {
namespace {

DesignKind kind_of(const std::string& word) {
  if (word == "maximin") return DesignKind::maximin;
  if (word == "random") return DesignKind::random;
  if (word == "sobol") return DesignKind::sobol;
  throw Error(ErrorCode::usage, "--kind: found \"" + word + "\", expected one of maximin, random, sobol");
}

OutputMatrix design(Index runs, const std::vector<std::pair<double, double>>& bounds, const std::string& kind,
                    std::uint64_t seed) {
  std::vector<InputRange> ranges;
  for (const auto& [low, high] : bounds) ranges.push_back({"x" + std::to_string(ranges.size() + 1), low, high});
  const DesignOptions options{static_cast<Index>(ranges.size()), runs, kind_of(kind), seed};
  return to_numpy(to_ranges(make_design(options), ranges));
}

}  // namespace

void bind_design(nb::module_& module) {
  using namespace nb::literals;
  module.def("design", &design, "runs"_a, "bounds"_a, "kind"_a, "seed"_a, "A design over a box, one run per row.");
}

}  // namespace ta2s2::python
