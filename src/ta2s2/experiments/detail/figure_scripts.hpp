// The gnuplot scripts of figures/*.gp, embedded when the library is configured.
#pragma once

#include <string>

namespace ta2s2::detail {

// `name` without its ending.
const std::string& figure_script(const std::string& name);

}  // namespace ta2s2::detail
