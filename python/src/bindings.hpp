// What the extension module is made of: one file per part of it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/workflow/next_runs.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_options(nb::module_& module);
void bind_design(nb::module_& module);
void bind_fit(nb::module_& module);
void bind_sensitivity(nb::module_& module);
void bind_density(nb::module_& module);
void bind_add_runs(nb::module_& module);
void bind_compare(nb::module_& module);

// The document as Python has it: dicts, lists and numbers.
inline nb::object from_json(const std::string& json) {
  return nb::module_::import_("json").attr("loads")(nb::str(json.c_str(), json.size()));
}

// Where to run the simulator next, by name; `rows` are numbers of candidates, from 0.
nb::dict next_runs(const Predictive& predictive, const NextRunsOptions& options,
                   const std::optional<Matrix>& candidates, int threads);

// A list of (name, text), checked by the option table.
FitOptions options_from(const nb::list& settings);

// Name, low and high of an input.
using DeclaredRange = std::tuple<std::string, double, double>;
// Those of the options' file if they name one, else those given.
std::vector<InputRange> ranges_of(const FitOptions& options, const std::vector<DeclaredRange>& given);

}  // namespace ta2s2::python
