// Reads the independent truths of tests/golden/data.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ta2s2/types.hpp"

namespace ta2s2::golden {

using Json = nlohmann::json;

inline std::string source_path(const std::string& relative) {
  return std::string(TA2S2_SOURCE_DIR) + "/" + relative;
}

inline Json load(const std::string& name) {
  std::ifstream file(source_path("tests/golden/data/" + name));
  return Json::parse(file);
}

inline Vector to_vector(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// One array per row.
inline Matrix to_matrix(const Json& json) {
  Matrix matrix(static_cast<Index>(json.size()), static_cast<Index>(json.at(0).size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    matrix.row(i) = to_vector(json.at(static_cast<std::size_t>(i))).transpose();
  }
  return matrix;
}

}  // namespace ta2s2::golden
