#include "ta2s2/gp/prior.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/priors/priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {
// Every prior that a user can name: a new one is a class in priors/ and a line below.
namespace {

using Numbers = std::vector<double>;
using ScalarChoices = std::vector<Choice<ScalarPrior>>;

constexpr const char* kElicitedForm = "input=prior;...;*=prior";

// Densities of one phi; without numbers the uniform ones spread over the box.
ScalarChoices phi_choices(const Interval& box) {
  const double low = std::exp(box.low), high = std::exp(box.high);
  return {
      {"log-uniform", 0, "log-uniform", [=](const Numbers&) { return make_log_uniform_prior(low, high); }},
      {"exponential(rate)", 1, "exponential(0.2)", [](const Numbers& a) { return make_exponential_prior(a[0]); }},
      {"gamma(shape,rate)", 2, "gamma(2,0.5)", [](const Numbers& a) { return make_gamma_prior(a[0], a[1]); }},
      {"log-normal(mean,sd)", 2, "log-normal(0,1.5)",
       [](const Numbers& a) { return make_log_normal_prior(a[0], a[1]); }},
      {"log-laplace(location,scale)", 2, "log-laplace(-1,1)",
       [](const Numbers& a) { return make_log_laplace_prior(a[0], a[1]); }},
      {"decaying", 0, "decaying", [](const Numbers&) { return make_decaying_prior(); }},
      {"uniform", 0, "uniform", [=](const Numbers&) { return make_uniform_prior(low, high); }},
      {"uniform(low,high)", 2, "uniform(0.01,20)", [](const Numbers& a) { return make_uniform_prior(a[0], a[1]); }},
      {"log-uniform(low,high)", 2, "log-uniform(0.01,20)",
       [](const Numbers& a) { return make_log_uniform_prior(a[0], a[1]); }},
  };
}

// Densities of the nugget; (5.1) and the box truncate each to a part of [l_b, 1].
ScalarChoices nugget_choices() {
  return {
      {"log-uniform", 0, "log-uniform", [](const Numbers&) { return make_log_uniform_prior(kNuggetLowerBound, 1.0); }},
      {"uniform", 0, "uniform", [](const Numbers&) { return make_uniform_prior(kNuggetLowerBound, 1.0); }},
      {"beta(a,b)", 2, "beta(0.5,2)", [](const Numbers& a) { return make_beta_prior(a[0], a[1]); }},
      {"exponential(rate)", 1, "exponential(10)", [](const Numbers& a) { return make_exponential_prior(a[0]); }},
  };
}

constexpr const char* kFixedForm = "fixed(value)";

void check_enough_runs(const PriorContext& context, Index num_parameters) {
  // The symmetric, traceless matrices of order m have this many dimensions; the information matrix needs as
  // many independent ones as there are parameters.
  const Index m = context.num_runs - context.num_trend_columns;
  if (m * (m + 1) / 2 - 1 >= num_parameters) return;
  throw Error(ErrorCode::bad_data, std::to_string(context.num_runs) +
                                       " runs are too few for the reference prior over " +
                                       std::to_string(num_parameters) + " parameters; use jointly-robust");
}

constexpr const char *kReference = "reference", *kJointReference = "reference(joint)",
                     *kJointlyRobust = "jointly-robust", *kSparse = "sparse-jointly-robust",
                     *kLogUniform = "log-uniform";

std::vector<Choice<Prior>> joint_choices(const PriorContext& context) {
  const Index p = static_cast<Index>(context.inputs.size());
  return {
      {kReference, 0, kReference,
       [=](const Numbers&) {
         check_enough_runs(context, p);
         return make_reference_prior(p, InformationOver::length_scales);
       }},
      {kJointReference, 0, kJointReference,
       [=](const Numbers&) {
         check_enough_runs(context, p + 1);
         return make_reference_prior(p, InformationOver::length_scales_and_nugget);
       }},
      {kJointlyRobust, 0, kJointlyRobust,
       [=](const Numbers&) { return make_jointly_robust_prior(kJointlyRobust, context.num_runs, p, context.box); }},
      {kSparse, 0, kSparse,
       [=](const Numbers&) { return make_sparse_jointly_robust_prior(kSparse, context.num_runs, p, context.box); }},
  };
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// "a=gamma(2,1);*=log-uniform" as pairs of input and spec.
std::map<std::string, std::string> elicited_parts(const std::string& spec, const PriorContext& context) {
  std::map<std::string, std::string> parts;
  for (const auto& part : split(spec, ';')) {
    if (part.empty()) continue;
    const auto equals = part.rfind('=');
    if (equals == std::string::npos) {
      throw Error(ErrorCode::usage, "cannot read '" + part + "' of the prior: expected " + kElicitedForm);
    }
    const std::string input = trimmed(part.substr(0, equals));
    const bool known = std::find(context.inputs.begin(), context.inputs.end(), input) != context.inputs.end();
    if (!known && input != "*") throw Error(ErrorCode::usage, "the prior names '" + input + "', which is not an input");
    if (!parts.emplace(input, trimmed(part.substr(equals + 1))).second) {
      throw Error(ErrorCode::usage, "the prior names '" + input + "' twice");
    }
  }
  return parts;
}

std::unique_ptr<Prior> make_elicited_prior(const std::string& spec, const PriorContext& context) {
  const auto parts = elicited_parts(spec, context);
  const auto choices = phi_choices(context.box);
  std::vector<ScalarOnBox> scalars;
  for (const auto& input : context.inputs) {
    const auto found = parts.contains(input) ? parts.find(input) : parts.find("*");
    if (found == parts.end()) {
      throw Error(ErrorCode::usage, "the prior says nothing of the input '" + input + "': name it, or add *=prior");
    }
    scalars.push_back({make_choice("prior of one input", found->second, choices), Coordinate::log_phi, context.box});
  }
  return make_product_prior(trimmed(spec), std::move(scalars));
}

}  // namespace

double Prior::log_density(VectorView) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " cannot be evaluated without the information");
}

double Prior::log_density_given(VectorView, double) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " does not use the information");
}

void Prior::log_density_gradient(VectorView, Eigen::Ref<Vector>) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " has no gradient");
}

Vector Prior::draw(Stream&) const {
  throw Error(ErrorCode::usage, "the prior " + spec() + " cannot be drawn from");
}

std::unique_ptr<Prior> make_length_scale_prior(const std::string& spec, const PriorContext& context) {
  if (spec.find('=') != std::string::npos) return make_elicited_prior(spec, context);
  if (auto joint = find_choice(spec, joint_choices(context))) return joint;
  if (const std::shared_ptr<ScalarPrior> scalar = find_choice(spec, phi_choices(context.box))) {
    return make_product_prior(
        trimmed(spec), std::vector<ScalarOnBox>(context.inputs.size(), {scalar, Coordinate::log_phi, context.box}));
  }
  throw unknown_choice("prior of the length-scales", spec, length_scale_prior_names());
}

Interval log_phi_box_of(const std::string& spec) {
  const std::string text = trimmed(spec);
  if (text == kLogUniform) return {-7.0, 18.0};
  if (text == kJointlyRobust) return {-7.0, 30.0};
  if (text == kSparse) return {-7.0, 100.0};
  return kDefaultLogPhiBox;
}

InformationOver information_needed_by(const std::string& spec, Interval box) {
  const std::string text = trimmed(spec);
  if (text.find('=') != std::string::npos) return InformationOver::nothing;
  if (text == kJointlyRobust || text == kSparse) return InformationOver::nothing;
  if (text == kReference) return InformationOver::length_scales;
  if (text == kJointReference) return InformationOver::length_scales_and_nugget;
  const std::shared_ptr<ScalarPrior> scalar = find_choice(text, phi_choices(box));
  if (!scalar) throw unknown_choice("prior of the length-scales", text, length_scale_prior_names());
  make_product_prior(text, {{scalar, Coordinate::log_phi, box}});  // normalised on the box, or an error
  return InformationOver::nothing;
}

NuggetPrior make_nugget_prior(const std::string& spec, Interval box) {
  const std::optional<ParsedSpec> parsed = parse_spec(spec);
  if (parsed && parsed->name == "fixed" && parsed->arguments.size() == 1) {
    return {trimmed(spec), parse_number(parsed->arguments[0], kFixedForm), nullptr};
  }
  std::shared_ptr<ScalarPrior> scalar = find_choice(spec, nugget_choices());
  if (!scalar) throw unknown_choice("prior of the nugget", spec, nugget_prior_names());
  return {trimmed(spec), std::nullopt, make_product_prior(trimmed(spec), {{scalar, Coordinate::nugget, box}})};
}

std::vector<std::string> length_scale_prior_names() {
  auto names = joined(forms(joint_choices({})), forms(phi_choices(kDefaultLogPhiBox)));
  names.push_back(kElicitedForm);
  return names;
}

std::vector<std::string> length_scale_prior_examples() {
  return joined(examples(joint_choices({})), examples(phi_choices(kDefaultLogPhiBox)));
}

std::vector<std::string> nugget_prior_names() {
  return joined(forms(nugget_choices()), {kFixedForm});
}

std::vector<std::string> nugget_prior_examples() {
  return joined(examples(nugget_choices()), {"fixed(1e-8)"});
}

}  // namespace ta2s2
