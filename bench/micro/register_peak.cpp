#include "register_peak.hpp"

#include <benchmark/benchmark.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "register_peak.cpp"
#include <hwy/foreach_target.h>  // compiles this file once per instruction set
// after it:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ta2s2::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve chains keep two units of latency four or five busy and, with the two factors, fit AVX2's sixteen registers.
double MultiplyAdds(std::int64_t rounds) {
  const hn::ScalableTag<double> d;
  volatile double unknown =
      1.0;  // not DoNotOptimize, which leaves a double undefined here (gcc 12, Google Benchmark 1.7.1)
  const double start = unknown;
  const auto a = hn::Set(d, 0.999 * start), b = hn::Set(d, 1e-3 * start);
  // Unequal starts, or a compiler would see one chain twelve times.
  const auto first = [&](double factor) { return hn::Set(d, factor * start); };
  auto c0 = first(1), c1 = first(2), c2 = first(3), c3 = first(4), c4 = first(5), c5 = first(6), c6 = first(7),
       c7 = first(8), c8 = first(9), c9 = first(10), c10 = first(11), c11 = first(12);
  for (std::int64_t i = 0; i < rounds; ++i) {
    c0 = hn::MulAdd(c0, a, b);
    c1 = hn::MulAdd(c1, a, b);
    c2 = hn::MulAdd(c2, a, b);
    c3 = hn::MulAdd(c3, a, b);
    c4 = hn::MulAdd(c4, a, b);
    c5 = hn::MulAdd(c5, a, b);
    c6 = hn::MulAdd(c6, a, b);
    c7 = hn::MulAdd(c7, a, b);
    c8 = hn::MulAdd(c8, a, b);
    c9 = hn::MulAdd(c9, a, b);
    c10 = hn::MulAdd(c10, a, b);
    c11 = hn::MulAdd(c11, a, b);
  }
  auto sum = c0;
  for (const auto c : {c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11}) sum = hn::Add(sum, c);
  const double result = hn::GetLane(hn::SumOfLanes(d, sum));
  benchmark::DoNotOptimize(result);
  return 2.0 * 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

}  // namespace ta2s2::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ta2s2::bench {

HWY_EXPORT(MultiplyAdds);

std::vector<RegisterSet> register_sets() {
  std::vector<RegisterSet> sets;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    sets.push_back({target, hwy::TargetName(target)});
  }
  return sets;
}

double run_multiply_adds(const RegisterSet& set, std::int64_t rounds) {
  hwy::SetSupportedTargetsForTest(set.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const double flops = HWY_DYNAMIC_DISPATCH(MultiplyAdds)(rounds);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return flops;
}

}  // namespace ta2s2::bench
#endif
