#include "ta2s2/predictive/input_distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {
namespace {

using Numbers = std::vector<double>;
using GaussLegendre = boost::math::quadrature::gauss<double, 10>;

// Four panels of ten nodes: a wave of twelve periods over the range, or a length-scale of a twentieth of it, is
// integrated to six digits and more.
constexpr Index kNumPanels = 4;
constexpr Index kNodesPerPanel = 10;

// Weights 1 on [low, high], in equal panels.
Quadrature legendre(double low, double high, Index panels) {
  Quadrature rule{Vector(panels * kNodesPerPanel), Vector(panels * kNodesPerPanel), kNodesPerPanel};
  const double half = 0.5 * (high - low) / static_cast<double>(panels);
  Index next = 0;
  for (Index panel = 0; panel < panels; ++panel) {
    const double middle = low + half * static_cast<double>(2 * panel + 1);
    for (std::size_t i = 0; i < GaussLegendre::abscissa().size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        rule.nodes[next] = middle + side * half * GaussLegendre::abscissa()[i];
        rule.weights[next++] = half * GaussLegendre::weights()[i];
      }
    }
  }
  return rule;
}

// What the rule leaves out, tails and rounding, is shared out by the weights.
template <typename Density>
Quadrature weighted(Quadrature rule, const Density& density) {
  for (Index i = 0; i < rule.nodes.size(); ++i) rule.weights[i] *= density(rule.nodes[i]);
  rule.weights /= rule.weights.sum();
  return rule;
}

Quadrature joined(const Quadrature& first, const Quadrature& second) {
  Quadrature both{Vector(first.nodes.size() + second.nodes.size()), Vector(first.nodes.size() + second.nodes.size()),
                  first.panel_size};
  both.nodes << first.nodes, second.nodes;
  both.weights << first.weights, second.weights;
  return both;
}

// How far x is outside of a panel's nodes, in widths of the panel; an empty one is never near.
double distance_to(VectorView panel, double x) {
  const double low = panel.minCoeff(), high = panel.maxCoeff();
  return high > low ? std::max({low - x, x - high, 0.0}) / (high - low) : kInfinity;
}

// The barycentric formula (Berrut and Trefethen 2004).
Eigen::RowVectorXd polynomial_at(VectorView nodes, double x) {
  const Index count = nodes.size();
  const double width = nodes.maxCoeff() - nodes.minCoeff();
  Eigen::RowVectorXd terms(count);
  for (Index i = 0; i < count; ++i) {
    if (x == nodes[i]) return Eigen::RowVectorXd::Unit(count, i);
    double product = (x - nodes[i]) / width;
    for (Index k = 0; k < count; ++k) product *= k == i ? 1.0 : (nodes[i] - nodes[k]) / width;
    terms[i] = 1.0 / product;
  }
  return terms / terms.sum();
}

void require_order(double low, double high, const std::string& what) {
  if (low < high) return;
  throw Error(ErrorCode::usage,
              what + ": found " + format_number(low) + " before " + format_number(high) + ", expected rising numbers");
}

double share_between(double below_low, double below_high) {
  return std::max(0.0, below_high - below_low);
}

class Uniform final : public InputDistribution {
 public:
  Uniform(double low, double high) : low_(low), high_(high) { require_order(low, high, "uniform(low,high)"); }

  std::string spec() const override { return format_spec("uniform", {low_, high_}); }
  double quantile(double share) const override { return low_ + share * (high_ - low_); }
  double share_within(double low, double high) const override { return share_between(below(low), below(high)); }
  Quadrature quadrature() const override {
    return weighted(legendre(low_, high_, kNumPanels), [](double) { return 1.0; });
  }
  double shown_low() const override { return low_; }
  double shown_high() const override { return high_; }

 private:
  double below(double x) const { return std::clamp((x - low_) / (high_ - low_), 0.0, 1.0); }

  double low_, high_;
};

class LogUniform final : public InputDistribution {
 public:
  LogUniform(double low, double high) : low_(low), high_(high) {
    require_positive(low, "the first number of log-uniform(low,high)");
    require_order(low, high, "log-uniform(low,high)");
  }

  std::string spec() const override { return format_spec("log-uniform", {low_, high_}); }
  double quantile(double share) const override { return low_ * std::pow(high_ / low_, share); }
  double share_within(double low, double high) const override { return share_between(below(low), below(high)); }
  Quadrature quadrature() const override {
    Quadrature rule = legendre(0.0, 1.0, kNumPanels);
    for (double& node : rule.nodes) node = quantile(node);
    return weighted(std::move(rule), [](double) { return 1.0; });
  }
  double shown_low() const override { return low_; }
  double shown_high() const override { return high_; }

 private:
  double below(double x) const { return std::log(std::clamp(x, low_, high_) / low_) / std::log(high_ / low_); }

  double low_, high_;
};

// On [low, high], which may be the whole line.
class Normal final : public InputDistribution {
 public:
  Normal(double mean, double sd) : Normal(mean, sd, -kFar, kFar, {mean, sd}) {}
  Normal(double mean, double sd, double low, double high)
      : Normal(mean, sd, standardise(low, mean, sd), standardise(high, mean, sd), {mean, sd, low, high}) {
    require_order(low, high, "the range of normal(mean,sd,low,high)");
    if (low_ >= kFar || high_ <= -kFar) {
      throw Error(ErrorCode::usage, spec() + ": found a range more than " + format_number(kFar) +
                                        " standard deviations from the mean, expected one that it reaches");
    }
  }

  std::string spec() const override { return format_spec("normal", numbers_); }
  double quantile(double share) const override {
    const double below_low = boost::math::cdf(normal_, low_), mass = boost::math::cdf(normal_, high_) - below_low;
    // In the upper half from above, where a share close to one has lost its digits.
    const double below = below_low + share * mass;
    const double above = boost::math::cdf(boost::math::complement(normal_, high_)) + (1.0 - share) * mass;
    const double z = below < 0.5 ? boost::math::quantile(normal_, below)
                                 : boost::math::quantile(boost::math::complement(normal_, above));
    return mean_ + sd_ * std::clamp(z, low_, high_);
  }
  double share_within(double low, double high) const override {
    return share_between(below(standardise(low, mean_, sd_)), below(standardise(high, mean_, sd_)));
  }
  Quadrature quadrature() const override {
    Quadrature rule = weighted(legendre(low_, high_, kNumPanels), [](double z) { return std::exp(-0.5 * z * z); });
    rule.nodes = mean_ + sd_ * rule.nodes.array();
    return rule;
  }
  double shown_low() const override { return mean_ + sd_ * std::max(low_, -kShown); }
  double shown_high() const override { return mean_ + sd_ * std::min(high_, kShown); }

 private:
  static constexpr double kFar = 7.0;  // standard deviations; 3e-12 lies beyond
  static constexpr double kShown = 3.0;

  Normal(double mean, double sd, double low, double high, Numbers numbers)
      : mean_(mean), sd_(sd), low_(std::max(low, -kFar)), high_(std::min(high, kFar)), numbers_(std::move(numbers)) {
    require_positive(sd, "the standard deviation of normal(mean,sd)");
  }
  static double standardise(double x, double mean, double sd) { return (x - mean) / sd; }
  double below(double z) const {
    const double below_low = boost::math::cdf(normal_, low_), mass = boost::math::cdf(normal_, high_) - below_low;
    return (boost::math::cdf(normal_, std::clamp(z, low_, high_)) - below_low) / mass;
  }

  double mean_, sd_;
  double low_, high_;  // in standard deviations from the mean
  Numbers numbers_;
  boost::math::normal normal_;
};

class Triangular final : public InputDistribution {
 public:
  Triangular(double low, double mode, double high) : low_(low), mode_(mode), high_(high) {
    if (low <= mode && mode <= high && low < high) return;
    throw Error(ErrorCode::usage, spec() + ": expected low <= mode <= high, and low < high");
  }

  std::string spec() const override { return format_spec("triangular", {low_, mode_, high_}); }
  double quantile(double share) const override { return boost::math::quantile(law(), share); }
  double share_within(double low, double high) const override { return share_between(below(low), below(high)); }
  // Smooth on either side of the mode; a side may be empty.
  Quadrature quadrature() const override {
    return weighted(joined(legendre(low_, mode_, kNumPanels / 2), legendre(mode_, high_, kNumPanels / 2)),
                    [&](double x) { return boost::math::pdf(law(), x); });
  }
  double shown_low() const override { return low_; }
  double shown_high() const override { return high_; }

 private:
  boost::math::triangular law() const { return boost::math::triangular(low_, mode_, high_); }
  double below(double x) const { return boost::math::cdf(law(), std::clamp(x, low_, high_)); }

  double low_, mode_, high_;
};

// Each value as likely as any other; one that is there twice counts twice.
class Values final : public InputDistribution {
 public:
  explicit Values(Numbers values) : values_(std::move(values)) { std::sort(values_.begin(), values_.end()); }

  std::string spec() const override { return format_spec("values", values_); }
  double quantile(double share) const override {
    const auto place = static_cast<std::size_t>(share * static_cast<double>(values_.size()));
    return values_[std::min(place, values_.size() - 1)];
  }
  double share_within(double low, double high) const override {
    const auto within = std::count_if(values_.begin(), values_.end(), [&](double x) { return x >= low && x <= high; });
    return static_cast<double>(within) / static_cast<double>(values_.size());
  }
  Quadrature quadrature() const override {
    const auto count = static_cast<Index>(values_.size());
    return {Eigen::Map<const Vector>(values_.data(), count), Vector::Constant(count, 1.0 / static_cast<double>(count))};
  }
  double shown_low() const override { return values_.front(); }
  double shown_high() const override { return values_.back(); }

 private:
  Numbers values_;
};

template <typename Distribution, typename... Arguments>
std::unique_ptr<InputDistribution> made(Arguments... arguments) {
  return std::make_unique<Distribution>(arguments...);
}

const std::vector<Choice<InputDistribution>>& choices() {
  static const std::vector<Choice<InputDistribution>> list = {
      {"uniform(low,high)", 2, "uniform(0,1)", [](const Numbers& a) { return made<Uniform>(a[0], a[1]); }},
      {"log-uniform(low,high)", 2, "log-uniform(1,100)", [](const Numbers& a) { return made<LogUniform>(a[0], a[1]); }},
      {"normal(mean,sd)", 2, "normal(0,1)", [](const Numbers& a) { return made<Normal>(a[0], a[1]); }},
      {"normal(mean,sd,low,high)", 4, "normal(0,1,-2,2)",
       [](const Numbers& a) { return made<Normal>(a[0], a[1], a[2], a[3]); }},
      {"triangular(low,mode,high)", 3, "triangular(0,0.2,1)",
       [](const Numbers& a) { return made<Triangular>(a[0], a[1], a[2]); }},
  };
  return list;
}

constexpr std::size_t kMostValues = 100;
constexpr const char* kValuesForm = "values(a,b,...)";

std::unique_ptr<InputDistribution> find_values(const std::string& text) {
  const std::optional<ParsedSpec> spec = parse_spec(text);
  if (!spec || spec->name != "values" || spec->arguments.empty()) return nullptr;
  if (spec->arguments.size() > kMostValues) {
    throw Error(ErrorCode::usage, "values(...): found " + std::to_string(spec->arguments.size()) +
                                      " numbers, expected at most " + std::to_string(kMostValues));
  }
  Numbers numbers;
  for (const std::string& argument : spec->arguments) numbers.push_back(parse_number(argument, kValuesForm));
  return std::make_unique<Values>(std::move(numbers));
}

}  // namespace

Matrix interpolation(const Quadrature& rule, VectorView values) {
  const Index count = rule.nodes.size(), size = rule.panel_size;
  Matrix all = Matrix::Zero(values.size(), count);
  for (Index i = 0; i < values.size(); ++i) {
    Index best = 0;
    if (size == 0) {
      (rule.nodes.array() - values[i]).abs().minCoeff(&best);
      all(i, best) = 1.0;
      continue;
    }
    const auto distance = [&](Index first) { return distance_to(rule.nodes.segment(first, size), values[i]); };
    for (Index first = size; first < count; first += size) best = distance(first) < distance(best) ? first : best;
    all.row(i).segment(best, size) = polynomial_at(rule.nodes.segment(best, size), values[i]);
  }
  return all;
}

std::shared_ptr<const InputDistribution> make_input_distribution(const std::string& spec) {
  if (auto values = find_values(spec)) return values;
  if (auto found = find_choice(spec, choices())) return found;
  throw unknown_choice("distribution", spec, input_distribution_names());
}

std::shared_ptr<const InputDistribution> make_uniform_input(double low, double high) {
  return std::make_shared<Uniform>(low, high);
}

std::shared_ptr<const InputDistribution> make_log_uniform_input(double low, double high) {
  return std::make_shared<LogUniform>(low, high);
}

std::vector<std::string> input_distribution_names() {
  std::vector<std::string> names = forms(choices());
  names.push_back(kValuesForm);
  return names;
}

}  // namespace ta2s2
