// A figure before it is drawn: a script, the data that it plots and the words that it is told.
#pragma once

#include <string>
#include <vector>

namespace ta2s2::detail {

struct Figure {
  std::string name;                    // of the SVG, without its ending
  std::string script;                  // crps, scatter or levels
  std::string data;                    // as gnuplot reads it
  std::vector<std::string> arguments;  // of the script, after the data and the SVG
};

}  // namespace ta2s2::detail
