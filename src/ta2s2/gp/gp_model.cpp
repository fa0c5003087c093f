#include "ta2s2/gp/gp_model.hpp"

#include <algorithm>
#include <string>

#include "ta2s2/error.hpp"
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

GpModel::GpModel(Matrix X, Vector y, Trend trend, std::shared_ptr<const Covariance> covariance, Exponent exponent,
                 TrendPrior trend_prior, OutputTransform transform)
    : X_(std::move(X)),
      y_(std::move(y)),
      trend_(std::move(trend)),
      H_(trend_.columns(X_)),
      covariance_(std::move(covariance)),
      exponent_(exponent),
      trend_prior_(trend_prior),
      transform_(transform),
      num_flat_columns_(trend_prior == TrendPrior::flat ? H_.cols() : std::min<Index>(H_.cols(), 1)),
      trend_shares_(Vector::Ones(H_.cols())) {
  const double g = static_cast<double>(num_runs());
  trend_shares_.tail(H_.cols() - num_flat_columns_).setConstant(g / (1.0 + g));
  check();
}

Index GpModel::degrees_of_freedom() const {
  return num_runs() - (exponent_ == Exponent::model ? num_flat_columns_ : num_inputs());
}

double GpModel::transform_outputs(const Vector& parameters, Vector& outputs) const {
  outputs = y_;
  if (transform_.is_none()) return 0.0;
  for (double& output : outputs) output = transform_.at(output, parameters.data()).value;
  return log_jacobian(num_runs(), parameters);
}

double GpModel::log_jacobian(Index count, const Vector& parameters) const {
  if (transform_.is_none() || count == 0) return 0.0;
  double sum = 0.0;
  for (const double y : y_.head(count)) sum += transform_.at(y, parameters.data()).log_slope;
  return jacobian_share(count) * sum;
}

double GpModel::jacobian_share(Index count) const {
  return static_cast<double>(degrees_of_freedom() - (num_runs() - count)) / static_cast<double>(count);
}

Index GpModel::first_informative() const {
  constexpr Index kSpare = 5;  // degrees of freedom: two more than a model needs
  Index count = kSpare + (exponent_ == Exponent::paper ? num_inputs() : num_trend_columns());
  Matrix columns(num_runs(), num_trend_columns() + 1);
  columns << H_, y_;
  while (count < num_runs() && columns.topRows(count).colPivHouseholderQr().rank() < columns.cols()) ++count;
  return std::min(count, num_runs());
}

void GpModel::check() const {
  if (y_.size() != num_runs()) throw Error(ErrorCode::internal, "as many outputs as runs are needed");
  if (exponent_ == Exponent::paper && num_trend_columns() > 0) {
    throw Error(ErrorCode::usage,
                "the paper's exponent is stated for a zero mean: it needs the trend none, not " + trend_.spec());
  }
  if (!transform_.is_none() && num_trend_columns() == 0) {
    throw Error(ErrorCode::usage, "--transform " + transform_.name() +
                                      ": a transformed output has no natural zero; it needs a trend with a constant, "
                                      "not --trend none");
  }
  const bool paper = exponent_ == Exponent::paper;
  if ((paper ? degrees_of_freedom() : residual_rank()) <= 2) {
    const Index used = paper ? num_inputs() : num_trend_columns();
    throw Error(
        ErrorCode::bad_data,
        std::to_string(num_runs()) + " runs are too few: at least " + std::to_string(used + 3) + " are needed with " +
            (paper ? std::to_string(used) + " inputs under the paper's exponent" : "the trend " + trend_.spec()));
  }
  if (num_trend_columns() > 0 && H_.colPivHouseholderQr().rank() < num_trend_columns()) {
    throw Error(ErrorCode::bad_data, "the columns of the trend " + trend_.spec() +
                                         " depend linearly on one another at these runs: leave some out");
  }
}

}  // namespace ta2s2
