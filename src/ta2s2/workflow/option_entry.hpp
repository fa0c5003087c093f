// A setting with what the library knows of it: how its text is read, and where a fit finds it. option_table.cpp lists
// them.
#pragma once

#include <functional>

#include "ta2s2/settings.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct OptionEntry {
  Option option;
  std::function<void(const Option&, FitRequest&, const std::string& text)> set;  // throws Error{usage}
  std::function<bool(const FitRequest&)> is_given;
  std::function<void(FitOptions&, const FitRequest&)> fill;  // if it is given
  std::function<std::string(const FitOptions&)> text;
};

const std::vector<OptionEntry>& option_entries();
// By name or alias; null if there is none.
const OptionEntry* find_entry(std::string_view name);

}  // namespace ta2s2
