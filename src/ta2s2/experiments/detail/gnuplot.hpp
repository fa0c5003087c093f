// Starts gnuplot, if there is one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ta2s2::detail {

// Its exit status; none if no program of this name is on the PATH. Each argument reaches it as it is: no shell is
// involved. Error{internal} if it cannot be started for another reason.
std::optional<int> run_gnuplot(const std::vector<std::string>& arguments);

}  // namespace ta2s2::detail
