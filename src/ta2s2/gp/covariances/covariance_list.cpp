// Every covariance that a user can name: a new one is a file here and a line below.
#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

using Numbers = std::vector<double>;

const std::vector<Choice<Covariance>>& choices() {
  static const std::vector<Choice<Covariance>> list = {
      {"squared-exponential", 0, "squared-exponential", [](const Numbers&) { return make_squared_exponential(); }},
      {"matern52", 0, "matern52", [](const Numbers&) { return make_matern52(); }},
      {"matern32", 0, "matern32", [](const Numbers&) { return make_matern32(); }},
      {"power-exponential(alpha)", 1, "power-exponential(1.9)",
       [](const Numbers& a) { return make_power_exponential(a[0]); }},
      {"rational(share)", 1, "rational(0.5)", [](const Numbers& a) { return make_rational(a[0]); }},
  };
  return list;
}

}  // namespace

std::unique_ptr<Covariance> make_covariance(const std::string& spec) {
  return make_choice("correlation", spec, choices());
}

std::vector<std::string> covariance_names() {
  return forms(choices());
}

std::vector<std::string> covariance_examples() {
  return examples(choices());
}

}  // namespace ta2s2
