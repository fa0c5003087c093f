// What a user may set about a fit. Unchecked (FitOptions) and checked (ValidFitOptions) are different types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

// Which levels' states a sample is taken from. automatic: all of them, weighted, where that is right
// (takes_all_levels).
enum class DrawsFrom { automatic, all_levels, last_level };

// One model of the runs, or an average over several. automatic: an average, unless a correlation is named or there is
// no evidence to weigh models by.
enum class ModelUse { automatic, single, average };

// What gives the models of an average their weights (workflow/model_average.hpp).
enum class Weighting { evidence, stacking, equal };

inline constexpr const char* kAutomaticCorrelation = "auto";  // of a single model kSingleCorrelation
inline constexpr const char* kSingleCorrelation = "matern52";

// `--average-over structures`: from all interactions to nearly none, for questions that hang on them
// (docs/after_the_fit.md, sensitivity).
inline constexpr const char* kStructures = "structures";
inline const std::vector<std::string> kStructureCorrelations = {"matern52", "rational(0.5)", "rational(0.9)"};

struct FitOptions {
  // Data.
  std::string output;               // empty: see RunColumns
  std::vector<std::string> inputs;  // empty: every column but the output
  std::string ranges;               // a CSV file with declared ranges; empty: observed ranges

  // Model.
  std::string prior = "jointly-robust";
  std::string nugget = "log-uniform";
  std::string trend = "constant";
  TrendPrior trend_prior = TrendPrior::flat;
  std::string correlation = kAutomaticCorrelation;
  ModelUse model = ModelUse::automatic;
  std::vector<std::string> average_over = {"squared-exponential", "matern52"};  // correlations
  Weighting weighting = Weighting::evidence;
  Exponent exponent = Exponent::model;
  Interval box = kDefaultLogPhiBox;
  Interval nugget_box = kDefaultNuggetBox;

  // Sampler.
  std::string sampler = "ta2s2";  // a name of samplers.hpp; what it stands for is set below
  AnnealOptions annealing;
  TemperingStart path = TemperingStart::posterior;
  DrawsFrom draws_from = DrawsFrom::automatic;
  bool map_only = false;
  bool check = false;  // run twice, the second time with seed + 1, and compare

  // Machine. The path is recorded as the one that was used; the rest changes no bit of the result.
  std::string simd = "auto";
  int threads = 0;
  std::string checkpoint;          // a file; empty: none
  double checkpoint_every = 60.0;  // seconds
  double time_limit = kInfinity;   // seconds
};

// Weights of earlier levels rest on each level's states being draws of its density: not so of a kernel or a growth that
// is biased. Nor is there a posterior to weigh towards beyond temperature 1.
bool takes_all_levels(const FitOptions& options);

// A setting exists once: this table feeds the command line, the config file, the model file and the documentation.
struct OptionSpec {
  std::string name;    // as on the command line, without the dashes
  std::string symbol;  // the paper's, or empty
  std::string range;   // what is allowed, for help and messages
  std::string help;
  bool is_flag = false;
  bool is_recorded = true;
  std::string default_text;
  void (*set)(FitOptions&, const std::string& text, const OptionSpec&);  // throws Error{usage}
  std::string (*get)(const FitOptions&);
};

const std::vector<OptionSpec>& option_table();
const OptionSpec* find_option(const std::string& name);

struct Setting {
  std::string name, text;
};

// Applies settings in order, but for `sampler`, which comes first, and throws one Error{usage} that names every
// problem.
void apply_settings(FitOptions& options, const std::vector<Setting>& settings);

// All recorded options as text, in the order of the table.
std::vector<Setting> recorded_settings(const FitOptions& options);

// As given, but for one model: of the correlation that is named, or of the one that a single model has by default.
FitOptions for_single_model(FitOptions options);

class ValidFitOptions {
 public:
  // Decides what `model` was to choose by itself. Throws one Error{usage} that names every option that is out of range
  // or contradicts another.
  explicit ValidFitOptions(FitOptions options);
  const FitOptions* operator->() const { return &options_; }
  const FitOptions& get() const { return options_; }

 private:
  FitOptions options_;
};

}  // namespace ta2s2
