// What a fit goes by: settings as a user gives them (FitRequest), all of them with a value (FitOptions), and checked
// (ValidFitOptions) are different types.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

// ---- defaults, which stand here alone ----

inline constexpr const char* kDefaultPrior = "sparse-jointly-robust";  // the box follows from it
// The last one is for outputs that a transformation would ruin (docs/accuracy.md).
inline const std::vector<std::string> kDefaultMembers = {"matern52*box-cox", "rational-quadratic*box-cox", "matern52"};
inline constexpr Weighting kDefaultWeighting = Weighting::stacking;
inline constexpr Recalibration kDefaultRecalibration = Recalibration::none;
// What a single model has unless it is named.
inline constexpr const char *kSingleCorrelation = "matern52", *kSingleTransform = "none";

// ---- members of an average ----

inline constexpr const char* kAutomatic = "auto";  // a correlation or a transformation that nobody named
inline constexpr const char* kNoTransform = "none";

// What tells the members of an average: "matern52*box-cox"; a transformation of none is not written.
struct MemberName {
  std::string correlation, transform;

  std::string text() const { return transform == kNoTransform ? correlation : correlation + "*" + transform; }
};
// Nothing is checked.
MemberName parse_member(const std::string& text);

// `--average-over structures`: from all interactions to nearly none, for questions that hang on them
// (docs/after_the_fit.md, sensitivity).
inline constexpr const char* kStructures = "structures";
inline const std::vector<std::string> kStructureCorrelations = {"matern52", "rational(0.5)", "rational(0.9)"};

inline constexpr Index kAutomaticSamples = 2000;
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

struct FitOptions {
  // Data.
  std::string output;               // empty: see Columns
  std::vector<std::string> inputs;  // empty: every column but the output
  std::string ranges;               // a CSV file with declared ranges; empty: observed ranges

  // Model.
  std::vector<InputScaleRule> input_scale;  // other inputs: the scales of their declared ranges
  std::string prior = kDefaultPrior;
  std::string nugget = "log-uniform";
  std::string trend = "constant";
  TrendPrior trend_prior = TrendPrior::flat;
  std::string correlation = kAutomatic;
  std::string transform = kAutomatic;  // of the output
  ModelUse model = ModelUse::automatic;
  std::vector<std::string> average_over = kDefaultMembers;  // as MemberName::text() writes them
  Weighting weighting = kDefaultWeighting;
  Recalibration recalibration = kDefaultRecalibration;
  Exponent exponent = Exponent::model;
  Interval box = log_phi_box_of(kDefaultPrior);
  bool box_follows_prior = true;  // nobody gave one
  Interval nugget_box = kDefaultNuggetBox;

  // Sampler.
  std::string sampler = "ta2s2";  // a name of samplers.hpp; what it stands for is set below
  Index samples = 0;              // 0: auto
  std::int64_t max_evaluations = kNoLimit;
  AnnealOptions annealing;  // but for the number of samples: anneal_options() has it
  TemperingStart path = TemperingStart::posterior;
  DrawsFrom draws_from = DrawsFrom::automatic;
  bool fast = false;   // each model's posterior maximum in place of a sample
  bool check = false;  // run twice, the second time with seed + 1, and compare

  // No settings: what uses this fit sets them.
  bool weighs_evidence = false;  // its evidence is compared with others'
  Index num_averaged = 1;        // models whose samples predict together, this one's among them

  std::string simd = "auto";  // recorded as the instruction set that was used

  Index num_samples() const { return samples > 0 ? samples : kAutomaticSamples; }
  AnnealOptions anneal_options() const {
    AnnealOptions own = annealing;
    own.num_samples = num_samples();
    return own;
  }
};

// Whether this is a fit by passes that have to agree (smc/passes.hpp).
bool runs_passes(const FitOptions& options);

// Whether each level's states are draws of its density, by tempered levels, and the last one's of the posterior.
bool samples_exactly(const FitOptions& options);

// Weights of earlier levels rest on each level's states being draws of its density: not so of a kernel or a growth that
// is biased. Nor is there a posterior to weigh towards beyond temperature 1.
bool takes_all_levels(const FitOptions& options);

// As in the table of rules (workflow/weighting.hpp); empty of none. Error{usage} for another word.
std::string to_word(const std::optional<Weighting>& weighting);
Weighting parse_weighting(const std::string& word);

// All settings with a value: the sampler's own first, then those that are given. Unchecked.
FitOptions complete(const FitRequest& request);

// The text of one setting, by its name.
std::string option_text(const FitOptions& options, const std::string& name);

// What `settings` say, over what `options` have: a sampler's own settings first, so that those given beside it win. One
// Error{usage} that names every problem.
void apply_settings(FitOptions& options, const std::vector<Setting>& settings);

// Options that are recorded and mean something to the sampler, as text, in the order of the table.
std::vector<Setting> recorded_settings(const FitOptions& options);

// A recorded setting beside its standard: what it would be had only the sampler been chosen.
struct DescribedSetting {
  const Option* option;
  std::string text, standard;
  bool is_default() const { return text == standard || (option->name == "simd" && standard == "auto"); }
};
std::vector<DescribedSetting> describe_settings(const FitOptions& options);

// As given, but for one model: what is not named of its correlation and its transformation is what a single model has
// by default.
FitOptions for_single_model(FitOptions options);

class ValidFitOptions {
 public:
  // Decides what `model` was to choose by itself, and which members an average has. Throws one Error{usage} that names
  // every option that is out of range or contradicts another.
  explicit ValidFitOptions(FitOptions options);
  const FitOptions* operator->() const { return &options_; }
  const FitOptions& get() const { return options_; }

 private:
  FitOptions options_;
};

// Fills what is not given, and checks; a setting that is given and means nothing to the sampler is a problem too.
ValidFitOptions resolve(const FitRequest& request);
ValidFitOptions resolve(const Columns& columns, const FitSettings& settings);

// ---- the table of settings (option_table.cpp) ----

// A setting with what the library knows of it: how its text is read, and where a fit finds it.
struct OptionEntry {
  Option option;
  std::function<void(const Option&, FitRequest&, const std::string& text)> set;  // throws Error{usage}
  std::function<bool(const FitRequest&)> is_given;
  std::function<void(FitOptions&, const FitRequest&)> fill;  // if it is given
  std::function<std::string(const FitOptions&)> text;
};

const std::vector<OptionEntry>& option_entries();
// By name or alias; null if there is none.
const OptionEntry* find_entry(std::string_view name);

}  // namespace ta2s2
