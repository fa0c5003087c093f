// Tests of whether ranks are uniform on [0, 1], each as a p-value, and of all of them together.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ta2s2::calibration {

// Of Pearson's statistic of ten equal bins.
double chi_square_p_value(const std::vector<double>& ranks);

// Of Kolmogorov's statistic: Massart's bound, which holds for any number of ranks.
double kolmogorov_p_value(const std::vector<double>& ranks);

// Of the number of ranks in the central interval of the given level, exactly binomial; two-sided.
double coverage_p_value(const std::vector<double>& ranks, double level);
double coverage(const std::vector<double>& ranks, double level);

struct Check {
  std::string name;
  double p_value = 1.0;
};

// Both tests of shape for every quantity, and coverage at 50, 80, 90, 95 and 99% for the predictions ("new_run_...").
std::vector<Check> calibration_checks(const std::map<std::string, std::vector<double>>& ranks);

// Of all checks together, shared out equally (Bonferroni: they may depend on each other): 2.4e-5 for each of the 33 of
// a study with up to three inputs. Kolmogorov's bound and the binomial hold for any number of ranks. Pearson's
// statistic does not: it exceeds its chi-square quantile there with probability 6.5e-5, 4.8e-5, 4.3e-5 and 2.9e-5 for
// 33, 66, 100 and 400 ranks (8 million simulated studies each). Summed over the checks of 100 problems: 0.1%.
inline constexpr double kFamilyWiseLevel = 0.0008;

std::vector<Check> failed_checks(const std::vector<Check>& checks);

}  // namespace ta2s2::calibration
