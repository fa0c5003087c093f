#include "ta2s2/report/detail/parameters_section.hpp"

#include <algorithm>

#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::detail {
namespace {

Json quantiles_json(const Vector& values, const Vector& weights) {
  const std::vector<double> q = weighted_quantiles(values, weights, {0.025, 0.25, 0.5, 0.75, 0.975});
  return {{"q025", q[0]}, {"q25", q[1]}, {"q50", q[2]}, {"q75", q[3]}, {"q975", q[4]}};
}

std::string length_scale_sentence(const Json& inputs) {
  const auto shortest = std::min_element(inputs.begin(), inputs.end(), [](const Json& a, const Json& b) {
    return a.at("length_in_ranges").at("q50") < b.at("length_in_ranges").at("q50");
  });
  return "Look for short length-scales: along them the output bends most. One that is much longer than the input's "
         "range, "
         "right of the line, means that the output is flat or straight along that input. Here the shortest is that "
         "of " +
         shortest->at("name").get<std::string>() + ", " + number_text(shortest->at("length_in_ranges").at("q50"), 2) +
         " of its range.";
}

std::string nugget_sentence(const Json& nugget) {
  const double high = nugget.at("q975");
  const std::string what = "Look for a small nugget if the simulator is deterministic: it is the share of noise. ";
  if (high < 1e-4) return what + "Here it is below 0.0001: the emulator passes through its runs.";
  return what + "Here up to " + percent_text(high, 2) +
         " of the process variance may be noise, or detail that the runs do not resolve.";
}

}  // namespace

Json length_scales_json(const MemberRecord& fit, const std::vector<Index>& order) {
  const Index p = fit.data.num_inputs();
  const Matrix draws = draw_rows(fit);
  Json rows = Json::array();
  for (const Index d : order) {
    const Vector lengths = draws.col(p + d);
    const double low = fit.scaling.low()[d], width = fit.scaling.width()[d];
    rows.push_back({{"name", fit.data.input_names()[static_cast<std::size_t>(d)]},
                    {"low", low},
                    {"high", low + width},
                    {"length_scale", quantiles_json(lengths, fit.sample.weights)},
                    {"length_in_ranges", quantiles_json(lengths / width, fit.sample.weights)}});
  }
  return {{"rows", rows}, {"sentence", length_scale_sentence(rows)}};
}

Json nugget_json(const MemberRecord& fit) {
  const Index p = fit.data.num_inputs();
  const Vector nuggets = draw_rows(fit).col(2 * p);
  Json json = quantiles_json(nuggets, fit.sample.weights);
  json["is_sampled"] = make_space(fit.data, fit.options).samples_nugget();
  json["sentence"] = nugget_sentence(json);
  return json;
}

}  // namespace ta2s2::detail
