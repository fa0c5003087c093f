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
  const std::string& text() const { return text_; }
  /// The part before the parentheses.
  std::string name() const { return text_.substr(0, text_.find('(')); }
  friend bool operator==(const Spec&, const Spec&) = default;

 private:
  explicit Spec(std::string text) : text_(std::move(text)) {}
  friend struct SpecMaker;
  std::string text_;
};

/// Each is an Error{usage} that lists what there is if the text is none of it. Whether the inputs that a prior or a
/// trend names are there is known when it is fitted.
Spec parse_correlation(const std::string& text);
Spec parse_prior(const std::string& text);
Spec parse_nugget(const std::string& text);
Spec parse_trend(const std::string& text);
Spec parse_sampler(const std::string& text);
Spec parse_move(const std::string& text);

/// Bounds of a coordinate.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  double width() const { return high - low; }
  bool contains(double value) const { return low <= value && value <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// One model of the runs, or an average over several. automatic: an average, unless a correlation is named or there is
/// no evidence to weigh models by.
enum class ModelUse { automatic, single, average };

/// What gives the models of an average their weights: their evidence, how they predict each run from the others, or
/// nothing.
enum class Weighting { evidence, stacking, equal };

/// Prior of the trend's coefficients. flat: evidences compare only between models with the same trend.
/// unit_information: the intercept is flat, the others are normal and worth one run (docs/math.md, section 13).
enum class TrendPrior { flat, unit_information };

/// Power of S^2 in the integrated likelihood: m/2, or (n - p)/2 as (2.10) prints it (docs/paper_notes.md, note 4).
enum class Exponent { model, paper };

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
  enum class Reading { text, algorithm1 };
  enum class Pull { linear, exponential };  ///< alpha_i = 1 - 1/i or 1 - exp(-i)

  Reading reading = Reading::text;
  Pull pull = Pull::linear;
  double renewal_probability = 0.1;  ///< p_renew
  int max_crumbs = 20;
};

// ---- settings ----

/// The Gaussian process.
struct ModelSettings {
  std::optional<Spec> correlation = {}, prior = {}, nugget = {}, trend = {};
  std::optional<TrendPrior> trend_prior = {};
  std::optional<ModelUse> use = {};
  std::optional<std::vector<Spec>> average_over = {};  ///< correlations
  std::optional<Weighting> weighting = {};
  std::optional<Exponent> exponent = {};
  std::optional<Interval> box = {};         ///< of every log phi
  std::optional<Interval> nugget_box = {};  ///< of the nugget's sampling coordinate
};

/// The sampler.
struct SamplerSettings {
  std::optional<Spec> sampler = {}, move = {};
  std::optional<Index> samples = {}, chain_length = {}, groups = {};
  std::optional<Growth> growth = {};
  std::optional<Coordinates> coordinates = {};
  std::optional<TemperingStart> start = {};
  std::optional<double> ess_target = {};
  std::optional<DrawsFrom> draws_from = {};
  std::optional<bool> anneal_to_zero = {}, map_only = {}, check = {};
  std::optional<PublishedOptions::Reading> published_reading = {};
  std::optional<PublishedOptions::Pull> published_pull = {};
  std::optional<double> published_renewal = {};
  std::optional<std::uint64_t> seed = {};
};

struct FitSettings {
  ModelSettings model = {};
  SamplerSettings sampler = {};
  /// The instruction set of the hot loop, by name; "auto" takes the fastest of this processor.
  std::optional<std::string> instructions = {};
};

/// What an update by more runs may choose; the rest is the emulator's.
struct AddRunsOptions {
  std::optional<std::uint64_t> seed = std::nullopt;  ///< none: that of the fit. Streams are other than those of the fit
  std::string instructions = "auto";
  bool afresh = false;  ///< fit all runs from scratch instead, with the emulator's settings, scaling and prior
};

/// All that a command line, a TOML file or keywords can say.
struct FitRequest {
  Columns columns = {};
  FitSettings settings = {};
  Context context = {};
};

// ---- settings as text ----

/// Who a setting is for: everyone, those who know the method, or those who repeat the paper.
enum class Audience { everyone, expert, paper };

/// One setting.
struct Option {
  std::string name;    ///< as on the command line, without the dashes
  std::string alias;   ///< an earlier name; or empty
  std::string symbol;  ///< the paper's; or empty
  std::string range;   ///< what is allowed
  std::string help;
  Audience audience = Audience::everyone;
  bool is_flag = false;
  bool is_recorded = true;  ///< in the model file; false: it changes no bit of the result
  std::string default_text = {};
};

std::span<const Option> option_table();
/// By its name or its alias; null if there is none.
const Option* find_option(std::string_view name);

/// A setting as it is typed.
struct Setting {
  std::string name, text;
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
