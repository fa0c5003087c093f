#include "ta2s2/workflow/options.hpp"

#include <algorithm>

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
  return (runs_passes(options) || options.sampler == "annealed") && !options.map_only && takes_all_levels(options) &&
         options.exponent == Exponent::model && has_normalised_prior(options);
}

ModelUse chosen_use(const FitOptions& options) {
  if (options.model != ModelUse::automatic) return options.model;
  const bool names_one = options.correlation != kAutomaticCorrelation;
  return names_one || !gives_evidence_at_once(options) ? ModelUse::single : ModelUse::average;
}

void check_average(const FitOptions& options, Problems& problems) {
  if (options.model != ModelUse::average) return;
  if (options.correlation != kAutomaticCorrelation) {
    problems.add("--correlation " + options.correlation +
                 " has no effect with --model average, whose correlations --average-over names; leave one of them out");
  }
  if (options.weighting == Weighting::evidence && !find_sampler(options.sampler).gives_evidence) {
    problems.add("--weighting evidence needs one, which --sampler " + options.sampler +
                 " does not give; choose stacking or equal");
  }
  if (options.map_only) problems.add("--map-only takes no sample, which --model average needs; choose one");
}

void check_sampler(const FitOptions& options, Problems& problems) {
  const SamplerSpec& sampler = find_sampler(options.sampler);
  if (sampler.run == nullptr && !options.map_only) {
    problems.add("--sampler " + sampler.name + " takes no sample and contradicts --map-only=false; choose one");
  }
  if (sampler.run != nullptr && options.sampler != FitOptions().sampler && options.map_only) {
    problems.add("--map-only takes no sample, for which --sampler " + sampler.name + " was chosen; choose one");
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

std::vector<Setting> recorded_settings(const FitOptions& options) {
  std::vector<Setting> settings;
  for (const OptionEntry& entry : option_entries()) {
    if (entry.option.is_recorded) settings.push_back({entry.option.name, entry.text(options)});
  }
  return settings;
}

std::vector<DescribedSetting> describe_settings(const FitOptions& options) {
  const FitOptions defaults;
  FitOptions of_sampler;
  find_sampler(options.sampler).choose(of_sampler);
  of_sampler.box = log_phi_box_of(options.prior);
  std::vector<DescribedSetting> settings;
  for (const OptionEntry& entry : option_entries()) {
    if (!entry.option.is_recorded) continue;
    settings.push_back(
        {&entry.option, entry.text(options), entry.text(entry.option.name == "sampler" ? defaults : of_sampler)});
  }
  return settings;
}

bool runs_passes(const FitOptions& options) {
  return options.sampler == FitOptions().sampler && !options.map_only && !options.annealing.anneal_to_zero;
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
  if (options.correlation == kAutomaticCorrelation) options.correlation = kSingleCorrelation;
  return options;
}

ValidFitOptions::ValidFitOptions(FitOptions options) : options_(std::move(options)) {
  Problems problems;
  problems.collect([&] { options_.model = chosen_use(options_); });
  if (options_.model == ModelUse::single) options_ = for_single_model(options_);
  problems.collect([&] { check_prior(options_); });
  problems.collect([&] { make_nugget_prior(options_.nugget, options_.nugget_box); });
  if (options_.trend.rfind("terms(", 0) != 0) problems.collect([&] { Trend(options_.trend, {"x"}); });
  problems.collect([&] { check_trend_prior(options_); });
  if (options_.exponent == Exponent::paper && options_.trend != "none") {
    problems.add("--exponent paper: (2.10) has no mean; it needs --trend none, found --trend " + options_.trend);
  }
  check_average(options_, problems);
  if (options_.annealing.chain_length > 0 && options_.annealing.growth == Growth::tmcmc) {
    problems.add("--chain-length: the lengths of --growth tmcmc follow from the weights; leave it out");
  }
  if (find_sampler(options_.sampler).is_annealed &&
      2 * options_.annealing.chain_length > options_.num_samples()) {
    problems.add("--chain-length: found " + std::to_string(options_.annealing.chain_length) +
                 ", expected at most half of --samples, which is " + std::to_string(options_.num_samples()));
  }
  if (options_.annealing.kernel.name != "published" && has_published_settings(options_)) {
    problems.add("--published-... settings belong to --move published, found --move " + options_.annealing.kernel.name);
  }
  if (options_.map_only && options_.annealing.anneal_to_zero) {
    problems.add("--map-only takes no sample to --anneal-to 0; choose one");
  }
  if (options_.draws_from == DrawsFrom::all_levels && options_.annealing.anneal_to_zero) {
    problems.add("--draws-from all-levels estimates the posterior and contradicts --anneal-to 0; choose one");
  }
  problems.collect([&] { check_sampler(options_, problems); });
  if (options_.map_only && options_.check)
    problems.add("--map-only draws no sample, so --check has nothing to compare; choose one");
  if (options_.annealing.num_groups * kLeastDrawsOfAGroup > options_.num_samples()) {
    problems.add("--groups: found " + std::to_string(options_.annealing.num_groups) + ", expected at most " +
                 std::to_string(options_.num_samples() / kLeastDrawsOfAGroup) + ": each group needs " +
                 std::to_string(kLeastDrawsOfAGroup) + " of the " + std::to_string(options_.num_samples()) +
                 " --samples");
  }
  if (options_.map_only && options_.draws_from != DrawsFrom::automatic) {
    problems.add("--map-only takes no sample, which --draws-from is about; choose one");
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
