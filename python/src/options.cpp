#include "ta2s2/workflow/options.hpp"

#include <nanobind/stl/string.h>

#include "bindings.hpp"

namespace ta2s2::python {
namespace {

nb::list option_list() {
  nb::list options;
  for (const OptionSpec& spec : option_table()) {
    nb::dict option;
    option["name"] = spec.name;
    option["symbol"] = spec.symbol;
    option["range"] = spec.range;
    option["help"] = spec.help;
    option["is_flag"] = spec.is_flag;
    option["default"] = spec.default_text;
    options.append(option);
  }
  return options;
}

}  // namespace

FitOptions options_from(const nb::list& settings) {
  std::vector<Setting> typed;
  for (const nb::handle item : settings) {
    typed.push_back({nb::cast<std::string>(item[0]), nb::cast<std::string>(item[1])});
  }
  FitOptions options;
  apply_settings(options, typed);
  return options;
}

std::vector<InputRange> ranges_of(const FitOptions& options, const std::vector<DeclaredRange>& given) {
  if (!options.ranges.empty()) return read_ranges(options.ranges);
  std::vector<InputRange> ranges;
  for (const auto& [name, low, high] : given) ranges.push_back({name, low, high});
  return ranges;
}

void bind_options(nb::module_& module) {
  module.def("option_table", &option_list, "The settings of a fit, as dictionaries of text.");
}

}  // namespace ta2s2::python
