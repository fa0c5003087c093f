#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "ta2s2/data/input_scale.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {

struct SpecMaker {
  static Spec make(std::string text) { return Spec(std::move(text)); }
};

namespace {

[[noreturn]] void refuse(const Option& option, const std::string& text) {
  throw Error(ErrorCode::usage, "--" + option.name + ": found \"" + text + "\", expected " + option.range);
}

double to_number(const Option& option, const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) refuse(option, text);
  return value;
}

std::vector<std::string> to_names(const Option& option, const std::string& text) {
  if (text.empty()) return {};
  std::vector<std::string> names = split(text, ',');
  for (const std::string& name : names) {
    if (name.empty()) refuse(option, text);
  }
  return names;
}

void require_correlation(const Option& option, const std::string& text, const std::string& correlation) {
  try {
    make_covariance(correlation);
  } catch (const Error&) {
    refuse(option, text);
  }
}

void require_transform(const Option& option, const std::string& text, const std::string& transform) {
  if (!contains(transform_names(), transform)) refuse(option, text);
}

// A correlation that is known by name tells itself what is wrong with its number.
void check_correlation(const Option& option, const std::string& text) {
  if (text == kAutomatic) return;
  const std::vector<std::string> names = covariance_names();
  const auto begins = text.substr(0, text.find('(') + 1);
  const bool has_number = !begins.empty() && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.rfind(begins, 0) == 0;
  });
  if (has_number) {
    make_covariance(text);
  } else {
    require_correlation(option, text, text);
  }
}

// Of those that name inputs, which only a fit knows, nothing is checked here.
void check_prior(const Option&, const std::string& text) {
  information_needed_by(text);
}

void check_transform(const Option& option, const std::string& text) {
  if (text != kAutomatic) require_transform(option, text, text);
}

void check_trend(const Option&, const std::string& text) {
  if (text.rfind("terms(", 0) != 0) Trend(text, {"x"});
}

// Each once; power-exponential(1.9) has no comma of its own.
std::vector<std::string> to_members(const Option& option, const std::string& text) {
  if (text == kStructures) return kStructureCorrelations;
  std::vector<std::string> members;
  for (const std::string& typed : to_names(option, text)) {
    const MemberName member = parse_member(typed);
    require_correlation(option, text, member.correlation);
    require_transform(option, text, member.transform);
    members.push_back(member.text());
  }
  const std::set<std::string> different(members.begin(), members.end());
  if (members.size() < 2 || different.size() < members.size()) refuse(option, text);
  return members;
}

Interval to_interval(const Option& option, const std::string& text, const Interval& widest) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 2) refuse(option, text);
  for (const std::string& part : parts) {
    if (part.find_first_not_of("+-.0123456789eE") != std::string::npos) refuse(option, text);
  }
  const Interval interval{to_number(option, parts[0]), to_number(option, parts[1])};
  if (!(widest.low <= interval.low && interval.low < interval.high && interval.high <= widest.high)) {
    refuse(option, text);
  }
  return interval;
}

// Each unit once, the largest first; a number without one is seconds.
double to_seconds(const Option& option, const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  constexpr std::pair<char, double> kUnits[] = {{'h', 3600.0}, {'m', 60.0}, {'s', 1.0}};
  const auto* unit = std::begin(kUnits);
  double total = 0.0;
  const char* next = text.data();
  const char* const end = next + text.size();
  do {
    double value = 0.0;
    const auto [after, error] = std::from_chars(next, end, value);
    if (error != std::errc() || !(value >= 0.0 && value <= kMostSeconds)) refuse(option, text);
    if (after == end) return total + value;
    unit = std::find_if(unit, std::end(kUnits),
                        [letter = *after](const auto& candidate) { return candidate.first == letter; });
    if (unit == std::end(kUnits)) refuse(option, text);
    total += unit->second * value;
    ++unit;
    next = after + 1;
  } while (next != end);
  return total;
}

// One of several words, each standing for a value.
template <typename Value>
struct Word {
  const char* word;
  Value value;
};

constexpr Word<Growth> kGrowths[] = {{"equal", Growth::equal}, {"tmcmc", Growth::tmcmc}};
constexpr Word<TemperingStart> kStarts[] = {{"posterior", TemperingStart::posterior}, {"prior", TemperingStart::prior}};
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
constexpr Word<Recalibration> kRecalibrations[] = {{"left-out", Recalibration::left_out},
                                                   {"none", Recalibration::none}};
constexpr Word<bool> kAnnealTo[] = {{"1", false}, {"0", true}};

// ---- how a setting's text and its value become each other ----

struct Plain {
  std::string parse(const Option&, const std::string& text) const { return text; }
  std::string text(const std::string& value) const { return value; }
};

struct Names {
  std::vector<std::string> parse(const Option& option, const std::string& text) const { return to_names(option, text); }
  std::string text(const std::vector<std::string>& value) const { return join(value, ","); }
};

// A dictionary of Python comes with semicolons.
struct InputScales {
  std::vector<InputScaleRule> parse(const Option& option, std::string text) const {
    std::ranges::replace(text, ';', ',');
    std::vector<InputScaleRule> rules;
    for (const std::string& part : to_names(option, text)) {
      const std::size_t equals = part.rfind('=');
      if (equals == std::string::npos) refuse(option, part);
      const std::string pattern = trimmed(part.substr(0, equals));
      const std::optional<InputScale> scale = find_input_scale(trimmed(part.substr(equals + 1)));
      if (pattern.empty() || !scale) refuse(option, part);
      rules.push_back({pattern, *scale});
    }
    return rules;
  }
  std::string text(const std::vector<InputScaleRule>& value) const {
    return join(value, ",", [](const InputScaleRule& rule) {
      return rule.pattern + "=" + words_of(rule.scale)[static_cast<std::size_t>(rule.scale)];
    });
  }
};

struct Truth {
  bool parse(const Option& option, const std::string& text) const {
    if (text != "true" && text != "false") refuse(option, text);
    return text == "true";
  }
  std::string text(bool value) const { return value ? "true" : "false"; }
};

struct Number {
  double low, high;
  double parse(const Option& option, const std::string& text) const {
    const double value = to_number(option, text);
    if (value < low || value > high) refuse(option, text);
    return value;
  }
  std::string text(double value) const { return format_number(value); }
};

template <class Integer>
struct Whole {
  Integer low, high;
  Integer parse(const Option& option, const std::string& text) const {
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) refuse(option, text);
    return value;
  }
  std::string text(Integer value) const { return std::to_string(value); }
};

// A number, or 0 for what is chosen by itself.
struct AutomaticCount {
  Index low, high;
  Index parse(const Option& option, const std::string& text) const {
    return text == "auto" ? 0 : Whole<Index>{low, high}.parse(option, text);
  }
  std::string text(Index value) const { return value == 0 ? "auto" : std::to_string(value); }
};

struct Limit {
  std::int64_t parse(const Option& option, const std::string& text) const {
    return text == "none" ? kNoLimit : Whole<std::int64_t>{1, kNoLimit}.parse(option, text);
  }
  std::string text(std::int64_t value) const { return value == kNoLimit ? "none" : std::to_string(value); }
};

struct Instructions {
  std::string parse(const Option& option, const std::string& text) const {
    if (text != "auto" && !is_instruction_set(text)) refuse(option, text);
    return text;
  }
  std::string text(const std::string& value) const { return value; }
};

struct Bounds {
  Interval widest;  // beyond, exp(z) and the correlation tell no two values apart
  Interval parse(const Option& option, const std::string& text) const { return to_interval(option, text, widest); }
  std::string text(const Interval& value) const { return format_number(value.low) + "," + format_number(value.high); }
};

struct Seconds {
  bool may_be_none;
  double parse(const Option& option, const std::string& text) const {
    if (may_be_none && text == "none") return kInfinity;
    const double seconds = to_seconds(option, text);
    if (!(seconds > 0.0)) refuse(option, text);
    return seconds;
  }
  std::string text(double value) const { return std::isinf(value) ? "none" : format_number(value) + "s"; }
};

template <class Value>
struct Words {
  std::span<const Word<Value>> list;
  Value parse(const Option& option, const std::string& text) const {
    for (const Word<Value>& word : list) {
      if (text == word.word) return word.value;
    }
    refuse(option, text);
  }
  std::string text(Value value) const {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& word) { return word.value == value; });
    return found == list.end() ? "" : found->word;
  }
};
template <class Value, std::size_t count>
Words(const Word<Value> (&)[count]) -> Words<Value>;

// By the table of rules.
Words<Weighting> weighting_words() {
  static const std::vector<Word<Weighting>> words = [] {
    std::vector<Word<Weighting>> list;
    for (const WeightingRule& rule : weighting_rules()) list.push_back({rule.word, rule.weighting});
    return list;
  }();
  return {words};
}

// The check throws Error{usage} for what is not in its list.
struct Specs {
  void (*check)(const Option&, const std::string& text);
  Spec parse(const Option& option, const std::string& text) const {
    check(option, text);
    return SpecMaker::make(text);
  }
  std::string text(const std::string& value) const { return value; }
};

struct SpecList {
  std::vector<Spec> parse(const Option& option, const std::string& text) const {
    std::vector<Spec> specs;
    for (const std::string& each : to_members(option, text)) specs.push_back(SpecMaker::make(each));
    return specs;
  }
  std::string text(const std::vector<std::string>& value) const { return join(value, ","); }
};

// ---- the table ----

template <class Value>
const Value* given(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}
template <class Value>
const Value* given(const Value& value) {
  return &value;
}

template <class Value>
void keep(Value& complete, const Value& asked) {
  complete = asked;
}
void keep(std::string& complete, const Spec& asked) {
  complete = asked.text();
}
void keep(std::vector<std::string>& complete, const std::vector<Spec>& asked) {
  complete.clear();
  for (const Spec& spec : asked) complete.push_back(spec.text());
}

// `asked` and `complete` find the setting in what a user asks for, and in what a fit goes by.
template <class Codec, class Asked, class Complete>
OptionEntry entry(Option option, Codec codec, Asked asked, Complete complete) {
  OptionEntry made{std::move(option), {}, {}, {}, {}};
  made.set = [codec, asked](const Option& own, FitRequest& request, const std::string& text) {
    asked(request) = codec.parse(own, text);
  };
  made.is_given = [asked](const FitRequest& request) {
    return given(asked(const_cast<FitRequest&>(request))) != nullptr;
  };
  made.fill = [asked, complete](FitOptions& options, const FitRequest& request) {
    if (const auto* value = given(asked(const_cast<FitRequest&>(request)))) keep(complete(options), *value);
  };
  made.text = [codec, complete](const FitOptions& options) {
    return codec.text(complete(const_cast<FitOptions&>(options)));
  };
  made.option.default_text = made.text(FitOptions());
  return made;
}

// What is of the context changes no bit of a fit.
template <class Codec, class Asked>
OptionEntry context_entry(Option option, Codec codec, Asked asked) {
  OptionEntry made{std::move(option), {}, {}, {}, {}};
  made.option.is_recorded = false;
  made.set = [codec, asked](const Option& own, FitRequest& request, const std::string& text) {
    asked(request) = codec.parse(own, text);
  };
  made.is_given = [](const FitRequest&) { return true; };
  made.fill = [](FitOptions&, const FitRequest&) {};
  FitRequest defaults;
  const std::string text = codec.text(asked(defaults));
  made.text = [text](const FitOptions&) { return text; };
  made.option.default_text = text;
  return made;
}

// "jointly-robust -7,30; ...; others -7,7".
std::string boxes_of_priors() {
  const auto text = [](const Interval& box) { return format_number(box.low) + "," + format_number(box.high); };
  std::string list;
  for (const std::string& prior : length_scale_prior_examples()) {
    const Interval box = log_phi_box_of(prior);
    if (box != kDefaultLogPhiBox) list += prior + " " + text(box) + "; ";
  }
  return list + "others " + text(kDefaultLogPhiBox);
}

// clang-format off
#define TA2S2_ASKED(member) [](FitRequest& r) -> auto& { return r.member; }
#define TA2S2_FULL(member) [](FitOptions& o) -> auto& { return o.member; }

constexpr Audience kEveryone = Audience::everyone, kExpert = Audience::expert, kPaper = Audience::paper;

std::vector<OptionEntry> make_table() {
  return {
      entry({"output", "", "y", "column names or patterns (* and ?), separated by commas", "output column; several, by commas, go into one model file; y or the last column if not given", kEveryone, false, true},
            Plain{}, TA2S2_ASKED(columns.outputs), TA2S2_FULL(output)),
      entry({"inputs", "", "x", "column names separated by commas", "columns that hold the inputs; all but the output if not given", kEveryone, false, true},
            Names{}, TA2S2_ASKED(columns.inputs), TA2S2_FULL(inputs)),
      entry({"ranges", "", "", "a CSV file with columns name,min,max and perhaps scale", "declared ranges of the inputs; observed ranges if not given", kEveryone, false, true},
            Plain{}, TA2S2_ASKED(columns.ranges), TA2S2_FULL(ranges)),
      entry({"input-scale", "", "", "names or patterns (* and ?), each with linear or log, as in k=log,r*=log; the first that fits an input counts", "scales of the inputs: the model sees the logarithm of an input with scale log, which must be positive. Other inputs have the scale that --ranges gives them, or linear: logarithms are never taken automatically, because measurements showed harm", kEveryone, false, true},
            InputScales{}, TA2S2_ASKED(settings.model.input_scale), TA2S2_FULL(input_scale)),
      entry({"prior", "", "p(phi)", join(length_scale_prior_names(), ", ") + " (one per input, as in a=gamma(2,1);*=log-uniform)", "prior of the length-scales", kEveryone, false, true},
            Specs{check_prior}, TA2S2_ASKED(settings.model.prior), TA2S2_FULL(prior)),
      entry({"nugget", "", "phi_delta", join(nugget_prior_names(), ", "), "prior of the nugget, or its fixed value", kEveryone, false, true},
            Specs{[](const Option&, const std::string& t) { make_nugget_prior(t); }}, TA2S2_ASKED(settings.model.nugget), TA2S2_FULL(nugget)),
      entry({"trend", "", "h(x)", "none, constant, linear, terms(a,b,a^2)", "mean of the process", kEveryone, false, true},
            Specs{check_trend}, TA2S2_ASKED(settings.model.trend), TA2S2_FULL(trend)),
      entry({"trend-prior", "", "p(beta)", "flat, unit-information", "prior of the trend's coefficients: flat, or worth one run for all but the intercept, so that evidences of different trends compare", kExpert, false, true},
            Words{kTrendPriors}, TA2S2_ASKED(settings.model.trend_prior), TA2S2_FULL(trend_prior)),
      entry({"correlation", "", "k(x,x')", "auto, " + join(covariance_names(), ", "), std::string("correlation between runs; given, the members of the average that have it stay; auto: ") + kSingleCorrelation + " for one model, those of --average-over for an average", kEveryone, false, true},
            Specs{check_correlation}, TA2S2_ASKED(settings.model.correlation), TA2S2_FULL(correlation)),
      entry({"transform", "", "g(y)", "auto, " + join(transform_names(), ", "), std::string("transformation of the output, which the process describes in its place; given, the members of the average that have it stay; auto: ") + kSingleTransform + " for one model, those of --average-over for an average", kEveryone, false, true},
            Specs{check_transform}, TA2S2_ASKED(settings.model.transform), TA2S2_FULL(transform)),
      entry({"model", "", "", "auto, single, average", "one model, or an average over several; auto: an average of the members that have what --correlation and --transform name, one model if fewer than two are left or both are given", kEveryone, false, true},
            Words{kModelUses}, TA2S2_ASKED(settings.model.use), TA2S2_FULL(model)),
      entry({"average-over", "", "", "two or more members such as matern52*box-cox, separated by commas, where a correlation alone has no transformation, or structures: " + join(kStructureCorrelations, ","), "models that are averaged", kExpert, false, true},
            SpecList{}, TA2S2_ASKED(settings.model.average_over), TA2S2_FULL(average_over)),
      entry({"weighting", "", "", join(weighting_rules(), ", ", &WeightingRule::word), "how models are weighted: by how well they predict left-out runs (stacking), by evidence, or equally", kExpert, false, true},
            weighting_words(), TA2S2_ASKED(settings.model.weighting), TA2S2_FULL(weighting)),
      entry({"recalibration", "", "", "left-out, none", "left-out: intervals are widened by the factor by which runs that are left out ask for it; none: they are the model's own", kExpert, false, true},
            Words{kRecalibrations}, TA2S2_ASKED(settings.model.recalibration), TA2S2_FULL(recalibration)),
      entry({"exponent", "", "(n-p)/2", "model, paper", "power of S2 in the likelihood: what the model gives, or (2.10) as printed", kPaper, false, true},
            Words{kExponents}, TA2S2_ASKED(settings.model.exponent), TA2S2_FULL(exponent)),
      entry({"box", "", "", "two numbers low,high with -50 <= low < high <= 100", "bounds of every log phi; if not given they follow the prior: " + boxes_of_priors(), kExpert, false, true},
            Bounds{{-50.0, 100.0}}, TA2S2_ASKED(settings.model.box), TA2S2_FULL(box)),
      entry({"nugget-box", "", "", "two numbers low,high with -50 <= low < high <= 50", "bounds of the nugget's sampling coordinate z_delta of (5.1)", kExpert, false, true},
            Bounds{{-50.0, 50.0}}, TA2S2_ASKED(settings.model.nugget_box), TA2S2_FULL(nugget_box)),
      entry({"samples", "", "N", "auto, or a whole number from 60 to 10000000", "draws that the sample holds, or each model's of an average; auto: at most 2000, worth at least 400 independent ones; of an average by stacking at most 2000 in all, each model's worth at least 200. Samplers other than ta2s2 have so many states per level, auto: 2000", kEveryone, false, true},
            AutomaticCount{60, 10'000'000}, TA2S2_ASKED(settings.sampler.samples), TA2S2_FULL(samples)),
      entry({"max-evaluations", "", "", "none, or a whole number from 1", "evaluations of the posterior after which the sampler ta2s2 begins no further pass", kExpert, false, true},
            Limit{}, TA2S2_ASKED(settings.sampler.max_evaluations), TA2S2_FULL(max_evaluations)),
      entry({"sampler", "", "", join(sampler_list(), ", ", &SamplerSpec::name), "sampling system. ta2s2 looks for the posterior and then samples it in passes until two agree. The others, and settings that they alone have, are for comparisons: annealed tempers once, nuts adds 1000 steps of warm-up to each chain and computes in plain form", kExpert, false, true},
            Specs{[](const Option&, const std::string& t) { find_sampler(t); }}, TA2S2_ASKED(settings.sampler.sampler), TA2S2_FULL(sampler)),
      entry({"move", "kernel", "", join(move_names(), ", "), "Markov move (kernel) of a level of --sampler annealed; published is the paper's and is not exact", kExpert, false, true},
            Specs{[](const Option&, const std::string& t) { make_move({t, {}, {}}); }}, TA2S2_ASKED(settings.sampler.move), TA2S2_FULL(annealing.kernel.name)),
      entry({"growth", "", "", "equal, tmcmc", "chains of --sampler annealed: of equal length, or TMCMC's as in the paper", kExpert, false, true},
            Words{kGrowths}, TA2S2_ASKED(settings.sampler.growth), TA2S2_FULL(annealing.growth)),
      entry({"chain-length", "", "P", "a whole number from 0 to 100000", "states per chain of equal growth, or moves per particle and run of plgp; 0 chooses by dimension", kExpert, false, true},
            Whole<Index>{0, 100'000}, TA2S2_ASKED(settings.sampler.chain_length), TA2S2_FULL(annealing.chain_length)),
      entry({"groups", "", "", "a whole number from 1 to 64", "groups of chains that share no ancestor, compared to see whether one missed a mode; for slice, elliptical and nuts the number of chains", kExpert, false, true},
            Whole<Index>{1, 64}, TA2S2_ASKED(settings.sampler.groups), TA2S2_FULL(annealing.num_groups)),
      entry({"coordinates", "", "", "unbounded, box", "where chains of --sampler annealed move: where the box has no border, or in the box itself", kExpert, false, true},
            Words{kCoordinates}, TA2S2_ASKED(settings.sampler.coordinates), TA2S2_FULL(annealing.coordinates)),
      entry({"start", "path", "", "posterior, prior", "of --sampler annealed: temper the whole posterior from the uniform box (4.2), or only the likelihood from the prior", kExpert, false, true},
            Words{kStarts}, TA2S2_ASKED(settings.sampler.start), TA2S2_FULL(path)),
      entry({"ess-target", "", "gamma", "a number from 0.05 to 0.99", "effective share of the sample that a change of temperature of --sampler annealed keeps (4.14)", kExpert, false, true},
            Number{0.05, 0.99}, TA2S2_ASKED(settings.sampler.ess_target), TA2S2_FULL(annealing.ess_target)),
      entry({"draws-from", "", "", "auto, all-levels, last-level", "levels of --sampler annealed whose states the sample is taken from; auto: all, weighted and thinned to N, unless growth or move is biased or anneal-to is 0", kExpert, false, true},
            Words{kDrawsFrom}, TA2S2_ASKED(settings.sampler.draws_from), TA2S2_FULL(draws_from)),
      entry({"anneal-to", "", "tau", "1, 0", "final temperature: 1 samples the posterior, 0 goes on to its maximum", kExpert, false, true},
            Words{kAnnealTo}, TA2S2_ASKED(settings.sampler.anneal_to_zero), TA2S2_FULL(annealing.anneal_to_zero)),
      entry({"fast", "map-only", "", "true, false", "for a quick look: the posterior's maximum of each model in place of a sample, which leaves the uncertainty of length-scales out (plug-in)", kEveryone, true, true},
            Truth{}, TA2S2_ASKED(settings.sampler.fast), TA2S2_FULL(fast)),
      entry({"check", "", "", "true, false", "run a second time with the next seed and compare", kEveryone, true, true},
            Truth{}, TA2S2_ASKED(settings.sampler.check), TA2S2_FULL(check)),
      entry({"published-reading", "", "", "text, algorithm1", "which of the paper's statements the published move follows", kPaper, false, true},
            Words{kReadings}, TA2S2_ASKED(settings.sampler.published_reading), TA2S2_FULL(annealing.kernel.published.reading)),
      entry({"published-pull", "", "alpha_i", "linear, exponential", "pull of the published move to the current state: 1 - 1/i or 1 - exp(-i)", kPaper, false, true},
            Words{kPulls}, TA2S2_ASKED(settings.sampler.published_pull), TA2S2_FULL(annealing.kernel.published.pull)),
      entry({"published-renewal", "", "p_renew", "a number from 0 to 1", "chance of a renewal crumb in the published move", kPaper, false, true},
            Number{0.0, 1.0}, TA2S2_ASKED(settings.sampler.published_renewal), TA2S2_FULL(annealing.kernel.published.renewal_probability)),
      entry({"seed", "", "", "a whole number from 0 to 18446744073709551615", "one seed gives one answer, on any number of threads", kEveryone, false, true},
            Whole<std::uint64_t>{0, UINT64_MAX}, TA2S2_ASKED(settings.sampler.seed), TA2S2_FULL(annealing.seed)),
      entry({"simd", "", "", "auto, " + join(instruction_set_names(), ", "), "instruction set of the hot loop; auto takes the fastest of this processor, plain the readable version", kExpert, false, true},
            Instructions{}, TA2S2_ASKED(settings.instructions), TA2S2_FULL(simd)),
      context_entry({"threads", "", "", "a whole number from 0 to 1024", "threads to use; 0 takes every core this process may run on", kEveryone, false, false},
                    Whole<int>{0, 1024}, TA2S2_ASKED(context.threads)),
      context_entry({"checkpoint", "", "", "a file", "file that keeps what is done, so that the fit can be continued (ta2s2 resume)", kEveryone, false, false},
                    Plain{}, TA2S2_ASKED(context.checkpoint.file)),
      context_entry({"checkpoint-every", "", "", "a time such as 90s, 5m or 1h30m", "how often to save within a long level", kExpert, false, false},
                    Seconds{false}, TA2S2_ASKED(context.checkpoint.every_seconds)),
      context_entry({"time-limit", "", "", "none, or a time such as 90s, 55m or 1h30m", "save to the checkpoint and end after this time", kEveryone, false, false},
                    Seconds{true}, TA2S2_ASKED(context.checkpoint.time_limit)),
  };
}
// clang-format on

#undef TA2S2_ASKED
#undef TA2S2_FULL

}  // namespace

const std::vector<OptionEntry>& option_entries() {
  static const std::vector<OptionEntry> entries = make_table();
  return entries;
}

const OptionEntry* find_entry(std::string_view name) {
  for (const OptionEntry& entry : option_entries()) {
    if (entry.option.name == name || (!name.empty() && entry.option.alias == name)) return &entry;
  }
  return nullptr;
}

// Correlations are spelt without an asterisk.
MemberName parse_member(const std::string& text) {
  const std::size_t star = text.find('*');
  if (star == std::string::npos) return {trimmed(text), kNoTransform};
  return {trimmed(text.substr(0, star)), trimmed(text.substr(star + 1))};
}

std::string to_word(const std::optional<Weighting>& weighting) {
  return weighting ? rule_of(*weighting).word : "";
}

Weighting parse_weighting(const std::string& word) {
  return weighting_words().parse(*find_option("weighting"), word);
}

std::span<const Option> option_table() {
  static const std::vector<Option> table = [] {
    std::vector<Option> options;
    for (const OptionEntry& entry : option_entries()) options.push_back(entry.option);
    return options;
  }();
  return table;
}

const Option* find_option(std::string_view name) {
  const OptionEntry* entry = find_entry(name);
  return entry == nullptr ? nullptr : &option_table()[static_cast<std::size_t>(entry - option_entries().data())];
}

// Every message begins with the option's name, also one that comes from a part that does not know it.
void set_option(FitRequest& request, std::string_view name, const std::string& text) {
  const OptionEntry* entry = find_entry(name);
  if (entry == nullptr) throw Error(ErrorCode::usage, "there is no setting called \"" + std::string(name) + "\"");
  try {
    entry->set(entry->option, request, text);
  } catch (const Error& error) {
    const std::string begin = "--" + entry->option.name + ": ", message = error.what();
    throw Error(ErrorCode::usage, message.rfind(begin, 0) == 0 ? message : begin + message);
  }
}

void set_options(FitRequest& request, const std::vector<Setting>& settings) {
  std::vector<std::string> problems;
  for (const Setting& setting : settings) {
    try {
      set_option(request, setting.name, setting.text);
    } catch (const Error& error) {
      problems.push_back(error.what());
    }
  }
  if (!problems.empty()) throw Error(ErrorCode::usage, join(problems, "\n"));
}

namespace {

FitRequest request_with(const char* name, const std::string& text) {
  FitRequest request;
  set_option(request, name, text);
  return request;
}

}  // namespace

Spec parse_correlation(const std::string& text) {
  return *request_with("correlation", text).settings.model.correlation;
}

Spec parse_prior(const std::string& text) {
  return *request_with("prior", text).settings.model.prior;
}

Spec parse_nugget(const std::string& text) {
  return *request_with("nugget", text).settings.model.nugget;
}

Spec parse_trend(const std::string& text) {
  return *request_with("trend", text).settings.model.trend;
}

Spec parse_transform(const std::string& text) {
  return *request_with("transform", text).settings.model.transform;
}

Spec parse_sampler(const std::string& text) {
  return *request_with("sampler", text).settings.sampler.sampler;
}

Spec parse_move(const std::string& text) {
  return *request_with("move", text).settings.sampler.move;
}

}  // namespace ta2s2
