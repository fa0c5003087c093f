#include "lab/simulators.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "ta2s2/base/text.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2::lab {
namespace {

using std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt;
constexpr double kPi = std::numbers::pi;

double square(double x) {
  return x * x;
}

double damped_sine(const Vector& x) {
  return exp(-2.0 * x[0]) * sin(10.0 * x[0]);
}

// Forrester, Sobester and Keane (2008), Engineering Design via Surrogate Modelling.
double forrester(const Vector& x) {
  return square(6.0 * x[0] - 2.0) * sin(12.0 * x[0] - 4.0);
}

// Franke (1979); paper (5.5).
double franke(const Vector& x) {
  const double a = 9.0 * x[0], b = 9.0 * x[1];
  return 0.75 * exp(-square(a - 2) / 4 - square(b - 2) / 4) + 0.75 * exp(-square(a + 1) / 49 - (b + 1) / 10) +
         0.5 * exp(-square(a - 7) / 4 - square(b - 3) / 4) - 0.2 * exp(-square(a - 4) - square(b - 7));
}

// Branin (1972), in the form of Dixon and Szego (1978).
double branin(const Vector& x) {
  return square(x[1] - 5.1 / (4 * kPi * kPi) * square(x[0]) + 5 / kPi * x[0] - 6) +
         10 * (1 - 1 / (8 * kPi)) * cos(x[0]) + 10;
}

// Goldstein and Price (1971).
double goldstein_price(const Vector& x) {
  const double a = x[0], b = x[1];
  return (1 + square(a + b + 1) * (19 - 14 * a + 3 * a * a - 14 * b + 6 * a * b + 3 * b * b)) *
         (30 + square(2 * a - 3 * b) * (18 - 32 * a + 12 * a * a + 48 * b - 36 * a * b + 27 * b * b));
}

// Currin, Mitchell, Morris and Ylvisaker (1991). At x2 = 0 the limit of its first factor.
double currin(const Vector& x) {
  const double a = x[0], a2 = a * a, a3 = a2 * a;
  const double factor = x[1] > 0.0 ? 1 - exp(-0.5 / x[1]) : 1.0;
  return factor * (2300 * a3 + 1900 * a2 + 2092 * a + 60) / (100 * a3 + 500 * a2 + 4 * a + 20);
}

// Lim, Sacks, Studden and Welch (2002), the function that is no polynomial.
double lim(const Vector& x) {
  return ((30 + 5 * x[0] * sin(5 * x[0])) * (4 + exp(-5 * x[1])) - 100) / 6;
}

// Zhou (1998): two narrow normal bumps, here in two dimensions.
double zhou(const Vector& x) {
  const auto bump = [&](double centre) {
    double density = 1.0;
    for (const double value : x) density *= exp(-square(10 * (value - centre)) / 2) / sqrt(2 * kPi);
    return density;
  };
  return pow(10.0, static_cast<double>(x.size())) / 2 * (bump(1.0 / 3) + bump(2.0 / 3));
}

// Ishigami and Homma (1990), with a = 7 and b = 0.1.
double ishigami(const Vector& x) {
  return sin(x[0]) + 7 * square(sin(x[1])) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

// Dette and Pepelyshev (2010), the highly curved function.
double dette_pepelyshev_curved(const Vector& x) {
  return 4 * square(x[0] - 2 + 8 * x[1] - 8 * square(x[1])) + square(3 - 4 * x[1]) +
         16 * sqrt(x[2] + 1) * square(2 * x[2] - 1);
}

// Dette and Pepelyshev (2010), eight inputs: the curved function and a sum of logarithms.
double dette_pepelyshev_8(const Vector& x) {
  double value = dette_pepelyshev_curved(x);
  double sum = x[2];
  for (Index i = 3; i < 8; ++i) {
    sum += x[i];
    value += static_cast<double>(i + 1) * log(1 + sum);
  }
  return value;
}

template <std::size_t P>
double hartmann(const Vector& x, const std::array<std::array<double, P>, 4>& A,
                const std::array<std::array<double, P>, 4>& centres) {
  constexpr std::array<double, 4> alpha = {1.0, 1.2, 3.0, 3.2};
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    double distance = 0.0;
    for (std::size_t j = 0; j < P; ++j) distance += A[i][j] * square(x[static_cast<Index>(j)] - centres[i][j]);
    sum -= alpha[i] * exp(-distance);
  }
  return sum;
}

// Hartmann (1973), three inputs.
double hartmann3(const Vector& x) {
  return hartmann<3>(
      x, {{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}}},
      {{{0.3689, 0.1170, 0.2673}, {0.4699, 0.4387, 0.7470}, {0.1091, 0.8732, 0.5547}, {0.0381, 0.5743, 0.8828}}});
}

// Hartmann (1973), six inputs.
double hartmann6(const Vector& x) {
  return hartmann<6>(
      x, {{{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}}},
      {{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
        {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
        {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
        {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}});
}

// Park (1991), his first function of four inputs. At x1 = 0 it is not defined: the range begins above.
double park(const Vector& x) {
  return x[0] / 2 * (sqrt(1 + (x[1] + square(x[2])) * x[3] / square(x[0])) - 1) +
         (x[0] + 3 * x[3]) * exp(1 + sin(x[2]));
}

// Bliznyuk, Ruppert, Shoemaker, Regis, Wild and Mugunthan (2008): concentration of a pollutant spilled twice, here one
// unit of length from the first spill and 40.1 units of time after it.
double environmental(const Vector& x) {
  constexpr double kPlace = 1.0, kTime = 40.1;
  const double mass = x[0], rate = x[1], second_place = x[2], delay = x[3];
  const auto spill = [&](double distance, double time) {
    return mass / sqrt(4 * kPi * rate * time) * exp(-square(distance) / (4 * rate * time));
  };
  return sqrt(4 * kPi) * (spill(kPlace, kTime) + spill(kPlace - second_place, kTime - delay));
}

// Friedman, Grosse and Stuetzle (1983), without their noise.
double friedman(const Vector& x) {
  return 10 * sin(kPi * x[0] * x[1]) + 20 * square(x[2] - 0.5) + 10 * x[3] + 5 * x[4];
}

// Sobol's g function (Saltelli and Sobol 1995) with a_d = (d - 1) / 2: inputs matter less and less.
double g_function(const Vector& x) {
  double product = 1.0;
  for (Index d = 0; d < x.size(); ++d) {
    const double a = static_cast<double>(d) / 2.0;
    product *= (std::abs(4 * x[d] - 2) + a) / (1 + a);
  }
  return product;
}

// Ben-Ari and Steinberg (2007): midpoint voltage of a transformerless amplifier.
double otl_circuit(const Vector& x) {
  const double b1 = x[0], b2 = x[1], f = x[2], c1 = x[3], c2 = x[4], beta = x[5];
  const double vb1 = 12 * b2 / (b1 + b2), bc = beta * (c2 + 9);
  return (vb1 + 0.74) * bc / (bc + f) + 11.35 * f / (bc + f) + 0.74 * f * bc / ((bc + f) * c1);
}

// Kenett and Zacks (1998): cycle time of a piston.
double piston(const Vector& x) {
  const double M = x[0], S = x[1], V0 = x[2], k = x[3], P0 = x[4], Ta = x[5], T0 = x[6];
  const double A = P0 * S + 19.62 * M - k * V0 / S;
  const double V = S / (2 * k) * (sqrt(A * A + 4 * k * P0 * V0 / T0 * Ta) - A);
  return 2 * kPi * sqrt(M / (k + S * S * P0 * V0 / T0 * Ta / (V * V)));
}

// Harper and Gupta (1983): flow of water through a borehole.
double borehole(const Vector& x) {
  const double rw = x[0], r = x[1], Tu = x[2], Hu = x[3], Tl = x[4], Hl = x[5], L = x[6], Kw = x[7];
  const double ratio = log(r / rw);
  return 2 * kPi * Tu * (Hu - Hl) / (ratio * (1 + 2 * L * Tu / (ratio * rw * rw * Kw) + Tu / Tl));
}

// An and Owen (2001): distance of a robot arm's end from its foot.
double robot_arm(const Vector& x) {
  double across = 0.0, up = 0.0, angle = 0.0;
  for (Index i = 0; i < 4; ++i) {
    angle += x[i];
    across += x[4 + i] * cos(angle);
    up += x[4 + i] * sin(angle);
  }
  return std::hypot(across, up);
}

// Forrester, Sobester and Keane (2008); paper (5.6). The sweep is in degrees.
double wing_weight(const Vector& x) {
  const double Sw = x[0], Wfw = x[1], A = x[2], Lam = x[3], q = x[4], lam = x[5], tc = x[6], Nz = x[7], Wdg = x[8],
               Wp = x[9];
  const double cosine = cos(Lam * kPi / 180);
  return 0.036 * pow(Sw, 0.758) * pow(Wfw, 0.0035) * pow(A / square(cosine), 0.6) * pow(q, 0.006) * pow(lam, 0.04) *
             pow(100 * tc / cosine, -0.3) * pow(Nz * Wdg, 0.49) +
         Sw * Wp;
}

// Welch, Buck, Sacks, Wynn, Mitchell and Morris (1992): twenty inputs, two of them idle.
double welch(const Vector& x) {
  const auto in = [&](int number) { return x[number - 1]; };
  return 5 * in(12) / (1 + in(1)) + 5 * square(in(4) - in(20)) + in(5) + 40 * pow(in(19), 3) - 5 * in(19) +
         0.05 * in(2) + 0.08 * in(3) - 0.03 * in(6) + 0.03 * in(7) - 0.09 * in(9) - 0.01 * in(10) - 0.07 * in(11) +
         0.25 * square(in(13)) - 0.04 * in(14) + 0.06 * in(15) - 0.01 * in(17) - 0.03 * in(18);
}

std::vector<InputRange> same_range(int count, double low, double high) {
  std::vector<InputRange> ranges;
  for (int i = 1; i <= count; ++i) ranges.push_back({"x" + std::to_string(i), low, high});
  return ranges;
}

std::vector<InputRange> unit_cube(int count) {
  return same_range(count, 0.0, 1.0);
}

std::vector<InputRange> robot_arm_ranges() {
  std::vector<InputRange> ranges;
  for (int i = 1; i <= 4; ++i) ranges.push_back({"theta" + std::to_string(i), 0.0, 2 * kPi});
  for (int i = 1; i <= 4; ++i) ranges.push_back({"L" + std::to_string(i), 0.0, 1.0});
  return ranges;
}

// clang-format off
std::vector<Simulator> make_simulators() {
  return {
      {"franke", unit_cube(2), "y", franke},
      {"wing-weight", {{"Sw", 150, 200}, {"Wfw", 220, 300}, {"A", 6, 10}, {"Lam", -10, 10}, {"q", 16, 45}, {"lam", 0.5, 1},
                       {"tc", 0.08, 0.18}, {"Nz", 2.5, 6}, {"Wdg", 1700, 2500}, {"Wp", 0.025, 0.08}}, "weight", wing_weight},
      {"damped-sine", unit_cube(1), "y", damped_sine},
      {"forrester", unit_cube(1), "y", forrester},
      {"branin", {{"x1", -5, 10}, {"x2", 0, 15}}, "y", branin},
      {"goldstein-price", same_range(2, -2, 2), "y", goldstein_price},
      {"currin", unit_cube(2), "y", currin},
      {"lim", unit_cube(2), "y", lim},
      {"zhou", unit_cube(2), "y", zhou},
      {"ishigami", same_range(3, -kPi, kPi), "y", ishigami},
      {"hartmann3", unit_cube(3), "y", hartmann3},
      {"dette-pepelyshev-curved", unit_cube(3), "y", dette_pepelyshev_curved},
      {"park", {{"x1", 1e-6, 1}, {"x2", 0, 1}, {"x3", 0, 1}, {"x4", 0, 1}}, "y", park},
      {"environmental", {{"M", 7, 13}, {"D", 0.02, 0.12}, {"L", 0.01, 3}, {"tau", 30.01, 30.295}}, "concentration", environmental},
      {"friedman", unit_cube(5), "y", friedman},
      {"g-function", unit_cube(5), "y", g_function},
      {"hartmann6", unit_cube(6), "y", hartmann6},
      {"otl-circuit", {{"Rb1", 50, 150}, {"Rb2", 25, 70}, {"Rf", 0.5, 3}, {"Rc1", 1.2, 2.5}, {"Rc2", 0.25, 1.2},
                       {"beta", 50, 300}}, "voltage", otl_circuit},
      {"piston", {{"M", 30, 60}, {"S", 0.005, 0.02}, {"V0", 0.002, 0.01}, {"k", 1000, 5000}, {"P0", 90000, 110000},
                  {"Ta", 290, 296}, {"T0", 340, 360}}, "cycle_time", piston},
      {"borehole", {{"rw", 0.05, 0.15}, {"r", 100, 50000}, {"Tu", 63070, 115600}, {"Hu", 990, 1110}, {"Tl", 63.1, 116},
                    {"Hl", 700, 820}, {"L", 1120, 1680}, {"Kw", 9855, 12045}}, "flow", borehole},
      {"robot-arm", robot_arm_ranges(), "distance", robot_arm},
      {"dette-pepelyshev-8", unit_cube(8), "y", dette_pepelyshev_8},
      {"g-function-10", unit_cube(10), "y", g_function},
      {"welch", same_range(20, -0.5, 0.5), "y", welch},
  };
}
// clang-format on

std::vector<std::string> input_names(const Simulator& simulator) {
  std::vector<std::string> names;
  for (const InputRange& range : simulator.inputs) names.push_back(range.name);
  return names;
}

// The upper half of a design's seed. Part of the seed contract: never renumber them.
enum class Role : std::uint64_t { training = 1, test = 2 };

OutputRuns simulate(const Simulator& simulator, Index num_runs, Role role, std::uint64_t design) {
  const std::uint64_t seed = (static_cast<std::uint64_t>(role) << 32) + design;
  const Matrix unit = make_design({simulator.num_inputs(), num_runs, DesignKind::random, seed});
  return run_simulator(simulator, to_ranges(unit, simulator.inputs));
}

}  // namespace

const std::vector<Simulator>& simulators() {
  static const std::vector<Simulator> all = make_simulators();
  return all;
}

const Simulator& find_simulator(const std::string& name) {
  for (const Simulator& simulator : simulators()) {
    if (simulator.name == name) return simulator;
  }
  throw Error(ErrorCode::usage,
              "found \"" + name + "\", expected a test function: " + join(simulators(), ", ", &Simulator::name));
}

OutputRuns run_simulator(const Simulator& simulator, MatrixView points) {
  Vector output(points.rows());
  for (Index i = 0; i < points.rows(); ++i) output[i] = simulator.run(points.row(i).transpose());
  return OutputRuns(points, output, input_names(simulator), simulator.output);
}

OutputRuns simulate_training_runs(const Simulator& simulator, Index num_runs, std::uint64_t design) {
  return simulate(simulator, num_runs, Role::training, design);
}

OutputRuns simulate_test_runs(const Simulator& simulator, Index num_runs, std::uint64_t design) {
  return simulate(simulator, num_runs, Role::test, design);
}

std::optional<OutputRuns> shipped_runs(const Simulator& simulator, const std::string& file) {
  const auto found = lab_files().find(file + ".csv");
  if (found == lab_files().end()) return std::nullopt;
  std::istringstream lines(found->second);
  std::string line;
  std::getline(lines, line);  // the names of the columns: inputs, then the output
  std::vector<double> numbers;
  while (std::getline(lines, line)) {
    for (const std::string& number : split(line, ',')) numbers.push_back(parse_number(number, file));
  }
  const Index width = simulator.num_inputs() + 1;
  const Eigen::Map<const Matrix> columns(numbers.data(), width, static_cast<Index>(numbers.size()) / width);
  return OutputRuns(columns.topRows(width - 1).transpose(), columns.row(width - 1).transpose(), input_names(simulator),
                    simulator.output);
}

TestProblem load_nilson_kuusk(const std::filesystem::path& folder) {
  const std::filesystem::path train = folder / "nilson_kuusk" / "train.csv";
  const std::filesystem::path test = folder / "nilson_kuusk" / "test.csv";
  if (folder.empty() || !std::filesystem::exists(train) || !std::filesystem::exists(test)) {
    throw Error(ErrorCode::bad_file,
                "nilson-kuusk: found no nilson_kuusk/train.csv and test.csv" +
                    (folder.empty() ? std::string(" (neither --data nor TA2S2_DATA names a folder)")
                                    : " in " + folder.string()) +
                    "; expected the sample data of the paper's authors (GitHub repository agarbuno/ta2s2_codes), as "
                    "the README says");
  }
  OutputRuns runs = load_runs(train, {"reflectance", {}});
  OutputRuns tests = load_test_runs(test, runs.input_names(), runs.output_name());
  return {std::move(runs), std::move(tests)};
}

}  // namespace ta2s2::lab
