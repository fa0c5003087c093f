// Models against one another on many test functions: how the program's defaults are chosen.
#pragma once

#include <filesystem>
#include <optional>

#include "lab/results.hpp"
#include "lab/simulators.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2::lab {

// Models that differ in their correlation and transformation, averaged.
struct SuiteAverage {
  std::vector<std::string> members;  // as --average-over has them
  Weighting weighting;
};

struct SuiteModel {
  std::string name;
  std::vector<Setting> settings;  // that differ from the base model's
  std::optional<SuiteAverage> average = std::nullopt;
};

inline const std::string kDefaultModel = "default";
inline const std::string kBaseModel = "single";  // `ta2s2 fit --model single`; others are compared with it

const std::vector<SuiteModel>& suite_models();

// Names separated by commas, or "all". Error{usage} for a name that is none.
std::vector<SuiteModel> choose_suite_models(const std::string& list);

// "correlation=matern32;trend=linear"; its name is the text. Error{usage} if a setting is unknown or its value wrong.
SuiteModel parse_suite_model(const std::string& text);

// All test functions but Franke's and the wing's, which are experiments of their own; or those named.
std::vector<Simulator> choose_suite_functions(const std::string& list);

// Two sizes: about 5 and 10 runs for each input, within 10 and 150.
std::vector<Index> suite_sizes(Index num_inputs);

struct SuiteOptions {
  std::vector<SuiteModel> models;
  std::vector<Simulator> functions;
  int num_designs = 5;
  std::uint64_t seed = 1;
  std::optional<Index> samples;  // instead of the default N
  std::filesystem::path out;
};

// The columns of suite.csv; the first five name a row.
const ResultRow& suite_columns();
inline constexpr std::size_t kNumSuiteKeys = 5;

// Writes suite.csv, row by row, then suite_summary.md and suite_summary.csv of all that it holds. Goes on where an
// earlier run ended, as `reproduce` does.
void run_suite(const SuiteOptions& options, Executor& executor, ExperimentObserver& observer);

void write_suite_summary(const ResultFile& results, const std::filesystem::path& folder);

}  // namespace ta2s2::lab
