// Draws of the length-scales as a figure needs them: few, and of equal weight.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ta2s2::detail {

struct LengthScaleDraws {
  std::vector<std::string> inputs;
  std::vector<std::vector<double>> values;  // per input, log phi of each draw
  std::vector<double> weights;              // sum to one

  std::size_t size() const { return weights.size(); }
};

// Columns log_phi_<input>, and weight if there is one; other columns are not read.
LengthScaleDraws read_length_scale_draws(const std::filesystem::path& path);

// At most `count` rows, each drawn as often as its weight says, evenly through the file.
std::vector<std::size_t> thinned_rows(const LengthScaleDraws& draws, std::size_t count);

double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, double level);

}  // namespace ta2s2::detail
