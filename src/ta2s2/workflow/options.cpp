#include "ta2s2/workflow/options.hpp"

#include <algorithm>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {
namespace {

// Collects sentences, so that a user sees every problem at once.
class Problems {
 public:
  template <typename Check>
  void collect(Check check) {
    try {
      check();
    } catch (const Error& error) {
      add(error.what());
    }
  }
  void add(const std::string& sentence) { text_ += (text_.empty() ? "" : "\n") + sentence; }
  void throw_if_any() const {
    if (!text_.empty()) throw Error(ErrorCode::usage, text_);
  }

 private:
  std::string text_;
};

// Fewer say nothing of the spread within a group.
constexpr Index kLeastDrawsOfAGroup = 10;

bool names_inputs(const std::string& prior) {
  return prior.find('=') != std::string::npos;
}

// Only `fit`, which knows the inputs, can check a prior or a trend that names them.
void check_prior(const FitOptions& options) {
  if (names_inputs(options.prior)) return;
  const InformationOver information = information_needed_by(options.prior, options.box);
  if (options.path == TemperingStart::prior && information != InformationOver::nothing) {
    throw Error(ErrorCode::usage, "--start prior: the prior \"" + options.prior +
                                      "\" cannot be drawn from; choose a proper prior or --start posterior");
  }
  if (information == InformationOver::length_scales_and_nugget && make_nugget_prior(options.nugget).fixed) {
    throw Error(ErrorCode::usage, "--prior " + options.prior + " covers the nugget, but --nugget " + options.nugget +
                                      " holds it fixed; choose --prior reference");
  }
}

bool has_slopes(const std::string& trend) {
  return trend != "none" && trend != "constant";
}

// The reference prior is that of a flat trend.
void check_trend_prior(const FitOptions& options) {
  if (options.trend_prior == TrendPrior::flat || !has_slopes(options.trend) || names_inputs(options.prior)) return;
  if (information_needed_by(options.prior, options.box) == InformationOver::nothing) return;
  throw Error(ErrorCode::usage, "--trend-prior unit-information: the prior \"" + options.prior +
                                    "\" is derived for flat coefficients; choose --trend constant, --trend-prior flat "
                                    "or another prior, found --trend " +
                                    options.trend);
}

bool has_published_settings(const FitOptions& options) {
  const std::vector<OptionEntry>& entries = option_entries();
  return std::any_of(entries.begin(), entries.end(), [&](const OptionEntry& entry) {
    return entry.option.name.rfind("published-", 0) == 0 && entry.text(options) != entry.option.default_text;
  });
}

// One that names inputs is a product of densities, each normalised on the box.
bool has_normalised_prior(const FitOptions& options) {
  return names_inputs(options.prior) || information_needed_by(options.prior, options.box) == InformationOver::nothing;
}

// Of a normalised prior, by a sampler that is exact. (That of a reference prior can be had too, at the cost of another
// sample of every model: a user may ask for it, the default does not.)
bool gives_evidence_at_once(const FitOptions& options) {
  return (runs_passes(options) || options.sampler == "annealed") && !options.fast && takes_all_levels(options) &&
         options.exponent == Exponent::model && has_normalised_prior(options);
}

// What weighs the members of an average is there without being asked for.
bool weighs_at_once(const FitOptions& options) {
  if (options.weighting == Weighting::evidence) return gives_evidence_at_once(options);
  const bool samples = (runs_passes(options) || options.sampler == "annealed") && takes_all_levels(options);
  return options.exponent == Exponent::model && (options.fast || samples);
}

bool names_correlation(const FitOptions& options) {
  return options.correlation != kAutomatic;
}
bool names_transform(const FitOptions& options) {
  return options.transform != kAutomatic;
}

// Members that have what is named. Those of the default average that the trend does not allow are left out too.
std::vector<std::string> members_left(const FitOptions& options) {
  const bool only_plain = options.trend == "none" && options.average_over == kDefaultMembers;
  std::vector<std::string> left;
  for (const std::string& text : options.average_over) {
    const MemberName member = parse_member(text);
    if (names_correlation(options) && member.correlation != options.correlation) continue;
    if (names_transform(options) && member.transform != options.transform) continue;
    if (only_plain && member.transform != kNoTransform) continue;
    left.push_back(text);
  }
  return left;
}

void be_single(FitOptions& options, const MemberName& member) {
  options.correlation = member.correlation;
  options.transform = member.transform;
  options.model = ModelUse::single;
}

// One model or an average, and of what.
void choose_models(FitOptions& options) {
  const std::vector<std::string> left = members_left(options);
  const bool names_both = names_correlation(options) && names_transform(options);
  if (options.model == ModelUse::automatic) {
    const bool is_average = !names_both && left.size() > 1 && weighs_at_once(options);
    options.model = is_average ? ModelUse::average : ModelUse::single;
    if (left.size() == 1) be_single(options, parse_member(left.front()));
  }
  if (options.model == ModelUse::single) options = for_single_model(options);
  if (options.model == ModelUse::average && left.size() > 1) {
    options.average_over = left;
    options.correlation = options.transform = kAutomatic;
  }
}

void check_average(const FitOptions& options, Problems& problems) {
  if (options.model != ModelUse::average) return;
  if (names_correlation(options) || names_transform(options)) {
    problems.add("--model average: fewer than two members of --average-over " + join(options.average_over, ",") +
                 " have" + (names_correlation(options) ? " --correlation " + options.correlation : "") +
                 (names_transform(options) ? " --transform " + options.transform : "") + "; leave one of them out");
  }
  if (options.weighting == Weighting::evidence && (options.fast || !find_sampler(options.sampler).gives_evidence)) {
    problems.add("--weighting evidence needs one, which " + (options.fast ? "--fast" : "--sampler " + options.sampler) +
                 " does not give; choose stacking or equal");
  }
}

// A transformed output has no natural zero.
void check_transform(const FitOptions& options, Problems& problems) {
  if (options.trend != "none") return;
  const std::vector<std::string> members = options.model == ModelUse::average
                                               ? options.average_over
                                               : std::vector{MemberName{options.correlation, options.transform}.text()};
  for (const std::string& member : members) {
    const std::string transform = parse_member(member).transform;
    if (transform == kNoTransform) continue;
    problems.add("--transform " + transform +
                 ": a transformed output has no natural zero; it needs a trend with a "
                 "constant, found --trend none");
    return;
  }
}

void check_sampler(const FitOptions& options, Problems& problems) {
  const SamplerSpec& sampler = find_sampler(options.sampler);
  if (sampler.run == nullptr && !options.fast) {
    problems.add("--sampler " + sampler.name + " takes no sample and contradicts --fast=false; choose one");
  }
  if (sampler.run != nullptr && options.sampler != FitOptions().sampler && options.fast) {
    problems.add("--fast takes no sample, for which --sampler " + sampler.name + " was chosen; choose one");
  }
}

// A sampler's name stands for other settings: they are set first, so that those given beside it win.
void fill(FitOptions& options, const FitRequest& request) {
  if (request.settings.sampler.sampler) find_sampler(request.settings.sampler.sampler->text()).choose(options);
  for (const OptionEntry& entry : option_entries()) entry.fill(options, request);
  if (request.settings.model.box) options.box_follows_prior = false;
  if (options.box_follows_prior) options.box = log_phi_box_of(options.prior);
}

void check_unused(const FitRequest& request, const FitOptions& options, Problems& problems) {
  const SamplerSpec& sampler = find_sampler(options.sampler);
  for (const std::string& name : sampler.unused) {
    const OptionEntry& entry = *find_entry(name);
    if (!entry.is_given(request)) continue;
    problems.add("--" + name + " " + entry.text(options) + " has no effect with --sampler " + sampler.name +
                 "; leave one of them out");
  }
}

}  // namespace

FitOptions complete(const FitRequest& request) {
  FitOptions options;
  fill(options, request);
  return options;
}

std::string option_text(const FitOptions& options, const std::string& name) {
  return find_entry(name)->text(options);
}

void apply_settings(FitOptions& options, const std::vector<Setting>& settings) {
  FitRequest request;
  // What is not optional counts as given.
  request.columns = {options.output, options.inputs, options.ranges};
  set_options(request, settings);
  fill(options, request);
}

namespace {

// Recorded, and of account to the sampler.
bool counts(const OptionEntry& entry, const FitOptions& options) {
  return entry.option.is_recorded && !contains(find_sampler(options.sampler).unused, entry.option.name);
}

}  // namespace

std::vector<Setting> recorded_settings(const FitOptions& options) {
  std::vector<Setting> settings;
  for (const OptionEntry& entry : option_entries()) {
    if (counts(entry, options)) settings.push_back({entry.option.name, entry.text(options)});
  }
  return settings;
}

std::vector<DescribedSetting> describe_settings(const FitOptions& options) {
  const FitOptions defaults;
  FitOptions of_sampler;
  find_sampler(options.sampler).choose(of_sampler);
  of_sampler.box = log_phi_box_of(options.prior);
  if (options.model == ModelUse::single) {
    FitOptions unnamed = options;
    unnamed.transform = kAutomatic;
    of_sampler.transform = for_single_model(unnamed).transform;
  }
  std::vector<DescribedSetting> settings;
  for (const OptionEntry& entry : option_entries()) {
    if (!counts(entry, options)) continue;
    settings.push_back(
        {&entry.option, entry.text(options), entry.text(entry.option.name == "sampler" ? defaults : of_sampler)});
  }
  return settings;
}

bool runs_passes(const FitOptions& options) {
  return options.sampler == FitOptions().sampler && !options.fast && !options.annealing.anneal_to_zero;
}

bool samples_exactly(const FitOptions& options) {
  const AnnealOptions& annealing = options.annealing;
  if (runs_passes(options)) return true;
  return find_sampler(options.sampler).is_annealed && !annealing.anneal_to_zero && annealing.growth == Growth::equal &&
         make_move(annealing.kernel)->is_exact();
}

bool takes_all_levels(const FitOptions& options) {
  if (options.draws_from != DrawsFrom::automatic) return options.draws_from == DrawsFrom::all_levels;
  return samples_exactly(options);
}

FitOptions for_single_model(FitOptions options) {
  options.model = ModelUse::single;
  if (options.correlation == kAutomatic) options.correlation = kSingleCorrelation;
  if (options.transform == kAutomatic) options.transform = options.trend == "none" ? kNoTransform : kSingleTransform;
  return options;
}

ValidFitOptions::ValidFitOptions(FitOptions options) : options_(std::move(options)) {
  Problems problems;
  problems.collect([&] { choose_models(options_); });
  problems.collect([&] { check_prior(options_); });
  problems.collect([&] { make_nugget_prior(options_.nugget, options_.nugget_box); });
  if (options_.trend.rfind("terms(", 0) != 0) problems.collect([&] { Trend(options_.trend, {"x"}); });
  problems.collect([&] { check_trend_prior(options_); });
  if (options_.exponent == Exponent::paper && options_.trend != "none") {
    problems.add("--exponent paper: (2.10) has no mean; it needs --trend none, found --trend " + options_.trend);
  }
  check_average(options_, problems);
  check_transform(options_, problems);
  if (options_.annealing.chain_length > 0 && options_.annealing.growth == Growth::tmcmc) {
    problems.add("--chain-length: the lengths of --growth tmcmc follow from the weights; leave it out");
  }
  if (find_sampler(options_.sampler).is_annealed && 2 * options_.annealing.chain_length > options_.num_samples()) {
    problems.add("--chain-length: found " + std::to_string(options_.annealing.chain_length) +
                 ", expected at most half of --samples, which is " + std::to_string(options_.num_samples()));
  }
  if (options_.annealing.kernel.name != "published" && has_published_settings(options_)) {
    problems.add("--published-... settings belong to --move published, found --move " + options_.annealing.kernel.name);
  }
  if (options_.fast && options_.annealing.anneal_to_zero) {
    problems.add("--fast takes no sample to --anneal-to 0; choose one");
  }
  if (options_.draws_from == DrawsFrom::all_levels && options_.annealing.anneal_to_zero) {
    problems.add("--draws-from all-levels estimates the posterior and contradicts --anneal-to 0; choose one");
  }
  problems.collect([&] { check_sampler(options_, problems); });
  if (options_.fast && options_.check)
    problems.add("--fast draws no sample, so --check has nothing to compare; choose one");
  if (options_.annealing.num_groups * kLeastDrawsOfAGroup > options_.num_samples()) {
    problems.add("--groups: found " + std::to_string(options_.annealing.num_groups) + ", expected at most " +
                 std::to_string(options_.num_samples() / kLeastDrawsOfAGroup) + ": each group needs " +
                 std::to_string(kLeastDrawsOfAGroup) + " of the " + std::to_string(options_.num_samples()) +
                 " --samples");
  }
  if (options_.fast && options_.draws_from != DrawsFrom::automatic) {
    problems.add("--fast takes no sample, which --draws-from is about; choose one");
  }
  problems.throw_if_any();
}

ValidFitOptions resolve(const FitRequest& request) {
  const FitOptions options = complete(request);
  Problems problems;
  check_unused(request, options, problems);
  if (request.context.checkpoint.time_limit < kInfinity && request.context.checkpoint.file.empty()) {
    problems.add("--time-limit keeps what is done in a checkpoint; give --checkpoint FILE too");
  }
  std::optional<ValidFitOptions> valid;
  problems.collect([&] { valid.emplace(options); });
  problems.throw_if_any();
  return *valid;
}

void check_settings(const FitRequest& request) {
  resolve(request);
}

ValidFitOptions resolve(const Columns& columns, const FitSettings& settings) {
  return resolve(FitRequest{columns, settings, {}});
}

}  // namespace ta2s2
