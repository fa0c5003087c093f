#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {
namespace {

[[noreturn]] void refuse(const OptionSpec& spec, const std::string& text) {
  throw Error(ErrorCode::usage, "--" + spec.name + ": found \"" + text + "\", expected " + spec.range);
}

double to_number(const OptionSpec& spec, const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) refuse(spec, text);
  return value;
}

double number_between(const OptionSpec& spec, const std::string& text, double low, double high) {
  const double value = to_number(spec, text);
  if (value < low || value > high) refuse(spec, text);
  return value;
}

template <typename Integer>
Integer integer_between(const OptionSpec& spec, const std::string& text, Integer low, Integer high) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) refuse(spec, text);
  return value;
}

bool to_bool(const OptionSpec& spec, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse(spec, text);
}

std::vector<std::string> to_names(const OptionSpec& spec, const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> names = split(text, ',');
  for (const std::string& name : names) {
    if (name.empty()) refuse(spec, text);
  }
  return names;
}

void check_correlation(const OptionSpec& spec, const std::string& text, const std::string& correlation) {
  try {
    make_covariance(correlation);
  } catch (const Error&) {
    refuse(spec, text);
  }
}

// A correlation that is known by name tells itself what is wrong with its number.
std::string to_correlation(const OptionSpec& spec, const std::string& text) {
  if (text == kAutomaticCorrelation) return text;
  const std::vector<std::string> names = covariance_names();
  const auto begins = text.substr(0, text.find('(') + 1);
  const bool has_number = !begins.empty() && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.rfind(begins, 0) == 0;
  });
  if (has_number) {
    make_covariance(text);
  } else {
    check_correlation(spec, text, text);
  }
  return text;
}

// Each once; power-exponential(1.9) has no comma of its own.
std::vector<std::string> to_correlations(const OptionSpec& spec, const std::string& text) {
  if (text == kStructures) return kStructureCorrelations;
  std::vector<std::string> correlations = to_names(spec, text);
  for (const std::string& correlation : correlations) check_correlation(spec, text, correlation);
  const std::set<std::string> different(correlations.begin(), correlations.end());
  if (correlations.size() < 2 || different.size() < correlations.size()) refuse(spec, text);
  return correlations;
}

Interval to_interval(const OptionSpec& spec, const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 2) refuse(spec, text);
  for (const std::string& part : parts) {
    if (part.find_first_not_of("+-.0123456789eE") != std::string::npos) refuse(spec, text);
  }
  const Interval interval{to_number(spec, parts[0]), to_number(spec, parts[1])};
  constexpr double kWidest = 50.0;  // beyond, exp(z) and the correlation tell no two values apart
  if (!(-kWidest <= interval.low && interval.low < interval.high && interval.high <= kWidest)) refuse(spec, text);
  return interval;
}

std::string to_text(const Interval& interval) {
  return format_number(interval.low) + "," + format_number(interval.high);
}

// Each unit once, the largest first; a number without one is seconds.
double to_seconds(const OptionSpec& spec, const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  constexpr std::pair<char, double> kUnits[] = {{'h', 3600.0}, {'m', 60.0}, {'s', 1.0}};
  const auto* unit = std::begin(kUnits);
  double total = 0.0;
  const char* next = text.data();
  const char* const end = next + text.size();
  do {
    double value = 0.0;
    const auto [after, error] = std::from_chars(next, end, value);
    if (error != std::errc() || !(value >= 0.0 && value <= kMostSeconds)) refuse(spec, text);
    if (after == end) return total + value;
    unit = std::find_if(unit, std::end(kUnits), [&](const auto& candidate) { return candidate.first == *after; });
    if (unit == std::end(kUnits)) refuse(spec, text);
    total += unit->second * value;
    ++unit;
    next = after + 1;
  } while (next != end);
  return total;
}

double some_seconds(const OptionSpec& spec, const std::string& text) {
  const double seconds = to_seconds(spec, text);
  if (!(seconds > 0.0)) refuse(spec, text);
  return seconds;
}

std::string to_text(bool value) {
  return value ? "true" : "false";
}

// One of several words, each standing for a value.
template <typename Value>
struct Word {
  const char* word;
  Value value;
};

template <typename Value, std::size_t count>
Value from_word(const OptionSpec& spec, const std::string& text, const Word<Value> (&words)[count]) {
  for (const auto& candidate : words) {
    if (text == candidate.word) return candidate.value;
  }
  refuse(spec, text);
}

template <typename Value, std::size_t count>
std::string to_word(Value value, const Word<Value> (&words)[count]) {
  for (const auto& candidate : words) {
    if (candidate.value == value) return candidate.word;
  }
  return "";
}

constexpr Word<Growth> kGrowths[] = {{"equal", Growth::equal}, {"tmcmc", Growth::tmcmc}};
constexpr Word<TemperingStart> kPaths[] = {{"posterior", TemperingStart::posterior}, {"prior", TemperingStart::prior}};
constexpr Word<TrendPrior> kTrendPriors[] = {{"flat", TrendPrior::flat},
                                             {"unit-information", TrendPrior::unit_information}};
constexpr Word<Exponent> kExponents[] = {{"model", Exponent::model}, {"paper", Exponent::paper}};
constexpr Word<PublishedOptions::Reading> kReadings[] = {{"text", PublishedOptions::Reading::text},
                                                         {"algorithm1", PublishedOptions::Reading::algorithm1}};
constexpr Word<PublishedOptions::Pull> kPulls[] = {{"linear", PublishedOptions::Pull::linear},
                                                   {"exponential", PublishedOptions::Pull::exponential}};
constexpr Word<Coordinates> kCoordinates[] = {{"unbounded", Coordinates::unbounded}, {"box", Coordinates::box}};
constexpr Word<DrawsFrom> kDrawsFrom[] = {
    {"auto", DrawsFrom::automatic}, {"all-levels", DrawsFrom::all_levels}, {"last-level", DrawsFrom::last_level}};
constexpr Word<ModelUse> kModelUses[] = {
    {"auto", ModelUse::automatic}, {"single", ModelUse::single}, {"average", ModelUse::average}};
constexpr Word<Weighting> kWeightings[] = {
    {"evidence", Weighting::evidence}, {"stacking", Weighting::stacking}, {"equal", Weighting::equal}};
constexpr Word<bool> kAnnealTo[] = {{"1", false}, {"0", true}};

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

using Options = FitOptions;
using Text = const std::string;

// clang-format off
std::vector<OptionSpec> make_table() {
  std::vector<OptionSpec> table = {
      {"output", "y", "column names or patterns (* and ?), separated by commas", "column that holds the simulator's output; several are fitted side by side into one model file", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { o.output = t; },
       [](const Options& o) { return o.output; }},
      {"inputs", "x", "column names separated by commas", "columns that hold the inputs; all but the output if not given", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.inputs = to_names(s, t); },
       [](const Options& o) { return joined(o.inputs, ","); }},
      {"ranges", "", "a CSV file with columns name,min,max", "declared ranges of the inputs; observed ranges if not given", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { o.ranges = t; },
       [](const Options& o) { return o.ranges; }},

      {"prior", "p(phi)", joined(length_scale_prior_names(), ", ") + " (one per input, as in a=gamma(2,1);*=log-uniform)", "prior of the length-scales", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { o.prior = t; },
       [](const Options& o) { return o.prior; }},
      {"nugget", "phi_delta", joined(nugget_prior_names(), ", "), "prior of the nugget, or its fixed value", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { make_nugget_prior(t); o.nugget = t; },
       [](const Options& o) { return o.nugget; }},
      {"trend", "h(x)", "none, constant, linear, terms(a,b,a^2)", "mean of the process", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { o.trend = t; },
       [](const Options& o) { return o.trend; }},
      {"trend-prior", "p(beta)", "flat, unit-information", "prior of the trend's coefficients: flat, or worth one run for all but the intercept, so that evidences of different trends compare", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.trend_prior = from_word(s, t, kTrendPriors); },
       [](const Options& o) { return to_word(o.trend_prior, kTrendPriors); }},
      {"correlation", "k(x,x')", "auto, " + joined(covariance_names(), ", "), "correlation between runs; auto: those of an average, matern52 of a single model", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.correlation = to_correlation(s, t); },
       [](const Options& o) { return o.correlation; }},
      {"model", "", "auto, single, average", "one model, of --correlation, or an average over those of --average-over; auto: an average, unless a correlation is named or the settings leave no evidence to weigh by", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.model = from_word(s, t, kModelUses); },
       [](const Options& o) { return to_word(o.model, kModelUses); }},
      {"average-over", "", "two or more correlations, separated by commas, or structures: " + joined(kStructureCorrelations, ","), "correlations whose models are averaged", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.average_over = to_correlations(s, t); },
       [](const Options& o) { return joined(o.average_over, ","); }},
      {"weighting", "", "evidence, stacking, equal", "what gives the models of an average their weights: their evidence, how they predict each run from the others, or nothing", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.weighting = from_word(s, t, kWeightings); },
       [](const Options& o) { return to_word(o.weighting, kWeightings); }},
      {"exponent", "(n-p)/2", "model, paper", "power of S2 in the likelihood: what the model gives, or (2.10) as printed", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.exponent = from_word(s, t, kExponents); },
       [](const Options& o) { return to_word(o.exponent, kExponents); }},
      {"box", "", "two numbers low,high with -50 <= low < high <= 50", "bounds of every log phi", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.box = to_interval(s, t); },
       [](const Options& o) { return to_text(o.box); }},
      {"nugget-box", "", "two numbers low,high with -50 <= low < high <= 50", "bounds of the nugget's sampling coordinate z_delta of (5.1)", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.nugget_box = to_interval(s, t); },
       [](const Options& o) { return to_text(o.nugget_box); }},

      {"samples", "N", "a whole number from 60 to 10000000", "draws per level", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.num_samples = integer_between<Index>(s, t, 60, 10'000'000); },
       [](const Options& o) { return std::to_string(o.annealing.num_samples); }},
      {"sampler", "", joined(sampler_names(), ", "), "sampling system; sets kernel and growth, which may be set beside it. nuts adds 1000 steps of warm-up to each chain and computes in plain form", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { find_sampler(t).choose(o); o.sampler = t; },
       [](const Options& o) { return o.sampler; }},
      {"kernel", "", joined(move_names(), ", "), "Markov kernel of a level; published is the paper's and is not exact", false, true, "",
       [](Options& o, Text& t, const OptionSpec&) { make_move({t, {}, {}}); o.annealing.kernel.name = t; },
       [](const Options& o) { return o.annealing.kernel.name; }},
      {"growth", "", "equal, tmcmc", "chains of equal length, or TMCMC's as in the paper", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.growth = from_word(s, t, kGrowths); },
       [](const Options& o) { return to_word(o.annealing.growth, kGrowths); }},
      {"chain-length", "P", "a whole number from 0 to 100000", "states per chain of equal growth, or moves per particle and run of plgp; 0 chooses by dimension", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.chain_length = integer_between<Index>(s, t, 0, 100'000); },
       [](const Options& o) { return std::to_string(o.annealing.chain_length); }},
      {"groups", "", "a whole number from 1 to 64", "groups of chains that share no ancestor; comparing them shows what one has lost. Of slice, elliptical and nuts, the number of chains", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.num_groups = integer_between<Index>(s, t, 1, 64); },
       [](const Options& o) { return std::to_string(o.annealing.num_groups); }},
      {"coordinates", "", "unbounded, box", "where chains move: where the box has no border, or in the box itself", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.coordinates = from_word(s, t, kCoordinates); },
       [](const Options& o) { return to_word(o.annealing.coordinates, kCoordinates); }},
      {"path", "", "posterior, prior", "temper the whole posterior from the uniform box (4.2), or only the likelihood from the prior", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.path = from_word(s, t, kPaths); },
       [](const Options& o) { return to_word(o.path, kPaths); }},
      {"ess-target", "gamma", "a number from 0.05 to 0.99", "effective share of the sample that a change of temperature keeps (4.14)", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.ess_target = number_between(s, t, 0.05, 0.99); },
       [](const Options& o) { return format_number(o.annealing.ess_target); }},
      {"draws-from", "", "auto, all-levels, last-level", "levels whose states the sample is taken from; auto: all, weighted and thinned to N, unless growth or kernel is biased or anneal-to is 0", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.draws_from = from_word(s, t, kDrawsFrom); },
       [](const Options& o) { return to_word(o.draws_from, kDrawsFrom); }},
      {"anneal-to", "tau", "1, 0", "final temperature: 1 samples the posterior, 0 goes on to its maximum", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.anneal_to_zero = from_word(s, t, kAnnealTo); },
       [](const Options& o) { return to_word(o.annealing.anneal_to_zero, kAnnealTo); }},
      {"map-only", "", "true, false", "search the posterior's maximum and do not sample", true, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.map_only = to_bool(s, t); },
       [](const Options& o) { return to_text(o.map_only); }},
      {"check", "", "true, false", "run a second time with the next seed and compare", true, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.check = to_bool(s, t); },
       [](const Options& o) { return to_text(o.check); }},
      {"published-reading", "", "text, algorithm1", "which of the paper's statements the published kernel follows", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.kernel.published.reading = from_word(s, t, kReadings); },
       [](const Options& o) { return to_word(o.annealing.kernel.published.reading, kReadings); }},
      {"published-pull", "alpha_i", "linear, exponential", "pull of the published kernel to the current state: 1 - 1/i or 1 - exp(-i)", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.kernel.published.pull = from_word(s, t, kPulls); },
       [](const Options& o) { return to_word(o.annealing.kernel.published.pull, kPulls); }},
      {"published-renewal", "p_renew", "a number from 0 to 1", "chance of a renewal crumb in the published kernel", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.kernel.published.renewal_probability = number_between(s, t, 0.0, 1.0); },
       [](const Options& o) { return format_number(o.annealing.kernel.published.renewal_probability); }},

      {"seed", "", "a whole number from 0 to 18446744073709551615", "one seed gives one answer, on any number of threads", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.annealing.seed = integer_between<std::uint64_t>(s, t, 0, UINT64_MAX); },
       [](const Options& o) { return std::to_string(o.annealing.seed); }},
      {"simd", "", "auto, " + joined(instruction_set_names(), ", "), "instruction path of the hot loop; auto takes the fastest of this processor, plain the readable version", false, true, "",
       [](Options& o, Text& t, const OptionSpec& s) { if (t != "auto" && !is_instruction_set(t)) refuse(s, t); o.simd = t; },
       [](const Options& o) { return o.simd; }},
      {"threads", "", "a whole number from 0 to 1024", "threads to use; 0 takes every core this process may run on", false, false, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.threads = integer_between(s, t, 0, 1024); },
       [](const Options& o) { return std::to_string(o.threads); }},
      {"checkpoint", "", "a file", "where to keep what is done, level by level; a fit that was ended goes on from it (ta2s2 resume, or the same command again)", false, false, "",
       [](Options& o, Text& t, const OptionSpec&) { o.checkpoint = t; },
       [](const Options& o) { return o.checkpoint; }},
      {"checkpoint-every", "", "a time such as 90s, 5m or 1h30m", "how often to save within a long level", false, false, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.checkpoint_every = some_seconds(s, t); },
       [](const Options& o) { return format_number(o.checkpoint_every) + "s"; }},
      {"time-limit", "", "none, or a time such as 90s, 55m or 1h30m", "save to the checkpoint and end after this time", false, false, "",
       [](Options& o, Text& t, const OptionSpec& s) { o.time_limit = t == "none" ? kInfinity : some_seconds(s, t); },
       [](const Options& o) { return std::isinf(o.time_limit) ? "none" : format_number(o.time_limit) + "s"; }},
  };
  const FitOptions defaults;
  for (OptionSpec& spec : table) spec.default_text = spec.get(defaults);
  return table;
}
// clang-format on

}  // namespace

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table = make_table();
  return table;
}

const OptionSpec* find_option(const std::string& name) {
  for (const OptionSpec& spec : option_table()) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

}  // namespace ta2s2
