// Laws that every prior of the lists obeys: STYLE section 16.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "finite_difference.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/output_transform.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// One prior of one coordinate, with the log Jacobian that it must carry; a normal coordinate has none.
struct Case {
  std::string name;
  std::shared_ptr<const Prior> prior;
  Interval box;
  double (*log_jacobian)(double);
};

double log_phi_jacobian(double z) {
  return z;
}

PriorContext one_input(Interval box) {
  return {20, 1, {"a"}, box};
}

// Of shapes and transformations, and one whose box cuts off most of its mass.
std::vector<NormalCoordinate> normal_coordinates() {
  std::vector<NormalCoordinate> all = {{"cut", {0.3, 1.1}, -0.5, 0.7}};
  for (const auto& spec : covariance_examples()) {
    if (const auto shape = make_covariance(spec)->shape()) all.push_back(*shape);
  }
  for (const auto& name : transform_names()) {
    const OutputTransform transform = OutputTransform::from(name, Vector{{1.0, 2.0, 4.0}}, 0.0);
    all.insert(all.end(), transform.coordinates().begin(), transform.coordinates().end());
  }
  return all;
}

std::vector<Case> proper_cases() {
  std::vector<Case> cases;
  // The second box cuts off part of every prior; the third is the widest that goes with one.
  for (const Interval box : {Interval{-7.0, 7.0}, Interval{-2.5, 1.5}, Interval{-7.0, 100.0}}) {
    for (const auto& spec : length_scale_prior_examples()) {
      std::shared_ptr<const Prior> prior = make_length_scale_prior(spec, one_input(box));
      if (prior->is_proper()) cases.push_back({spec, prior, box, log_phi_jacobian});
    }
  }
  for (const Interval box : {Interval{-35.0, 10.0}, Interval{-12.0, 0.5}}) {
    for (const auto& spec : nugget_prior_examples()) {
      const NuggetPrior nugget = make_nugget_prior(spec, box);
      if (nugget.prior) cases.push_back({"nugget " + spec, nugget.prior, box, log_nugget_jacobian});
    }
  }
  for (const NormalCoordinate& coordinate : normal_coordinates()) {
    cases.push_back({coordinate.name, make_normal_prior({coordinate}), coordinate.box, nullptr});
  }
  return cases;
}

// Midpoint cells: smooth densities are then exact to h^2, one that jumps (uniform on less than the box) to h
// times the jump: 45 / 400000 = 1.1e-4 on the widest box, and no density of the list exceeds 1.
constexpr int kCells = 400000;
constexpr double kQuadrature = 2e-4;

double cell_centre(const Interval& box, int i) {
  return box.low + box.width() * (i + 0.5) / kCells;
}

double integral(const Interval& box, const std::function<double(double)>& log_density) {
  double sum = 0.0;
  for (int i = 0; i < kCells; ++i) sum += std::exp(log_density(cell_centre(box, i)));
  return sum * box.width() / kCells;
}

double log_density_at(const Prior& prior, double z) {
  return prior.log_density(Vector::Constant(1, z));
}

TEST(PriorContract, IntegratesToOneOnTheBox) {
  for (const Case& c : proper_cases()) {
    const double mass = integral(c.box, [&](double z) { return log_density_at(*c.prior, z); });
    EXPECT_NEAR(mass, 1.0, kQuadrature) << c.name;
    EXPECT_EQ(c.prior->log_mass_error(), 0.0) << c.name;  // one coordinate: always exact
  }
}

// The mutants of the test above: a Jacobian left out, or counted twice.
TEST(PriorContract, AMissingOrDoubledJacobianIsCaught) {
  for (const Case& c : proper_cases()) {
    if (c.log_jacobian == nullptr) continue;
    for (const double sign : {-1.0, 1.0}) {
      const double mass =
          integral(c.box, [&](double z) { return log_density_at(*c.prior, z) + sign * c.log_jacobian(z); });
      EXPECT_GT(std::abs(mass - 1.0), 50 * kQuadrature) << c.name;
    }
  }
}

TEST(PriorContract, IsZeroOutsideTheBox) {
  for (const Case& c : proper_cases()) {
    EXPECT_EQ(log_density_at(*c.prior, c.box.low - 0.01), -kInfinity) << c.name;
    EXPECT_EQ(log_density_at(*c.prior, c.box.high + 0.01), -kInfinity) << c.name;
  }
}

// Densities are right to rounding, some 1e-14, and quotients over steps of 0.01 to 1e-11; the truncated terms, of order
// 1e-12, are multiplied by a seventh derivative that e^z makes as large as the density's slope itself.
constexpr double kSlopeStep = 0.01, kSlope = 1e-8;

// Where a step leaves the support, or crosses the peak of log-laplace, there is no derivative to compare with.
bool has_smooth_surroundings(const Prior& prior, double z) {
  for (const double offset : {-kSlopeStep, 0.0, kSlopeStep}) {
    if (!std::isfinite(log_density_at(prior, z + offset))) return false;
  }
  return !prior.spec().starts_with("log-laplace(-1,") || std::abs(z + 1.0) > kSlopeStep;
}

double slope_at(const Prior& prior, double z) {
  Vector gradient(1);
  prior.log_density_gradient(Vector::Constant(1, z), gradient);
  return gradient[0];
}

// The largest difference over the box between the prior's slope, plus `mistake`, and its density's, relative to the
// latter where that exceeds one.
double worst_slope(const Case& c, const std::function<double(double)>& mistake) {
  double worst = 0.0;
  for (int i = 1; i < 60; ++i) {
    const double z = c.box.low + c.box.width() * i / 60.0;
    if (!has_smooth_surroundings(*c.prior, z)) continue;
    const double expected = test::derivative([&](double at) { return log_density_at(*c.prior, at); }, z, kSlopeStep);
    const double error = std::abs(slope_at(*c.prior, z) + mistake(z) - expected);
    worst = std::max(worst, error / std::max(1.0, std::abs(expected)));
  }
  return worst;
}

TEST(PriorContract, GradientIsThatOfTheDensity) {
  for (const Case& c : proper_cases()) {
    ASSERT_TRUE(c.prior->has_gradient()) << c.name;
    EXPECT_LT(worst_slope(c, [](double) { return 0.0; }), kSlope) << c.name;
  }
}

// The mutant of the test above: a gradient that forgets the Jacobian.
TEST(PriorContract, AGradientWithoutTheJacobianIsCaught) {
  for (const Case& c : proper_cases()) {
    if (c.log_jacobian == nullptr) continue;
    const auto forgotten = [&](double z) { return -test::derivative(c.log_jacobian, z, kSlopeStep); };
    EXPECT_GT(worst_slope(c, forgotten), 1e3 * kSlope) << c.name;
  }
}

TEST(PriorContract, GradientInSeveralInputs) {
  const Vector z{{-1.2, 0.3, 2.0}};
  for (const auto& spec : length_scale_prior_examples()) {
    const auto prior = make_length_scale_prior(spec, {30, 1, {"a", "b", "c"}, {-7.0, 7.0}});
    EXPECT_EQ(prior->has_gradient(), prior->needs_information() == InformationOver::nothing) << spec;
    if (!prior->has_gradient()) continue;
    Vector found(3);
    prior->log_density_gradient(z, found);
    const Vector expected = test::gradient([&](const Vector& at) { return prior->log_density(at); }, z, kSlopeStep);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), kSlope * std::max(1.0, expected.cwiseAbs().maxCoeff())) << spec;
  }
}

TEST(PriorContract, DrawsMatchTheDensity) {
  const int count = 5000;
  for (const Case& c : proper_cases()) {
    std::vector<double> draws;
    double sum = 0.0;
    Stream stream({.seed = 2, .purpose = Purpose::start_point});
    for (int i = 0; i < count; ++i) {
      draws.push_back(c.prior->draw(stream)[0]);
      ASSERT_TRUE(c.box.contains(draws.back())) << c.name;
      sum += draws.back();
    }
    std::sort(draws.begin(), draws.end());
    double cdf = 0.0, mean = 0.0, second = 0.0, distance = 0.0;
    std::size_t below = 0;
    for (int i = 0; i < kCells; ++i) {
      const double z = cell_centre(c.box, i), part = std::exp(log_density_at(*c.prior, z)) * c.box.width() / kCells;
      cdf += part;
      mean += part * z;
      second += part * z * z;
      while (below < draws.size() && draws[below] <= z + 0.5 * c.box.width() / kCells) ++below;
      distance = std::max(distance, std::abs(static_cast<double>(below) / count - cdf));
    }
    // Kolmogorov: P(D > 2.9 / sqrt(N)) = 2 exp(-2 * 2.9^2) = 1e-7, over some thirty cases.
    EXPECT_LT(distance, 2.9 / std::sqrt(count) + kQuadrature) << c.name;
    const double sd = std::sqrt(second - mean * mean);
    // The quadrature's error in the mean is at most that of the mass times the box's half width.
    EXPECT_NEAR(sum / count, mean, 5.0 * sd / std::sqrt(count) + kQuadrature * c.box.width()) << c.name;
  }
}

TEST(PriorContract, SpecReadsBackAsTheSamePrior) {
  for (const auto& spec : length_scale_prior_examples()) {
    const auto prior = make_length_scale_prior(spec, one_input({-7.0, 7.0}));
    EXPECT_EQ(prior->spec(), spec);
    const auto again = make_length_scale_prior(prior->spec(), one_input({-7.0, 7.0}));
    if (prior->needs_information() == InformationOver::nothing) {
      EXPECT_EQ(log_density_at(*prior, -0.3), log_density_at(*again, -0.3));
    }
  }
  for (const auto& spec : nugget_prior_examples()) EXPECT_EQ(make_nugget_prior(spec).spec, spec);
}

TEST(PriorContract, DimensionFollowsTheInputs) {
  for (const auto& spec : length_scale_prior_examples()) {
    const auto prior = make_length_scale_prior(spec, {30, 1, {"a", "b", "c"}, {-7.0, 7.0}});
    EXPECT_EQ(prior->dim(), prior->covers_nugget() ? 4 : 3) << spec;
    if (!prior->is_proper()) continue;
    Stream stream({.seed = 1, .purpose = Purpose::start_point});
    EXPECT_EQ(prior->draw(stream).size(), 3) << spec;
  }
}

// The mutants of normal coordinates: a mean off by a tenth, and a density that is not cut to the box.
TEST(PriorContract, AWrongNormalIsCaught) {
  const NormalCoordinate cut = normal_coordinates().front();
  const auto prior = make_normal_prior({cut});
  NormalCoordinate moved = cut, open = cut;
  moved.mean += 0.1;
  open.box = {-8.0, 7.0};
  const auto wrong = make_normal_prior({moved}), whole = make_normal_prior({open});
  EXPECT_GT(std::abs(slope_at(*wrong, 0.7) - slope_at(*prior, 0.7)), 1e3 * kSlope);
  EXPECT_GT(std::abs(integral(cut.box, [&](double z) { return log_density_at(*whole, z); }) - 1.0), 50 * kQuadrature);
}

TEST(PriorContract, NormalCoordinatesAreIndependent) {
  const auto coordinates = normal_coordinates();
  const auto all = make_normal_prior(coordinates);
  EXPECT_EQ(all->dim(), static_cast<Index>(coordinates.size()));
  Stream stream({.seed = 2, .purpose = Purpose::start_point});
  const Vector z = all->draw(stream);
  Vector gradient(all->dim());
  all->log_density_gradient(z, gradient);
  double sum = 0.0;
  for (Index i = 0; i < z.size(); ++i) {
    const auto one = make_normal_prior({coordinates[static_cast<std::size_t>(i)]});
    sum += log_density_at(*one, z[i]);
    EXPECT_EQ(gradient[i], slope_at(*one, z[i]));
  }
  EXPECT_NEAR(all->log_density(z), sum, 1e-13);
}

// Where nothing sets the inputs apart, neither does the prior.
TEST(PriorContract, TreatsInputsAlike) {
  for (const auto& spec : length_scale_prior_examples()) {
    const auto prior = make_length_scale_prior(spec, {30, 1, {"a", "b", "c"}, {-7.0, 7.0}});
    if (prior->needs_information() != InformationOver::nothing) continue;
    const double here = prior->log_density(Vector{{-1.0, 0.3, 2.0}});
    EXPECT_NEAR(here, prior->log_density(Vector{{2.0, -1.0, 0.3}}), 1e-13) << spec;
  }
}

std::vector<std::unique_ptr<Prior>> priors_of(const PriorContext& context) {
  std::vector<std::unique_ptr<Prior>> priors;
  for (const auto& spec : length_scale_prior_examples()) {
    auto prior = make_length_scale_prior(spec, context);
    if (prior->needs_information() == InformationOver::nothing) priors.push_back(std::move(prior));
  }
  FunctionPrior flat;
  flat.log_density_of_phi = [](VectorView) { return 0.0; };
  priors.push_back(make_length_scale_prior(flat, context));
  priors.push_back(
      make_normal_prior(std::vector<NormalCoordinate>(context.inputs.size(), {"z", {-7.0, 7.0}, 0.5, 2.0})));
  return priors;
}

// How often a function of a point changes a bit when the point is kept elsewhere. Eigen sums a vector in memory from
// its first aligned element on.
int bits_that_depend_on_the_address(Index p, const std::function<Vector(VectorView)>& function) {
  constexpr int kPoints = 200, kPlaces = 8;
  Stream stream({.seed = 6, .purpose = Purpose::start_point});
  Vector memory(p + kPlaces);
  int changed = 0;
  for (int i = 0; i < kPoints; ++i) {
    Vector z(p);
    for (Index d = 0; d < p; ++d) z[d] = -7.0 + 14.0 * draw_uniform(stream);
    const Vector here = function(z);
    for (Index place = 0; place < kPlaces; ++place) {
      memory.segment(place, p) = z;
      if (function(memory.segment(place, p)) != here) ++changed;
    }
  }
  return changed;
}

TEST(PriorContract, DoesNotDependOnWhereAPointIsKept) {
  for (const Index p : {1, 2, 5, 10, 20}) {
    for (const auto& prior : priors_of({100, 1, std::vector<std::string>(static_cast<std::size_t>(p), "x"), {-7, 7}})) {
      const auto density = [&](VectorView z) { return Vector::Constant(1, prior->log_density(z)).eval(); };
      EXPECT_EQ(bits_that_depend_on_the_address(p, density), 0) << prior->spec() << " " << p;
      if (!prior->has_gradient()) continue;
      const auto gradient = [&](VectorView z) {
        Vector out(p);
        prior->log_density_gradient(z, out);
        return out;
      };
      EXPECT_EQ(bits_that_depend_on_the_address(p, gradient), 0) << prior->spec() << " " << p;
    }
  }
}

// The mutant of the test above: Eigen's sum of a view.
TEST(PriorContract, ASumThatDependsOnTheAddressIsCaught) {
  EXPECT_GT(bits_that_depend_on_the_address(10, [](VectorView z) { return Vector::Constant(1, z.sum()).eval(); }), 0);
}

}  // namespace
}  // namespace ta2s2
