#include "simulators.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ta2s2/data/design.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::bench {
namespace {

using std::exp, std::pow, std::sin, std::cos, std::sqrt, std::log;
constexpr double kPi = std::numbers::pi;

double square(double x) {
  return x * x;
}

double in_range(double unit, double low, double high) {
  return low + unit * (high - low);
}

double damped_sine(VectorView u) {
  return exp(-2.0 * u[0]) * sin(10.0 * u[0]);
}

// Forrester, Sobester and Keane (2008).
double forrester(VectorView u) {
  return square(6.0 * u[0] - 2.0) * sin(12.0 * u[0] - 4.0);
}

// Paper (5.5).
double franke(VectorView u) {
  const double a = 9.0 * u[0], b = 9.0 * u[1];
  return 0.75 * exp(-square(a - 2) / 4 - square(b - 2) / 4) + 0.75 * exp(-square(a + 1) / 49 - (b + 1) / 10) +
         0.5 * exp(-square(a - 7) / 4 - square(b - 3) / 4) - 0.2 * exp(-square(a - 4) - square(b - 7));
}

double branin(VectorView u) {
  const double x = in_range(u[0], -5, 10), y = in_range(u[1], 0, 15);
  return square(y - 5.1 / (4 * kPi * kPi) * x * x + 5 / kPi * x - 6) + 10 * (1 - 1 / (8 * kPi)) * cos(x) + 10;
}

// Currin, Mitchell, Morris and Ylvisaker (1991).
double currin(VectorView u) {
  const double x = u[0];
  return (1 - exp(-0.5 / (u[1] + 1e-3))) * (2300 * pow(x, 3) + 1900 * x * x + 2092 * x + 60) /
         (100 * pow(x, 3) + 500 * x * x + 4 * x + 20);
}

double ishigami(VectorView u) {
  const double x = in_range(u[0], -kPi, kPi), y = in_range(u[1], -kPi, kPi), z = in_range(u[2], -kPi, kPi);
  return sin(x) + 7 * square(sin(y)) + 0.1 * pow(z, 4) * sin(x);
}

// Dette and Pepelyshev (2010), highly curved.
double curved(VectorView u) {
  return 4 * square(u[0] - 2 + 8 * u[1] - 8 * square(u[1])) + square(3 - 4 * u[1]) +
         16 * sqrt(u[2] + 1) * square(2 * u[2] - 1);
}

double park(VectorView u) {
  const double x = u[0] + 1e-6;
  return x / 2 * (sqrt(1 + (u[1] + square(u[2])) * u[3] / square(x)) - 1) + (x + 3 * u[3]) * exp(1 + sin(u[2]));
}

double friedman(VectorView u) {
  return 10 * sin(kPi * u[0] * u[1]) + 20 * square(u[2] - 0.5) + 10 * u[3] + 5 * u[4];
}

// Sobol's g function; inputs matter less and less.
double g_function(VectorView u) {
  double product = 1.0;
  for (Index d = 0; d < u.size(); ++d) {
    const double a = static_cast<double>(d) / 2.0;
    product *= (std::abs(4 * u[d] - 2) + a) / (1 + a);
  }
  return product;
}

double hartmann6(VectorView u) {
  static const double A[4][6] = {
      {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
  static const double P[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                 {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                 {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                 {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
  static const double alpha[4] = {1.0, 1.2, 3.0, 3.2};
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    double distance = 0.0;
    for (int j = 0; j < 6; ++j) distance += A[i][j] * square(u[j] - P[i][j]);
    sum -= alpha[i] * exp(-distance);
  }
  return sum;
}

// Ben-Ari and Steinberg (2007): midpoint voltage of a transformerless amplifier.
double otl_circuit(VectorView u) {
  const double b1 = in_range(u[0], 50, 150), b2 = in_range(u[1], 25, 70), f = in_range(u[2], 0.5, 3),
               c1 = in_range(u[3], 1.2, 2.5), c2 = in_range(u[4], 0.25, 1.2), beta = in_range(u[5], 50, 300);
  const double vb1 = 12 * b2 / (b1 + b2), bc = beta * (c2 + 9);
  return (vb1 + 0.74) * bc / (bc + f) + 11.35 * f / (bc + f) + 0.74 * f * bc / ((bc + f) * c1);
}

// Kenett and Zacks (1998): cycle time of a piston.
double piston(VectorView u) {
  const double M = in_range(u[0], 30, 60), S = in_range(u[1], 0.005, 0.02), V0 = in_range(u[2], 0.002, 0.01),
               k = in_range(u[3], 1000, 5000), P0 = in_range(u[4], 90000, 110000), Ta = in_range(u[5], 290, 296),
               T0 = in_range(u[6], 340, 360);
  const double A = P0 * S + 19.62 * M - k * V0 / S;
  const double V = S / (2 * k) * (sqrt(A * A + 4 * k * P0 * V0 / T0 * Ta) - A);
  return 2 * kPi * sqrt(M / (k + S * S * P0 * V0 / T0 * Ta / (V * V)));
}

// Harper and Gupta (1983).
double borehole(VectorView u) {
  const double rw = in_range(u[0], 0.05, 0.15), r = in_range(u[1], 100, 50000), Tu = in_range(u[2], 63070, 115600),
               Hu = in_range(u[3], 990, 1110), Tl = in_range(u[4], 63.1, 116), Hl = in_range(u[5], 700, 820),
               L = in_range(u[6], 1120, 1680), Kw = in_range(u[7], 9855, 12045);
  const double ratio = log(r / rw);
  return 2 * kPi * Tu * (Hu - Hl) / (ratio * (1 + 2 * L * Tu / (ratio * rw * rw * Kw) + Tu / Tl));
}

// An and Owen (2001): distance of a robot arm's end from its foot.
double robot_arm(VectorView u) {
  double x = 0.0, y = 0.0, angle = 0.0;
  for (Index i = 0; i < 4; ++i) {
    angle += 2 * kPi * u[i];
    x += u[4 + i] * cos(angle);
    y += u[4 + i] * sin(angle);
  }
  return sqrt(x * x + y * y);
}

// Paper (5.6).
double wing_weight(VectorView u) {
  const double Sw = in_range(u[0], 150, 200), Wfw = in_range(u[1], 220, 300), A = in_range(u[2], 6, 10),
               sweep = in_range(u[3], -10, 10), q = in_range(u[4], 16, 45), lam = in_range(u[5], 0.5, 1),
               tc = in_range(u[6], 0.08, 0.18), Nz = in_range(u[7], 2.5, 6), Wdg = in_range(u[8], 1700, 2500),
               Wp = in_range(u[9], 0.025, 0.08);
  const double cosine = cos(sweep * kPi / 180);
  return 0.036 * pow(Sw, 0.758) * pow(Wfw, 0.0035) * pow(A / square(cosine), 0.6) * pow(q, 0.006) * pow(lam, 0.04) *
             pow(100 * tc / cosine, -0.3) * pow(Nz * Wdg, 0.49) +
         Sw * Wp;
}

const std::vector<Simulator>& simulators() {
  static const std::vector<Simulator> all = {
      {"damped sine", 1, damped_sine},
      {"Forrester", 1, forrester},
      {"Franke", 2, franke},
      {"Branin", 2, branin},
      {"Currin", 2, currin},
      {"Ishigami", 3, ishigami},
      {"curved", 3, curved},
      {"Park", 4, park},
      {"Friedman", 5, friedman},
      {"g function", 5, g_function},
      {"Hartmann", 6, hartmann6},
      {"OTL circuit", 6, otl_circuit},
      {"piston", 7, piston},
      {"borehole", 8, borehole},
      {"robot arm", 8, robot_arm},
      {"wing weight", 10, wing_weight},
      {"g function 10", 10, g_function},
  };
  return all;
}

const std::vector<Setting> kAsPaper = {
    {"correlation", "squared-exponential"}, {"prior", "log-uniform"}, {"trend", "none"}, {"nugget", "fixed(1e-6)"}};

}  // namespace

const Simulator& find_simulator(const std::string& name) {
  for (const Simulator& simulator : simulators()) {
    if (simulator.name == name) return simulator;
  }
  throw std::invalid_argument("no simulator is called " + name);
}

const std::vector<GpCase>& training_cases() {
  static const std::vector<GpCase> cases = {
      {"damped sine, 10 runs", "damped sine", 10, 1, {}},
      {"Franke, 20 runs", "Franke", 20, 1, {}},
      {"Franke, 20 runs, paper's model", "Franke", 20, 2, kAsPaper},
      {"Branin, 15 runs", "Branin", 15, 3, {}},
      {"Ishigami, 40 runs", "Ishigami", 40, 4, {}},
      {"Park, 30 runs", "Park", 30, 5, {}},
      {"Friedman, 40 runs", "Friedman", 40, 6, {}},
      {"Hartmann, 50 runs", "Hartmann", 50, 7, {}},
      {"piston, 50 runs", "piston", 50, 8, {}},
      {"borehole, 60 runs", "borehole", 60, 9, {}},
      {"wing weight, 80 runs", "wing weight", 80, 10, {}},
  };
  return cases;
}

const std::vector<GpCase>& confirmation_cases() {
  static const std::vector<GpCase> cases = {
      {"Forrester, 8 runs", "Forrester", 8, 21, {}},
      {"Currin, 20 runs", "Currin", 20, 22, {}},
      {"Franke, 25 runs, paper's model", "Franke", 25, 23, kAsPaper},
      {"curved, 30 runs", "curved", 30, 24, {}},
      {"g function, 40 runs", "g function", 40, 25, {}},
      {"OTL circuit, 40 runs", "OTL circuit", 40, 26, {}},
      {"robot arm, 60 runs", "robot arm", 60, 27, {}},
      {"g function 10, 80 runs", "g function 10", 80, 28, {}},
  };
  return cases;
}

GpTarget make_case(const GpCase& gp_case) {
  const Simulator& simulator = find_simulator(gp_case.simulator);
  const Matrix unit = make_design({simulator.num_inputs, gp_case.num_runs, DesignKind::random, gp_case.design_seed});
  Vector output(unit.rows());
  for (Index i = 0; i < unit.rows(); ++i) output[i] = simulator.run(unit.row(i).transpose());
  std::vector<std::string> names;
  for (Index d = 0; d < unit.cols(); ++d) names.push_back("x" + std::to_string(d + 1));
  const Dataset data(unit, output, names, "y");
  FitOptions options;
  apply_settings(options, gp_case.settings);
  return make_target(data, Scaling::from(data, {}), options);
}

}  // namespace ta2s2::bench
