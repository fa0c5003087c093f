// The models of the golden files, and how far doubles may stray from their 50 digits.
#pragma once

#include <string>
#include <vector>

#include "golden/golden_file.hpp"
#include "ta2s2/gp/gp_model.hpp"

namespace ta2s2::golden {

inline constexpr double kRoundingUnit = 0x1p-53;

// epsilon = 4 n condition u, where condition is ||K||_1 ||K^-1||_1 and u the rounding unit.
//
// What doubles do to K (its entries, its Cholesky factor, the solves with it) is what a perturbed matrix K +
// D would give exactly, |D_ij| a few u. The worst case of a Cholesky factor has n u there, all of one sign;
// rounding errors have no common sign, so 4 u stands for a whole row's, and ||D||_2 <= 4 n u. Since the
// diagonal of K is at least 1,
// ||K^-1||_2 <= condition, and ||D|| ||K^-1|| <= epsilon. Each test derives from it, to first order in D.
inline double perturbation(Index n, double condition) {
  return 4.0 * static_cast<double>(n) * condition * kRoundingUnit;
}

inline std::vector<std::string> input_names(Index p) {
  std::vector<std::string> names;
  for (Index d = 1; d <= p; ++d) names.push_back("x" + std::to_string(d));
  return names;
}

inline Json data_set_of(const Json& section, const Json& item) {
  for (const Json& data_set : section.at("data_sets")) {
    if (data_set.at("name") == item.at("data_set")) return data_set;
  }
  return {};
}

// Of a correlation that has a shape.
inline double log_shape_of(const Json& item) {
  return item.contains("log_shape") ? item.at("log_shape").get<double>() : 0.0;
}

inline GpParameters parameters_of(const Json& item) {
  return {to_vector(item.at("phi")), item.at("delta"), log_shape_of(item)};
}

inline GpModel model_of(const Json& item, const Matrix& X, const Vector& y, Exponent exponent = Exponent::model) {
  return GpModel(X, y, Trend(item.at("trend"), input_names(X.cols())), make_covariance(item.at("correlation")),
                 exponent);
}

// For failure messages.
inline std::string label_of(const Json& item) {
  return item.at("data_set").get<std::string>() + ' ' + item.at("correlation").get<std::string>() + ' ' +
         item.at("trend").get<std::string>() + ' ' + (item.contains("phi") ? item.at("phi") : item.at("z")).dump();
}

}  // namespace ta2s2::golden
