// coverage_band: how often the binomial law calls the coverage of a right emulator unlikely. The law takes runs for
// independent; left-out and validation runs share one emulator. Data sets are drawn from a Gaussian process, and each
// is predicted by the process that made it, so that nothing but chance moves the coverage.
#include <CLI/CLI.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <functional>
#include <iostream>

#include "ta2s2/data/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/linalg/cholesky.hpp"
#include "ta2s2/report/detail/binomial_band.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

struct Options {
  Index runs = 20, inputs = 2, validation = 100, data_sets = 4000;
  double length = 0.5;  // length-scale, in widths of an input's range
  double nugget = 1e-6;
  std::uint64_t seed = 1;
};

// How often each happened.
struct Tally {
  Index below_care = 0, below_bad = 0;   // fewer in their 95% intervals than once in 40, in 1000
  Index outside_95 = 0, outside_50 = 0;  // the count at one level is outside its band
  Index curve_outside = 0, count = 0;    // the curve leaves the band at one of its 20 levels or more

  void add(const std::vector<double>& pits) {
    const auto n = static_cast<Index>(pits.size());
    const auto covered = [&](double level) {
      return std::count_if(pits.begin(), pits.end(), [&](double pit) { return std::abs(2.0 * pit - 1.0) <= level; });
    };
    const auto is_outside = [&](double level) {
      const detail::CountBand band = detail::binomial_band(n, level, 0.95);
      return covered(level) < band.low || covered(level) > band.high;
    };
    const double tail = detail::binomial_cdf(n, 0.95, covered(0.95));
    below_care += tail < 0.025;
    below_bad += tail < 0.001;
    outside_95 += is_outside(0.95);
    outside_50 += is_outside(0.5);
    bool anywhere = is_outside(0.99);
    for (int i = 1; i < 20; ++i) anywhere = anywhere || is_outside(0.05 * i);
    curve_outside += anywhere;
    ++count;
  }

  void print(const std::string& what) const {
    std::cout << what;
    for (const Index happened : {below_care, below_bad, outside_95, outside_50, curve_outside}) {
      std::cout << '\t' << static_cast<double>(happened) / static_cast<double>(count);
    }
    std::cout << '\n';
  }
};

double pit_of(double observed, double mean, double scale2, Index degrees_of_freedom) {
  return boost::math::cdf(boost::math::students_t(static_cast<double>(degrees_of_freedom)),
                          (observed - mean) / std::sqrt(scale2));
}

struct Pits {
  std::vector<double> left_out, validation, independent;
};

Pits draw_pits(const Options& options, Index index) {
  Stream stream({options.seed, Purpose::predictive_draw, static_cast<std::uint64_t>(index)});
  const Index n = options.runs, m = options.validation;
  Matrix points(n + m, options.inputs);
  points << make_design({options.inputs, n, DesignKind::random, stream.bits()}),
      Matrix::NullaryExpr(m, options.inputs, [&] { return draw_uniform(stream); });
  const GpParameters parameters{Vector::Constant(options.inputs, options.length * options.length), options.nugget};
  const std::shared_ptr<const Covariance> covariance = make_covariance("matern52");
  Matrix factor;
  covariance->fill(points, parameters.phi, factor);
  factor.diagonal().array() += options.nugget;
  if (cholesky_in_place(factor) != CholeskyStatus::ok) throw std::runtime_error("no Cholesky factor: enlarge --nugget");
  const Vector y = draw_correlated_normals(stream, factor);

  const GpModel model(points.topRows(n), y.head(n), Trend("constant", std::vector<std::string>(options.inputs, "x")),
                      covariance);
  const ConditionalPredictor predictor(model, parameters);
  Pits pits;
  const auto left_out = predictor.leave_one_out();
  for (Index i = 0; i < n; ++i) {
    pits.left_out.push_back(pit_of(y[i], left_out.mean[i], left_out.scale2[i], left_out.degrees_of_freedom));
    pits.independent.push_back(draw_uniform(stream));
  }
  Vector mean, c;
  predictor.predict(points.bottomRows(m), mean, c);
  const Index df = predictor.degrees_of_freedom();
  for (Index i = 0; i < m; ++i) {
    const double scale2 = predictor.S2() / static_cast<double>(df) * (c[i] + options.nugget);
    pits.validation.push_back(pit_of(y[n + i], mean[i], scale2, df));
  }
  return pits;
}

void run(const Options& options) {
  Tally left_out, validation, independent;
  for (Index i = 0; i < options.data_sets; ++i) {
    const Pits pits = draw_pits(options, i);
    left_out.add(pits.left_out);
    validation.add(pits.validation);
    independent.add(pits.independent);
  }
  std::cout << "runs\tbelow 1/40\tbelow 1/1000\toutside at 95%\toutside at 50%\tcurve leaves band\n";
  independent.print("independent, n = " + std::to_string(options.runs));
  left_out.print("left out, n = " + std::to_string(options.runs));
  validation.print("validation, n = " + std::to_string(options.validation));
}

}  // namespace
}  // namespace ta2s2

int main(int argc, char** argv) {
  ta2s2::Options options;
  CLI::App app("How often a right emulator's coverage leaves the band of the binomial law");
  app.add_option("--runs", options.runs, "training runs")->capture_default_str();
  app.add_option("--inputs", options.inputs, "inputs")->capture_default_str();
  app.add_option("--validation", options.validation, "validation runs")->capture_default_str();
  app.add_option("--length", options.length, "length-scale, in widths of a range")->capture_default_str();
  app.add_option("--nugget", options.nugget, "nugget")->capture_default_str();
  app.add_option("--data-sets", options.data_sets, "data sets to draw")->capture_default_str();
  app.add_option("--seed", options.seed, "seed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  ta2s2::run(options);
}
