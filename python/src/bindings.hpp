// What the extension module is made of: it converts and calls.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

#include "ta2s2/settings.hpp"

namespace ta2s2::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_emulator(nb::module_& module);
void bind_functions(nb::module_& module);  // what needs no fitted emulator

// The document as Python has it: dicts, lists and numbers.
inline nb::object from_json(const std::string& json) {
  return nb::module_::import_("json").attr("loads")(nb::str(json.c_str(), json.size()));
}

// A list of (name, text), checked by the option table.
FitRequest request_from(const nb::list& settings);

// Name, low and high of an input.
using DeclaredRange = std::tuple<std::string, double, double>;
// Those of the file that the request names, else those given.
std::vector<InputRange> ranges_of(const FitRequest& request, const std::vector<DeclaredRange>& given);

}  // namespace ta2s2::python
