// Samples a density of its own, and says which release of the library that was.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <ta2s2/ta2s2.hpp>

int main() {
  using namespace ta2s2;
  const FunctionTarget target([](VectorView x) { return -0.5 * x.squaredNorm(); }, Vector::Constant(1, -10.0),
                              Vector::Constant(1, 10.0));
  const Evidence found = *sample(target, {}, {.threads = 1}).evidence;
  std::printf("ta2s2 %s: log evidence %.3f\n", version(), found.log_evidence);
  const double truth = 0.5 * std::log(2.0 * std::numbers::pi);
  return std::abs(found.log_evidence - truth) < 6.0 * found.standard_error ? 0 : 1;
}
