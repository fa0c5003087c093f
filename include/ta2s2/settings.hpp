// What a user may ask of a fit. Nothing that is not set counts as given: resolve() fills it, once, by what is given
// beside it. option_table() has every setting's name, range, default and help; docs/options.md prints it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// ---- choices ----

/// A choice from an open list, with what it takes: "matern52", "gamma(2,0.5)". Only the functions below make one, so
/// that it names something that there is.
class Spec {
 public:
  /// As it is typed, with all that it takes.
  const std::string& text() const { return text_; }
  /// The part before the parentheses.
  std::string name() const { return text_.substr(0, text_.find('(')); }
  /// Whether both name the same choice in the same words.
  friend bool operator==(const Spec&, const Spec&) = default;

 private:
  explicit Spec(std::string text) : text_(std::move(text)) {}
  friend struct SpecMaker;
  std::string text_;
};

// Each throws Error{usage} that lists what there is if the text is none of it. Whether the inputs that a prior or a
// trend names are there is known when it is fitted.
Spec parse_correlation(const std::string& text);  ///< such as "matern52"; Error{usage} lists all
Spec parse_prior(const std::string& text);   ///< of the length-scales, such as "gamma(2,0.5)"; Error{usage} lists all
Spec parse_nugget(const std::string& text);  ///< its prior or value, such as "fixed(0.01)"; Error{usage} lists all
Spec parse_trend(const std::string& text);   ///< such as "linear"; Error{usage} lists all
Spec parse_transform(const std::string& text);  ///< of the output, such as "box-cox"; Error{usage} lists all
Spec parse_sampler(const std::string& text);    ///< such as "ta2s2"; Error{usage} lists all
Spec parse_move(const std::string& text);       ///< of the sampler's chains; Error{usage} lists all

/// Bounds of a coordinate.
struct Interval {
  double low = 0.0;   ///< the lower one
  double high = 0.0;  ///< the upper one

  /// high - low.
  double width() const { return high - low; }
  /// Whether the value lies between them, or on one of them.
  bool contains(double value) const { return low <= value && value <= high; }
  /// Whether both bounds are the same.
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// One model of the runs, or an average over several. automatic: an average of the members that have the correlation
/// and the transformation that are named, unless fewer than two are left or there is nothing to weigh models by.
enum class ModelUse { automatic, single, average };

/// What gives the models of an average their weights: their evidence, how they predict each run from the others, or
/// nothing.
enum class Weighting { evidence, stacking, equal };

/// Whether predictions are widened until they hold the runs that are left out as often as they say (docs/math.md,
/// section 13).
enum class Recalibration { none, left_out };

/// Prior of the trend's coefficients. flat: evidences compare only between models with the same trend.
/// unit_information: the intercept is flat, the others are normal and worth one run (docs/math.md, section 13).
enum class TrendPrior { flat, unit_information };

/// Power of S^2 in the integrated likelihood: m/2, or (n - p)/2 as (2.10) prints it (docs/paper_notes.md, note 4).
enum class Exponent { model, paper };

/// How long the chains of a level are.
enum class Growth {
  equal,  ///< equal-length chains from systematic resampling (Dau and Chopin 2022): the default
  tmcmc,  ///< chain j as long as it was drawn (Ching and Chen 2007): the paper's, biased (docs/paper_notes.md, note 8)
};

/// Where chains move: where the box has no border, or in the box itself.
enum class Coordinates { unbounded, box };

/// Where tempering starts: the uniform density on the box (4.2), or the prior.
enum class TemperingStart { posterior, prior };

/// Which levels' states a sample is taken from. automatic: all of them, weighted, where that is right.
enum class DrawsFrom { automatic, all_levels, last_level };

/// Settings of the paper's move (4.8)-(4.12), whose texts disagree: docs/paper_notes.md, notes 1 to 3.
struct PublishedOptions {
  /// Which of the paper's two texts is meant.
  enum class Reading { text, algorithm1 };
  /// Towards the position, crumb after crumb: alpha_i = 1 - 1/i or 1 - exp(-i).
  enum class Pull { linear, exponential };

  Reading reading = Reading::text;   ///< of the move
  Pull pull = Pull::linear;          ///< towards the chain's position
  double renewal_probability = 0.1;  ///< p_renew
  int max_crumbs = 20;               ///< of one step
};

// ---- settings ----

/// The Gaussian process.
struct ModelSettings {
  /// Scales of the inputs; the first rule that fits an input counts. Other inputs have the scale of their range.
  std::optional<std::vector<InputScaleRule>> input_scale = {};
  std::optional<Spec> correlation = {};                ///< how runs resemble each other; parse_correlation
  std::optional<Spec> prior = {};                      ///< of the length-scales; parse_prior
  std::optional<Spec> nugget = {};                     ///< its prior or its fixed value; parse_nugget
  std::optional<Spec> trend = {};                      ///< the mean; parse_trend
  std::optional<TrendPrior> trend_prior = {};          ///< of the trend's coefficients
  std::optional<Spec> transform = {};                  ///< of the output; parse_transform
  std::optional<ModelUse> use = {};                    ///< one model, or several
  std::optional<std::vector<Spec>> average_over = {};  ///< its members: "correlation*transform", or a correlation
  std::optional<Weighting> weighting = {};             ///< of an average
  std::optional<Recalibration> recalibration = {};     ///< of predictions, by left-out runs
  std::optional<Exponent> exponent = {};               ///< of the likelihood
  std::optional<Interval> box = {};                    ///< of every log phi
  std::optional<Interval> nugget_box = {};             ///< of the nugget's sampling coordinate
};

/// The sampler.
struct SamplerSettings {
  std::optional<Spec> sampler = {};  ///< which one; parse_sampler
  std::optional<Spec> move = {};     ///< of its chains; parse_move
  /// Draws that the sample holds; of other samplers than ta2s2, draws per level. 0 or none: auto, see docs/options.md.
  std::optional<Index> samples = {};
  std::optional<std::int64_t> max_evaluations = {};  ///< of the density, after which the sampler ta2s2 begins no pass
  std::optional<Index> chain_length = {};            ///< states of a chain in a level
  std::optional<Index> groups = {};                  ///< of chains that share no ancestor
  std::optional<Growth> growth = {};                 ///< of chains
  std::optional<Coordinates> coordinates = {};       ///< that chains move in
  std::optional<TemperingStart> start = {};          ///< of tempering
  std::optional<double> ess_target = {};             ///< share of the draws that a level's weights are to be worth
  std::optional<DrawsFrom> draws_from = {};          ///< which levels
  std::optional<bool> anneal_to_zero = {};           ///< go on past the posterior, towards its maxima
  std::optional<bool> fast = {};                     ///< each model's posterior maximum in place of a sample
  std::optional<bool> check = {};                    ///< fit again with another seed, and compare
  std::optional<PublishedOptions::Reading> published_reading = {};  ///< of the paper's move
  std::optional<PublishedOptions::Pull> published_pull = {};        ///< of the paper's move
  std::optional<double> published_renewal = {};                     ///< of the paper's move: p_renew
  std::optional<std::uint64_t> seed = {};                           ///< of every random number
};

/// All that decides what a fit gives.
struct FitSettings {
  ModelSettings model = {};      ///< the Gaussian process
  SamplerSettings sampler = {};  ///< of its hyper-parameters
  /// The instruction set of the hot loop, by name; "auto" takes the fastest of this processor.
  std::optional<std::string> instructions = {};
};

/// What an update by more runs may choose; the rest is the emulator's.
struct AddRunsOptions {
  std::optional<std::uint64_t> seed = std::nullopt;  ///< none: that of the fit. Streams are other than those of the fit
  std::string instructions = "auto";                 ///< as in FitSettings
  bool afresh = false;  ///< fit all runs from scratch instead, with the emulator's settings, scaling and prior
};

/// All that a command line, a TOML file or keywords can say.
struct FitRequest {
  Columns columns = {};       ///< of the file with the runs
  FitSettings settings = {};  ///< what decides the result
  Context context = {};       ///< what does not
};

// ---- settings as text ----

/// Who a setting is for: everyone, those who know the method, or those who repeat the paper.
enum class Audience { everyone, expert, paper };

/// One setting.
struct Option {
  std::string name;                        ///< as on the command line, without the dashes
  std::string alias;                       ///< an earlier name; or empty
  std::string symbol;                      ///< the paper's; or empty
  std::string range;                       ///< what is allowed
  std::string help;                        ///< in a sentence
  Audience audience = Audience::everyone;  ///< who it is for
  bool is_flag = false;                    ///< it takes no value
  bool is_recorded = true;                 ///< in the model file; false: it changes no bit of the result
  std::string default_text = {};           ///< as it is typed; or empty
};

/// All settings, in the order of docs/options.md.
std::span<const Option> option_table();
/// By its name or its alias; null if there is none.
const Option* find_option(std::string_view name);

/// A setting as it is typed.
struct Setting {
  std::string name,  ///< as in option_table()
      text;          ///< its value
};

/// Error{usage} that begins with the setting's name if the text is not allowed.
void set_option(FitRequest& request, std::string_view name, const std::string& text);
/// All of them; one Error{usage} that names every problem.
void set_options(FitRequest& request, const std::vector<Setting>& settings);
/// One Error{usage} that names every setting that contradicts another. A fit asks it too.
void check_settings(const FitRequest& request);
/// Settings from a TOML file, by the names of the command line; text, numbers, true, false, and arrays such as
/// box = [-7, 7]. Error{bad_file} if it cannot be read, Error{usage} with file, line and column if it is no TOML or
/// names no setting.
std::vector<Setting> read_config(const std::filesystem::path& file);

}  // namespace ta2s2
