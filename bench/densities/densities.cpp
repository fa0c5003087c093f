#include "densities.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "quadrature.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::densities {

// ---- targets ----

FormulaTarget::FormulaTarget(Formula formula, Box box)
    : formula_(std::move(formula)), box_(std::move(box)), log_volume_((box_.high - box_.low).array().log().sum()) {}

std::vector<std::string> FormulaTarget::names() const {
  std::vector<std::string> names;
  for (Index k = 1; k <= dim(); ++k) names.push_back("x" + std::to_string(k));
  return names;
}

Energy FormulaTarget::energy_at(VectorView point, Vector* gradient) const {
  if (!(point.array() >= box_.low.array()).all() || !(point.array() <= box_.high.array()).all()) {
    return Energy::impossible(Impossible::outside_box);
  }
  const double h = formula_(point, gradient);
  if (!std::isfinite(h)) return Energy::impossible(Impossible::not_finite);
  return {log_volume_, h - log_volume_, Impossible::no};
}

void FormulaTarget::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  values_ += points.cols();
  for (Index i = 0; i < points.cols(); ++i) out[static_cast<std::size_t>(i)] = energy_at(points.col(i), nullptr);
}

Energy FormulaTarget::energy_and_gradient(VectorView point, Workspace&, Vector& gradient) const {
  ++gradients_;
  gradient = Vector::Zero(dim());
  return energy_at(point, &gradient);
}

std::string to_word(Group group) {
  switch (group) {
    case Group::chosen:
      return "chosen";
    case Group::confirm:
      return "confirm";
    case Group::apart:
      return "apart";
  }
  return "";
}

namespace {

const double kLog2Pi = std::log(2.0 * std::numbers::pi);

Box cube(Index d, double low, double high) {
  return {Vector::Constant(d, low), Vector::Constant(d, high)};
}

Density density(Formula formula, Box box, Truth truth) {
  return {std::make_shared<FormulaTarget>(std::move(formula), std::move(box)), std::move(truth)};
}

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Stream stream({seed, Purpose::design, 0, 0, 0});
  Matrix values(rows, columns);
  for (Index j = 0; j < columns; ++j) values.col(j) = draw_normals(stream, rows);
  return values;
}

// ---- one mode ----

Density gaussian(const Matrix& covariance, double mean, double half_width) {
  const Index d = covariance.rows();
  const Eigen::LLT<Matrix> factor(covariance);
  const Matrix precision = factor.solve(Matrix::Identity(d, d));
  const auto formula = [precision, mean](VectorView x, Vector* gradient) {
    const Vector centred = x.array() - mean;
    const Vector pull = precision.selfadjointView<Eigen::Lower>() * centred;
    if (gradient != nullptr) *gradient = pull;
    return 0.5 * centred.dot(pull);
  };
  const double log_root = factor.matrixL().toDenseMatrix().diagonal().array().log().sum();
  return density(formula, cube(d, -half_width, half_width),
                 {0.5 * static_cast<double>(d) * kLog2Pi + log_root, Vector::Constant(d, mean),
                  covariance.diagonal().cwiseSqrt()});
}

// Axes in any direction, standard deviations from 1 down to the root of 1 / condition, evenly by their logarithms.
Density ill_conditioned(Index d, double condition) {
  const Eigen::HouseholderQR<Matrix> qr(normal_matrix(d, d, 3));
  const Matrix axes = qr.householderQ();
  const Vector variances = Vector::LinSpaced(d, 0.0, -std::log(condition)).array().exp();
  const Matrix covariance = axes * variances.asDiagonal() * axes.transpose();
  Density found = gaussian(covariance, 0.3, 8.0);
  // The precision from its own eigenvalues: an inverse would lose half of the digits.
  const Matrix precision = axes * variances.cwiseInverse().asDiagonal() * axes.transpose();
  const auto formula = [precision](VectorView x, Vector* gradient) {
    const Vector centred = x.array() - 0.3;
    const Vector pull = precision.selfadjointView<Eigen::Lower>() * centred;
    if (gradient != nullptr) *gradient = pull;
    return 0.5 * centred.dot(pull);
  };
  found.truth.log_evidence = 0.5 * (static_cast<double>(d) * kLog2Pi + variances.array().log().sum());
  return density(formula, cube(d, -8.0, 8.0), found.truth);
}

Density equicorrelated(Index d) {
  constexpr double kCorrelation = 0.95;
  Matrix covariance = Matrix::Constant(d, d, kCorrelation);
  covariance.diagonal().setOnes();
  return gaussian(covariance, 0.0, 8.0);
}

Density laplace(Index d) {
  const auto formula = [](VectorView x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().sign();
    return x.cwiseAbs().sum();
  };
  return density(formula, cube(d, -30.0, 30.0),
                 {static_cast<double>(d) * std::log(2.0), Vector::Zero(d), Vector::Constant(d, std::sqrt(2.0))});
}

// All the mass leans on one corner of the box.
Density corner(Index d) {
  const auto formula = [](VectorView x, Vector* gradient) {
    if (gradient != nullptr) gradient->setOnes();
    return x.sum();
  };
  return density(formula, cube(d, 0.0, 30.0), {0.0, Vector::Ones(d), Vector::Ones(d)});
}

// Coefficients of correlated columns, and sigma, flat on a box of 30 standard deviations. Given sigma the coefficients
// are normal; sigma is integrated on a grid.
Density regression(Index d) {
  constexpr Index kRuns = 100;
  constexpr double kSds = 30.0, kLeastSigma = 1e-3;
  const Index q = d - 1;
  Matrix A = normal_matrix(kRuns, q, 8);
  for (Index k = 1; k < q; ++k) A.col(k) = 0.9 * A.col(0) + 0.44 * A.col(k);
  const Vector y = A * normal_matrix(q, 1, 9) + normal_matrix(kRuns, 1, 10);
  const Matrix normal_equations = A.transpose() * A;
  const Eigen::LLT<Matrix> factor(normal_equations);
  const Vector best = factor.solve(A.transpose() * y);
  const double residual = (y - A * best).squaredNorm();
  const auto n = static_cast<double>(kRuns), coefficients = static_cast<double>(q);
  const GridLaw sigma =
      on_grid([&](double s) { return -(n - coefficients) * std::log(s) - 0.5 * residual / (s * s); }, kLeastSigma, 5.0);
  const double mean_square = sigma.expectation([](double s) { return s * s; });
  Truth truth;
  truth.log_evidence = sigma.log_evidence - 0.5 * (n - coefficients) * kLog2Pi -
                       factor.matrixL().toDenseMatrix().diagonal().array().log().sum();
  truth.centre.resize(d);
  truth.spread.resize(d);
  truth.centre << best, sigma.mean();
  truth.spread << (mean_square * factor.solve(Matrix::Identity(q, q)).diagonal().array()).sqrt().matrix(), sigma.sd();
  Box box{truth.centre - kSds * truth.spread, truth.centre + kSds * truth.spread};
  Stream stream({11, Purpose::design, 0, 0, 0});
  for (Index k = 0; k < q; ++k) {  // the posterior is not in the middle
    box.low[k] += kSds * truth.spread[k] * (draw_uniform(stream) - 0.5);
  }
  box.low[q] = kLeastSigma;
  const auto formula = [A, y, n, q](VectorView x, Vector* gradient) {
    const double s = x[q];
    const Vector rest = y - A * x.head(q);
    const double squares = rest.squaredNorm();
    if (gradient != nullptr) {
      gradient->head(q) = -(A.transpose() * rest) / (s * s);
      (*gradient)[q] = n / s - squares / (s * s * s);
    }
    return n * std::log(s) + 0.5 * squares / (s * s) + 0.5 * n * kLog2Pi;
  };
  return density(formula, std::move(box), std::move(truth));
}

// A standard normal of which the box cuts off most, on one side or on both.
Density truncated_gaussian(Index d) {
  Box box = cube(d, -0.5, 4.0);
  for (Index k = 0; k < d; k += 2) {
    box.low[k] = 1.0;
    box.high[k] = 6.0;
  }
  for (Index k = 0; k < d; k += 3) {
    box.low[k] = -1.0;
    box.high[k] = 0.5;
  }
  Truth truth{0.5 * static_cast<double>(d) * kLog2Pi, Vector(d), Vector(d)};
  for (Index k = 0; k < d; ++k) {
    const TruncatedNormal law = truncated_normal(0.0, 1.0, box.low[k], box.high[k]);
    truth.log_evidence += std::log(law.mass);
    truth.centre[k] = law.mean;
    truth.spread[k] = std::sqrt(law.second_moment - law.mean * law.mean);
  }
  const auto formula = [](VectorView x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    return 0.5 * x.squaredNorm();
  };
  return density(formula, std::move(box), std::move(truth));
}

// Logarithms of exponential variables: one tail exponential, the other doubly so.
Density log_exponential(Index d) {
  const auto formula = [](VectorView x, Vector* gradient) {
    const Vector e = x.array().exp();
    if (gradient != nullptr) *gradient = e.array() - 1.0;
    return e.sum() - x.sum();
  };
  return density(formula, cube(d, -30.0, 6.0),
                 {0.0, Vector::Constant(d, boost::math::digamma(1.0)),
                  Vector::Constant(d, std::sqrt(boost::math::trigamma(1.0)))});
}

Density skew_normal(Index d) {
  constexpr double kShape = 5.0;
  const auto formula = [](VectorView x, Vector* gradient) {
    double h = 0.0;
    for (Index k = 0; k < x.size(); ++k) {
      const LogCdf cdf = log_normal_cdf(kShape * x[k]);
      h += 0.5 * x[k] * x[k] - cdf.value;
      if (gradient != nullptr) (*gradient)[k] = x[k] - kShape * cdf.slope;
    }
    return h;
  };
  const double delta = kShape / std::sqrt(1.0 + kShape * kShape), mean = delta * std::sqrt(2.0 / std::numbers::pi);
  return density(formula, cube(d, -8.0, 8.0),
                 {0.5 * static_cast<double>(d) * (kLog2Pi - std::log(4.0)), Vector::Constant(d, mean),
                  Vector::Constant(d, std::sqrt(1.0 - mean * mean))});
}

Density constant(Index d) {
  const auto formula = [](VectorView, Vector*) { return 0.0; };
  return density(formula, cube(d, -1.0, 3.0),
                 {static_cast<double>(d) * std::log(4.0), Vector::Ones(d), Vector::Constant(d, 4.0 / std::sqrt(12.0))});
}

// Half of the box is a gentle slope that ends in a cliff: exp(x / 10) / (1 + exp((x - 5) / 0.3)) on [0, 10].
Density plateau(Index d) {
  constexpr double kSlope = 0.1, kCliff = 5.0, kWidth = 0.3, kHigh = 10.0;
  const auto log_one = [](double x) {
    const double t = (x - kCliff) / kWidth;
    return kSlope * x - (t > 0.0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t)));
  };
  const auto formula = [log_one](VectorView x, Vector* gradient) {
    double h = 0.0;
    for (Index k = 0; k < x.size(); ++k) {
      h -= log_one(x[k]);
      if (gradient != nullptr) (*gradient)[k] = 1.0 / (kWidth * (1.0 + std::exp((kCliff - x[k]) / kWidth))) - kSlope;
    }
    return h;
  };
  const GridLaw law = on_grid(log_one, 0.0, kHigh);
  return density(
      formula, cube(d, 0.0, kHigh),
      {static_cast<double>(d) * law.log_evidence, Vector::Constant(d, law.mean()), Vector::Constant(d, law.sd())});
}

// ---- curved ----

// Pairs (a, c): a ~ N(0, 10^2) cut off at 5 sd, c ~ N(-0.03 (a^2 - 100), 1).
Density banana(Index d) {
  constexpr double kBend = 0.03, kSd = 10.0, kReach = 50.0;
  const auto formula = [](VectorView x, Vector* gradient) {
    double h = 0.0;
    for (Index k = 0; k + 1 < x.size(); k += 2) {
      const double a = x[k], rest = x[k + 1] + kBend * (a * a - kSd * kSd);
      h += 0.5 * (a * a / (kSd * kSd) + rest * rest);
      if (gradient != nullptr) {
        (*gradient)[k] = a / (kSd * kSd) + 2.0 * kBend * a * rest;
        (*gradient)[k + 1] = rest;
      }
    }
    return h;
  };
  const GridLaw a = on_grid([](double x) { return -0.5 * x * x / (kSd * kSd); }, -kReach, kReach);
  const double square = a.expectation([](double x) { return x * x; });
  const double fourth = a.expectation([](double x) { return x * x * x * x; });
  const double c_mean = -kBend * (square - kSd * kSd);
  const double c_sd = std::sqrt(1.0 + kBend * kBend * (fourth - square * square));
  const Index pairs = d / 2;
  Truth truth{static_cast<double>(pairs) * (a.log_evidence + 0.5 * kLog2Pi), Vector(d), Vector(d)};
  Box box{Vector(d), Vector(d)};
  for (Index k = 0; k < d; k += 2) {
    truth.centre.segment<2>(k) << 0.0, c_mean;
    truth.spread.segment<2>(k) << std::sqrt(square), c_sd;
    box.low.segment<2>(k) << -kReach, -80.0;
    box.high.segment<2>(k) << kReach, 20.0;
  }
  return density(formula, std::move(box), std::move(truth));
}

// log density -(1 - x)^2 - 100 (y - x^2)^2 on [-5, 5]^2, of which the upper wall cuts off the right arm.
Density rosenbrock() {
  constexpr double kWall = 5.0;
  const double sd = std::sqrt(0.005);
  const auto formula = [](VectorView x, Vector* gradient) {
    const double of_x = 1.0 - x[0], of_y = x[1] - x[0] * x[0];
    if (gradient != nullptr) *gradient << -2.0 * of_x - 400.0 * x[0] * of_y, 200.0 * of_y;
    return of_x * of_x + 100.0 * of_y * of_y;
  };
  const auto given = [sd](double x) { return truncated_normal(x * x, sd, -kWall, kWall); };
  const GridLaw law = on_grid(
      [&](double x) { return -(1.0 - x) * (1.0 - x) + std::log(std::max(given(x).mass, 1e-300)); }, -kWall, kWall);
  const double y_mean = law.expectation([&](double x) { return given(x).mean; });
  const double y_square = law.expectation([&](double x) { return given(x).second_moment; });
  Truth truth{law.log_evidence + 0.5 * kLog2Pi + std::log(sd), Vector(2), Vector(2)};
  truth.centre << law.mean(), y_mean;
  truth.spread << law.sd(), std::sqrt(y_square - y_mean * y_mean);
  return density(formula, cube(2, -kWall, kWall), std::move(truth));
}

// Of radius 2 and thickness 0.1 about centres on the first axis: a mixture of equal shells.
Density shells(Index d, const std::vector<double>& centres) {
  constexpr double kRadius = 2.0, kThickness = 0.1;
  const auto log_shell = [](double r) {
    const double t = (r - kRadius) / kThickness;
    return -0.5 * t * t - std::log(kThickness) - 0.5 * kLog2Pi;
  };
  const auto formula = [log_shell, centres](VectorView x, Vector* gradient) {
    double sum = 0.0;
    const auto distance = [&](double centre) {
      return std::sqrt(std::max(x.squaredNorm() + centre * (centre - 2.0 * x[0]), 1e-300));
    };
    double most = -kInfinity;
    for (const double centre : centres) most = std::max(most, log_shell(distance(centre)));
    if (gradient != nullptr) gradient->setZero();
    for (const double centre : centres) {
      const double r = distance(centre), share = std::exp(log_shell(r) - most);
      sum += share;
      if (gradient == nullptr) continue;
      Vector away = x;
      away[0] -= centre;
      *gradient += share * (r - kRadius) / (kThickness * kThickness * r) * away;
    }
    if (gradient != nullptr) *gradient /= sum;
    return -most - std::log(sum);
  };
  const auto dim = static_cast<double>(d), count = static_cast<double>(centres.size());
  const GridLaw radius = on_grid([&](double r) { return (dim - 1.0) * std::log(r) + log_shell(r); }, 1.0, 3.0);
  const double log_surface = std::log(2.0) + 0.5 * dim * std::log(std::numbers::pi) - std::lgamma(0.5 * dim);
  const double square = radius.expectation([](double r) { return r * r; }) / dim;
  Truth truth{std::log(count) + log_surface + radius.log_evidence, Vector::Zero(d),
              Vector::Constant(d, std::sqrt(square))};
  double centre_square = 0.0;
  for (const double centre : centres) centre_square += centre * centre / count;
  truth.spread[0] = std::sqrt(square + centre_square);
  if (count > 1.0) truth.mode = ModeTruth{0.5, [](VectorView x) { return x[0] > 0.0; }};
  return density(formula, cube(d, -6.0, 6.0), std::move(truth));
}

// ---- heavy tails: normal given a scale, and cut off at a box ----

// A coordinate that is N(0, s^2) given s, cut off at +- reach; the law of s is that of a grid.
struct ScaleMixture {
  const GridLaw& law;
  std::function<double(double)> scale;  // of a point of the grid
  double reach;

  double inside(double at) const { return std::erf(reach / (scale(at) * std::numbers::sqrt2)); }
  double sd() const {
    return std::sqrt(
        law.expectation([&](double at) { return truncated_normal(0.0, scale(at), -reach, reach).second_moment; }));
  }
  // Quartiles are symmetric.
  double interquartile_range() const {
    const auto above_median = [&](double x) {
      return law.expectation(
          [&](double at) { return 0.5 * std::erf(x / (scale(at) * std::numbers::sqrt2)) / inside(at); });
    };
    return 2.0 * solve_increasing(above_median, 0.25, 0.0, reach);
  }
};

Density student(Index d, double nu, double reach) {
  const auto dim = static_cast<double>(d);
  const auto formula = [nu, dim](VectorView x, Vector* gradient) {
    const double q = x.squaredNorm() / nu;
    if (gradient != nullptr) *gradient = (nu + dim) / (nu * (1.0 + q)) * x;
    return 0.5 * (nu + dim) * std::log1p(q);
  };
  // x = z / sqrt(e^t / nu) with e^t of chi-square.
  const auto scale = [nu](double t) { return std::sqrt(nu) * std::exp(-0.5 * t); };
  const auto log_chi_square = [nu](double t) {
    return 0.5 * nu * (t - std::log(2.0)) - 0.5 * std::exp(t) - std::lgamma(0.5 * nu);
  };
  const auto log_inside = [&](double t) { return std::log(std::erf(reach / (scale(t) * std::numbers::sqrt2))); };
  const GridLaw all = on_grid([&](double t) { return log_chi_square(t) + dim * log_inside(t); }, -40.0, 6.0);
  Truth truth;
  truth.log_evidence = all.log_evidence + std::lgamma(0.5 * nu) + 0.5 * dim * std::log(nu * std::numbers::pi) -
                       std::lgamma(0.5 * (nu + dim));
  truth.centre = Vector::Zero(d);
  const ScaleMixture coordinate{all, scale, reach};
  truth.has_heavy_tails = nu <= 2.0;
  truth.spread = Vector::Constant(d, truth.has_heavy_tails ? coordinate.interquartile_range() : coordinate.sd());
  return density(formula, cube(d, -reach, reach), std::move(truth));
}

// v ~ N(0, 3^2), the others N(0, e^v) given v.
Density funnel(Index d) {
  constexpr double kVariance = 9.0, kMost = 10.0, kReach = 100.0;
  const auto others = static_cast<double>(d - 1);
  const auto formula = [others](VectorView x, Vector* gradient) {
    const double v = x[0], e = std::exp(-v), squares = x.tail(x.size() - 1).squaredNorm();
    if (gradient != nullptr) {
      gradient->tail(x.size() - 1) = e * x.tail(x.size() - 1);
      (*gradient)[0] = v / kVariance - 0.5 * squares * e + 0.5 * others;
    }
    return 0.5 * (v * v / kVariance + squares * e + others * v);
  };
  const auto scale = [](double v) { return std::exp(0.5 * v); };
  const auto log_inside = [&](double v) { return std::log(std::erf(kReach / (scale(v) * std::numbers::sqrt2))); };
  const GridLaw v =
      on_grid([&](double at) { return -0.5 * at * at / kVariance + others * log_inside(at); }, -kMost, kMost);
  Truth truth{v.log_evidence + 0.5 * others * kLog2Pi, Vector::Zero(d), Vector(d), true};
  const auto quantile = [&](double p) {
    double sum = 0.0;
    Index i = 0;
    while (i < v.at.size() && sum + 0.5 * v.mass[i] < p) sum += v.mass[i++];
    return v.at[std::min(i, v.at.size() - 1)];
  };
  truth.centre[0] = quantile(0.5);
  truth.spread.setConstant(ScaleMixture{v, scale, kReach}.interquartile_range());
  truth.spread[0] = quantile(0.75) - quantile(0.25);
  Box box = cube(d, -kReach, kReach);
  box.low[0] = -kMost;
  box.high[0] = kMost;
  return density(formula, std::move(box), std::move(truth));
}

// ---- several modes ----

// Normals about points of the diagonal or elsewhere, all far enough from the walls.
struct RoundComponent {
  double weight;
  Vector mean;
  double sd;
};

Density round_mixture(const std::vector<RoundComponent>& components, double half_width, ModeTruth mode) {
  const Index d = components.front().mean.size();
  const auto dim = static_cast<double>(d);
  const auto formula = [components, dim](VectorView x, Vector* gradient) {
    Vector logs(static_cast<Index>(components.size()));
    for (Index c = 0; c < logs.size(); ++c) {
      const RoundComponent& one = components[static_cast<std::size_t>(c)];
      logs[c] = std::log(one.weight) - 0.5 * (x - one.mean).squaredNorm() / (one.sd * one.sd) -
                dim * (std::log(one.sd) + 0.5 * kLog2Pi);
    }
    const double most = logs.maxCoeff();
    const Vector shares = (logs.array() - most).exp();
    const double sum = shares.sum();
    if (gradient != nullptr) {
      gradient->setZero();
      for (Index c = 0; c < logs.size(); ++c) {
        const RoundComponent& one = components[static_cast<std::size_t>(c)];
        *gradient += shares[c] / (sum * one.sd * one.sd) * (x - one.mean);
      }
    }
    return -most - std::log(sum);
  };
  Truth truth{0.0, Vector::Zero(d), Vector::Zero(d)};
  Vector squares = Vector::Zero(d);
  for (const RoundComponent& one : components) {
    truth.centre += one.weight * one.mean;
    squares += one.weight * (one.mean.array().square() + one.sd * one.sd).matrix();
  }
  truth.spread = (squares - truth.centre.cwiseAbs2()).cwiseSqrt();
  truth.mode = std::move(mode);
  return density(formula, cube(d, -half_width, half_width), std::move(truth));
}

Density two_modes(Index d) {
  constexpr double kNarrow = 0.4;
  return round_mixture({{0.7, Vector::Constant(d, -3.0), 1.0}, {0.3, Vector::Constant(d, 3.0), kNarrow}}, 10.0,
                       {0.3, [](VectorView x) { return x.sum() > 0.0; }});
}

// A broad normal and, two of its standard deviations off in every coordinate, a narrow one with 0.3 of the mass.
Density spike(Index d, double sd) {
  const Vector place = Vector::Constant(d, 2.0);
  const double radius = sd * (std::sqrt(static_cast<double>(d)) + 4.0);  // holds all but 1e-4 of it
  return round_mixture({{0.7, Vector::Zero(d), 1.0}, {0.3, place, sd}}, 10.0,
                       {0.3, [place, radius](VectorView x) { return (x - place).norm() < radius; }});
}

Density four_modes(Index d) {
  std::vector<RoundComponent> components;
  for (const double first : {-4.0, 4.0}) {
    for (const double second : {-4.0, 4.0}) {
      Vector mean = Vector::Zero(d);
      mean.head<2>() << first, second;
      components.push_back({0.25, mean, 1.0});
    }
  }
  return round_mixture(components, 12.0, {0.25, [](VectorView x) { return x[0] > 0.0 && x[1] > 0.0; }});
}

// log density (2 + cos(x / 2) cos(y / 2))^5 on [0, 10 pi]^2: 18 narrow modes, 10 of them cut by walls. By the
// trapezoidal rule, which is exact to rounding here: the density is even about every wall.
Density eggbox() {
  const double side = 10.0 * std::numbers::pi;
  const auto formula = [](VectorView x, Vector* gradient) {
    const double base = 2.0 + std::cos(0.5 * x[0]) * std::cos(0.5 * x[1]);
    if (gradient != nullptr) {
      const double slope = 2.5 * std::pow(base, 4);
      *gradient << slope * std::sin(0.5 * x[0]) * std::cos(0.5 * x[1]),
          slope * std::cos(0.5 * x[0]) * std::sin(0.5 * x[1]);
    }
    return -std::pow(base, 5);
  };
  constexpr Index kCells = 2000;
  constexpr double kMost = 243.0;
  double sum = 0.0, of_x = 0.0, of_square = 0.0, below = 0.0;
  for (Index i = 0; i <= kCells; ++i) {
    const double x = side * static_cast<double>(i) / kCells;
    double along_y = 0.0;
    for (Index j = 0; j <= kCells; ++j) {
      const double y = side * static_cast<double>(j) / kCells;
      const double share = j == 0 || j == kCells ? 0.5 : 1.0;
      along_y += share * std::exp(std::pow(2.0 + std::cos(0.5 * x) * std::cos(0.5 * y), 5) - kMost);
    }
    along_y *= i == 0 || i == kCells ? 0.5 : 1.0;
    sum += along_y;
    of_x += along_y * x;
    of_square += along_y * x * x;
    if (x < 0.3 * side) below += along_y;
  }
  const double cell = side / kCells, mean = of_x / sum;
  Truth truth{kMost + std::log(sum * cell * cell), Vector::Constant(2, mean),
              Vector::Constant(2, std::sqrt(of_square / sum - mean * mean))};
  truth.mode = ModeTruth{below / sum, [side](VectorView x) { return x[0] < 0.3 * side; }};
  return density(formula, cube(2, 0.0, side), std::move(truth));
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& family, Group group, const std::vector<Index>& dims,
                       const std::function<Density(Index)>& make) {
    for (const Index d : dims) {
      cases.push_back({family + "_d" + std::to_string(d), d, group, [make, d] { return make(d); }});
    }
  };
  const auto both = [&](const std::string& family, const std::vector<Index>& chosen, const std::vector<Index>& confirm,
                        const std::function<Density(Index)>& make) {
    add(family, Group::chosen, chosen, make);
    add(family, Group::confirm, confirm, make);
  };
  both("gauss1e6", {10, 20, 30}, {15, 25}, [](Index d) { return ill_conditioned(d, 1e6); });
  both("gauss1e8", {10, 20, 30}, {15, 25}, [](Index d) { return ill_conditioned(d, 1e8); });
  both("laplace", {10, 30}, {20}, laplace);
  both("corner", {10, 30}, {15}, corner);
  both("regression", {5, 10}, {8}, regression);
  both("shells", {5, 20, 30}, {10}, [](Index d) { return shells(d, {3.5, -3.5}); });
  both("banana", {4, 10, 20}, {6}, banana);
  both("student2", {5, 10, 20}, {8}, [](Index d) { return student(d, 2.0, 200.0); });
  both("funnel", {5, 10}, {6}, funnel);
  both("two_modes", {5}, {3, 6}, two_modes);
  add("truncated", Group::confirm, {10, 20}, truncated_gaussian);
  add("equicorrelated", Group::confirm, {2, 12}, equicorrelated);
  add("log_exponential", Group::confirm, {5, 15}, log_exponential);
  add("four_modes", Group::confirm, {2, 5, 10}, four_modes);
  add("eggbox", Group::confirm, {2}, [](Index) { return eggbox(); });
  add("rosenbrock", Group::confirm, {2}, [](Index) { return rosenbrock(); });
  add("shell", Group::confirm, {3}, [](Index d) { return shells(d, {0.0}); });
  add("student5", Group::confirm, {10}, [](Index d) { return student(d, 5.0, 100.0); });
  add("skew_normal", Group::confirm, {20}, skew_normal);
  add("constant", Group::confirm, {5}, constant);
  add("plateau", Group::confirm, {10}, plateau);
  add("two_modes", Group::apart, {8}, two_modes);
  add("spike", Group::apart, {2, 5}, [](Index d) { return spike(d, 0.05); });
  add("needle", Group::apart, {2, 5}, [](Index d) { return spike(d, 0.005); });
  return cases;
}

}  // namespace ta2s2::densities
