#include "ta2s2/gp/trend.hpp"

#include <algorithm>

#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

Index position_of(const std::string& name, const std::vector<std::string>& inputs) {
  const auto found = std::find(inputs.begin(), inputs.end(), name);
  return found == inputs.end() ? -1 : static_cast<Index>(found - inputs.begin());
}

}  // namespace

Trend::Trend(const std::string& spec, const std::vector<std::string>& inputs) : spec_(trimmed(spec)) {
  if (spec_ == "none") return;
  terms_.push_back({0, 0});
  if (spec_ == "constant") return;
  if (spec_ == "linear") {
    for (std::size_t d = 0; d < inputs.size(); ++d) terms_.push_back({static_cast<Index>(d), 1});
    return;
  }
  const std::optional<ParsedSpec> parsed = parse_spec(spec_);
  if (!parsed || parsed->name != "terms" || parsed->arguments.empty()) {
    throw unknown_choice("trend", spec_, {"none", "constant", "linear", "terms(a,b,a^2)"});
  }
  add_chosen_terms(parsed->arguments, inputs);
}

void Trend::add_chosen_terms(const std::vector<std::string>& names, const std::vector<std::string>& inputs) {
  for (const auto& name : names) {
    Term term{position_of(name, inputs), 1};
    if (term.input < 0 && name.ends_with("^2"))
      term = {position_of(trimmed(name.substr(0, name.size() - 2)), inputs), 2};
    if (term.input < 0) {
      throw Error(ErrorCode::usage, "the trend " + spec_ + " names '" + name + "', which is neither an input nor the " +
                                        "square (name^2) of one; the inputs are " + join(inputs, ", "));
    }
    const auto same = [&](const Term& other) { return other.input == term.input && other.power == term.power; };
    if (std::any_of(terms_.begin(), terms_.end(), same)) {
      throw Error(ErrorCode::usage, "the trend " + spec_ + " names '" + name + "' twice");
    }
    terms_.push_back(term);
  }
}

Matrix Trend::columns(MatrixView X_unit) const {
  Matrix H(X_unit.rows(), size());
  for (Index j = 0; j < size(); ++j) {
    const Term& term = terms_[static_cast<std::size_t>(j)];
    if (term.power == 0) {
      H.col(j).setOnes();
    } else {
      H.col(j) = X_unit.col(term.input);
      if (term.power == 2) H.col(j) = H.col(j).cwiseAbs2();
    }
  }
  return H;
}

}  // namespace ta2s2
