#include "ta2s2/workflow/options.hpp"

#include <map>
#include <set>

#include "ta2s2/workflow/samplers.hpp"
#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

// One value of each option that is not its default.
const std::map<std::string, std::string> kSamples = {
    {"output", "weight"},
    {"inputs", "a,b"},
    {"ranges", "ranges.csv"},
    {"input-scale", "k=log,r*=linear"},
    {"prior", "gamma(2,0.5)"},
    {"nugget", "fixed(1e-8)"},
    {"trend", "linear"},
    {"trend-prior", "unit-information"},
    {"model", "average"},
    {"average-over", "matern52*box-cox,power-exponential(1.9)"},
    {"weighting", "equal"},
    {"recalibration", "left-out"},
    {"correlation", "power-exponential(1.9)"},
    {"transform", "sinh-arcsinh"},
    {"exponent", "paper"},
    {"box", "-5,6.5"},
    {"nugget-box", "-30,5"},
    {"samples", "1234"},
    {"max-evaluations", "5000"},
    {"sampler", "plgp"},
    {"move", "neal"},
    {"growth", "tmcmc"},
    {"chain-length", "7"},
    {"groups", "6"},
    {"coordinates", "box"},
    {"start", "prior"},
    {"ess-target", "0.75"},
    {"draws-from", "all-levels"},
    {"anneal-to", "0"},
    {"fast", "true"},
    {"check", "true"},
    {"published-reading", "algorithm1"},
    {"published-pull", "exponential"},
    {"published-renewal", "0.25"},
    {"seed", "18446744073709551615"},
    {"simd", "avx2"},
    {"threads", "3"},
    {"checkpoint", "run.ckpt"},
    {"checkpoint-every", "7.5s"},
    {"time-limit", "3300s"},
};

// Values that the option refuses when it is set. Those that are missing here take any text, and are checked
// with the others (ValidFitOptions) or against the data.
const std::map<std::string, std::vector<std::string>> kRefused = {
    {"inputs", {"a,,b", ",", "a,"}},
    {"input-scale", {"k", "k=", "=log", "k=log10", "k=log,", "k=log,,r=log"}},
    {"nugget", {"", "beta", "beta(1)", "fixed()", "0.1"}},
    {"correlation", {"", "gauss", "matern52(1)", "power-exponential"}},
    {"trend-prior", {"", "g", "Flat"}},
    {"model", {"", "both", "Single"}},
    {"average-over",
     {"", "matern52", "matern52,gauss", "matern52,matern52", "matern52,", "matern52*sqrt,matern32",
      "matern52*,matern32", "*log,matern32", "matern52,matern52*none", "matern52*auto,matern32",
      "matern52*log*log,matern32"}},
    {"weighting", {"", "bayes", "Equal"}},
    {"recalibration", {"", "auto", "Left-out"}},
    {"transform", {"", "sqrt", "Log", "box-cox(0.5)"}},
    {"exponent", {"", "m/2", "Model"}},
    {"box", {"", "7", "7,-7", "1,1", "-7,7,8", "a,b", "-inf,7", "nan,1", "-7 7", "-51,7", "-7,100.5"}},
    {"nugget-box", {"", "10,-35", "-35,50.5"}},
    {"samples", {"", "59", "10000001", "1e3", "2000.5", "-100", "many", "2000 "}},
    {"max-evaluations", {"", "0", "-1", "1e6", "many"}},
    {"sampler", {"", "gibbs", "TA2S2"}},
    {"move", {"", "gibbs", "Exact"}},
    {"growth", {"", "Equal"}},
    {"chain-length", {"", "-1", "100001", "2.5"}},
    {"groups", {"", "0", "65", "1.5"}},
    {"coordinates", {"", "Box", "free"}},
    {"start", {"", "both"}},
    {"ess-target", {"", "0.04", "1", "half", "nan", "0.5x"}},
    {"draws-from", {"", "all", "true"}},
    {"anneal-to", {"", "0.5", "2"}},
    {"fast", {"", "no"}},
    {"check", {"", "no"}},
    {"published-reading", {"", "code"}},
    {"published-pull", {"", "none"}},
    {"published-renewal", {"", "-0.1", "1.1"}},
    {"seed", {"", "-1", "18446744073709551616", "1.0"}},
    {"simd", {"", "mmx", "AVX2", "fast"}},
    {"threads", {"", "-1", "1025", "two"}},
    {"checkpoint-every", {"", "0", "-1", "none", "1e10"}},
    {"time-limit", {"", "0s", "-5", "5x", "m", "1m1h", "1h1h", "5 m", "nan", "soon"}},
};
const std::set<std::string> kFreeText = {"output", "ranges", "prior", "trend", "checkpoint"};

TEST(OptionTable, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const Option& spec : option_table()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_EQ(find_option(spec.name), &spec);
    EXPECT_FALSE(spec.help.empty()) << spec.name;
    EXPECT_FALSE(spec.range.empty()) << spec.name;
  }
  EXPECT_EQ(find_option("no-such-option"), nullptr);
}

TEST(OptionTable, AnEarlierNameStillFindsItsOption) {
  EXPECT_EQ(find_option("kernel"), find_option("move"));
  EXPECT_EQ(find_option("path"), find_option("start"));
  EXPECT_EQ(find_option("map-only"), find_option("fast"));
  EXPECT_EQ(find_option(""), nullptr);
  FitRequest request;
  set_option(request, "kernel", "neal");
  EXPECT_EQ(request.settings.sampler.move->text(), "neal");
}

TEST(OptionTable, InputScalesComeInTheWordsOfPeopleAndOfPython) {
  FitRequest request;
  set_option(request, "input-scale", " k = LOG ; a=b=linear");
  const std::vector<InputScaleRule>& rules = *request.settings.model.input_scale;
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].pattern, "k");
  EXPECT_EQ(rules[0].scale, InputScale::log);
  EXPECT_EQ(rules[1].pattern, "a=b");
  EXPECT_EQ(option_text(complete(request), "input-scale"), "k=log,a=b=linear");
}

TEST(OptionTable, DefaultsCanBeSetAndChangeNothing) {
  const FitOptions defaults;
  for (const OptionEntry& entry : option_entries()) {
    FitOptions options;
    EXPECT_NO_THROW(apply_settings(options, {{entry.option.name, entry.option.default_text}})) << entry.option.name;
    for (const OptionEntry& other : option_entries()) {
      EXPECT_EQ(other.text(options), other.text(defaults)) << entry.option.name << ' ' << other.option.name;
    }
  }
}

TEST(OptionTable, WhatIsSetIsGotAndNothingElseChanges) {
  for (const OptionEntry& entry : option_entries()) {
    const std::string& name = entry.option.name;
    ASSERT_TRUE(kSamples.contains(name)) << "this test lacks a value for --" << name;
    const std::string& text = kSamples.at(name);
    ASSERT_NE(text, entry.option.default_text);
    FitRequest request;
    set_option(request, name, text);
    const FitOptions options = complete(request);
    if (entry.option.is_recorded) {
      EXPECT_EQ(entry.text(options), text);
    }
    if (name == "sampler") continue;  // it stands for others
    for (const OptionEntry& other : option_entries()) {
      if (other.option.name == name || (name == "prior" && other.option.name == "box")) continue;
      EXPECT_EQ(other.text(options), other.option.default_text) << name << ' ' << other.option.name;
    }
  }
}

TEST(OptionTable, TheBoxFollowsThePriorUnlessItIsGiven) {
  const auto box = [](const std::vector<Setting>& settings) {
    FitOptions options;
    apply_settings(options, settings);
    return option_text(options, "box");
  };
  EXPECT_EQ(box({}), "-7,100");  // that of the default prior
  EXPECT_EQ(box({{"prior", "jointly-robust"}}), "-7,30");
  EXPECT_EQ(box({{"prior", "log-uniform"}}), "-7,18");
  EXPECT_EQ(box({{"prior", "sparse-jointly-robust"}}), "-7,100");
  for (const char* prior : {"reference", "exponential(0.2)", "gamma(2,0.5)", "decaying", "log-uniform(0.01,20)",
                            "a=log-uniform;*=gamma(2,1)"}) {
    EXPECT_EQ(box({{"prior", prior}}), "-7,7") << prior;
  }
  EXPECT_EQ(box({{"prior", "log-uniform"}, {"box", "-7,30"}}), "-7,30");
  EXPECT_EQ(box({{"box", "-50,100"}, {"prior", "sparse-jointly-robust"}}), "-50,100");

  // Also when the prior is chosen later, as models that are compared are, unless the box was given before.
  FitOptions options;
  apply_settings(options, {{"prior", "log-uniform"}});
  apply_settings(options, {{"prior", "reference"}});
  EXPECT_EQ(option_text(options, "box"), "-7,7");
  apply_settings(options, {{"box", "-6,6"}});
  apply_settings(options, {{"prior", "log-uniform"}});
  EXPECT_EQ(option_text(options, "box"), "-6,6");
}

TEST(OptionTable, ABoxThatFollowsThePriorIsNoChangedSetting) {
  const auto is_default = [](const std::vector<Setting>& settings) {
    FitOptions options;
    apply_settings(options, settings);
    for (const DescribedSetting& setting : describe_settings(options)) {
      if (setting.option->name == "box") return setting.is_default();
    }
    return false;
  };
  EXPECT_TRUE(is_default({{"prior", "log-uniform"}}));
  EXPECT_TRUE(is_default({{"prior", "log-uniform"}, {"sampler", "nuts"}}));
  EXPECT_FALSE(is_default({{"prior", "log-uniform"}, {"box", "-7,7"}}));
}

TEST(OptionTable, WhatIsNotSetIsNotGiven) {
  for (const OptionEntry& entry : option_entries()) {
    const std::string& name = entry.option.name;
    if (!entry.option.is_recorded || name == "output" || name == "inputs" || name == "ranges") continue;
    FitRequest request;
    EXPECT_FALSE(entry.is_given(request)) << name;
    set_option(request, name, entry.option.default_text);
    EXPECT_TRUE(entry.is_given(request)) << name;
  }
}

TEST(OptionTable, BadTextIsRefusedByNameValueAndRange) {
  for (const OptionEntry& entry : option_entries()) {
    const Option& option = entry.option;
    if (kFreeText.contains(option.name)) continue;
    ASSERT_TRUE(kRefused.contains(option.name)) << "this test lacks bad values for --" << option.name;
    for (const std::string& text : kRefused.at(option.name)) {
      FitRequest request;
      const std::string message = test::message_of(ErrorCode::usage, [&] { set_option(request, option.name, text); });
      EXPECT_NE(message.find(option.name), std::string::npos) << message;
      EXPECT_NE(message.find(text), std::string::npos) << message;
      EXPECT_NE(message.find(option.range), std::string::npos) << message;
      EXPECT_EQ(entry.text(complete(request)), option.default_text) << option.name << ' ' << text;
    }
  }
}

TEST(ParseSpec, TakesWhatThereIsAndRefusesTheRest) {
  EXPECT_EQ(parse_correlation("rational(0.5)").name(), "rational");
  EXPECT_EQ(parse_prior("gamma(2,0.5)").text(), "gamma(2,0.5)");
  EXPECT_EQ(parse_trend("terms(a,b)").text(), "terms(a,b)");
  EXPECT_EQ(parse_transform("box-cox").text(), "box-cox");
  EXPECT_EQ(parse_nugget("fixed(0.01)").text(), "fixed(0.01)");
  EXPECT_EQ(parse_sampler("nuts").text(), "nuts");
  EXPECT_EQ(parse_move("neal").text(), "neal");
  EXPECT_THROW(parse_correlation("cubic"), Error);
  EXPECT_THROW(parse_prior("flat"), Error);
  EXPECT_THROW(parse_trend("cubic"), Error);
  EXPECT_THROW(parse_transform("cubic"), Error);
  EXPECT_THROW(parse_nugget("big"), Error);
  EXPECT_THROW(parse_sampler("gibbs"), Error);
  EXPECT_THROW(parse_move("gibbs"), Error);
}

// A default that is typed counts as given.
TEST(Resolve, RefusesWhatMeansNothingToTheSamplerEvenIfItIsTheDefault) {
  FitRequest request;
  set_options(request, {{"sampler", "nuts"}, {"move", "exact"}});
  const std::string message = test::message_of(ErrorCode::usage, [&] { resolve(request); });
  test::expect_parts(message, {"--move exact", "--sampler nuts"});
  FitRequest tempered;
  set_options(tempered, {{"move", "exact"}, {"sampler", "tmcmc"}});
  EXPECT_EQ(resolve(tempered)->annealing.kernel.name, "exact");
  EXPECT_EQ(resolve(tempered)->annealing.growth, Growth::tmcmc);
}

TEST(Resolve, ATimeLimitNeedsACheckpoint) {
  FitRequest request;
  set_option(request, "time-limit", "5s");
  const std::string message = test::message_of(ErrorCode::usage, [&] { resolve(request); });
  test::expect_parts(message, {"--time-limit", "--checkpoint"});
}

TEST(OptionTable, StructuresStandForTheirCorrelations) {
  FitOptions options;
  apply_settings(options, {{"average-over", "structures"}});
  EXPECT_EQ(options.average_over, kStructureCorrelations);
  EXPECT_THROW(apply_settings(options, {{"average-over", "structures,matern32"}}), Error);
}

TEST(MemberName, IsReadAsItIsWritten) {
  const MemberName plain = parse_member("rational(0.5)"), transformed = parse_member(" matern52 * box-cox ");
  EXPECT_EQ(plain.correlation, "rational(0.5)");
  EXPECT_EQ(plain.transform, "none");
  EXPECT_EQ(plain.text(), "rational(0.5)");
  EXPECT_EQ(transformed.correlation, "matern52");
  EXPECT_EQ(transformed.text(), "matern52*box-cox");
  EXPECT_EQ(parse_member("matern52*none").text(), "matern52");
}

TEST(ApplySettings, AppliesInOrder) {
  FitOptions options;
  apply_settings(options, {{"seed", "5"}, {"samples", "300"}, {"seed", "6"}});
  EXPECT_EQ(options.annealing.seed, 6u);
  EXPECT_EQ(options.samples, 300);
}

TEST(ApplySettings, ReportsEveryProblemAtOnce) {
  FitOptions options;
  const std::string message = test::message_of(ErrorCode::usage, [&] {
    apply_settings(options,
                   {{"samples", "many"}, {"colour", "red"}, {"seed", "3"}, {"growth", "slow"}, {"nugget", "big"}});
  });
  test::expect_parts(message, {"--samples: ", "many", "colour", "--growth: ", "slow", "--nugget: ", "big"});
  EXPECT_EQ(message.find("seed"), std::string::npos);
}

TEST(RecordedSettings, HoldAllButTheMachine) {
  FitOptions options;
  std::vector<Setting> settings;
  for (const auto& [name, text] : kSamples) settings.push_back({name, text});
  apply_settings(options, settings);
  std::set<std::string> names;
  for (const Setting& setting : recorded_settings(options)) {
    EXPECT_EQ(setting.text, kSamples.at(setting.name));
    names.insert(setting.name);
  }
  const std::vector<std::string>& unused = find_sampler(kSamples.at("sampler")).unused;
  for (const Option& spec : option_table()) {
    const bool counts = spec.is_recorded && std::find(unused.begin(), unused.end(), spec.name) == unused.end();
    EXPECT_EQ(counts, names.contains(spec.name)) << spec.name;
  }
  for (const char* name : {"threads", "checkpoint", "checkpoint-every", "time-limit"}) {
    EXPECT_FALSE(names.contains(name));
  }
}

TEST(TimeLimit, IsAnyMixtureOfUnits) {
  const std::map<std::string, double> seconds = {{"90", 90.0},      {"90s", 90.0},    {"0.5m", 30.0},
                                                 {"1h30m", 5400.0}, {"2h5s", 7205.0}, {"1h1m1s", 3661.0},
                                                 {"1m30", 90.0}};
  for (const auto& [text, expected] : seconds) {
    FitRequest request;
    set_option(request, "time-limit", text);
    EXPECT_EQ(request.context.checkpoint.time_limit, expected) << text;
  }
}

FitOptions with(const std::vector<Setting>& settings) {
  FitOptions options;
  apply_settings(options, settings);
  return options;
}

std::string refusal_of(const std::vector<Setting>& settings) {
  return test::message_of(ErrorCode::usage, [&] {
    FitRequest request;
    set_options(request, settings);
    resolve(request);
  });
}

TEST(ValidFitOptions, AcceptsTheDefaultsAndHandsThemOn) {
  const ValidFitOptions options{FitOptions{}};
  EXPECT_EQ(options->prior, "sparse-jointly-robust");
  EXPECT_EQ(option_text(options.get(), "box"), "-7,100");
  EXPECT_EQ(options->nugget, "log-uniform");
  EXPECT_EQ(options->trend, "constant");
  EXPECT_EQ(options->correlation, "auto");
  EXPECT_EQ(options->transform, "auto");
  EXPECT_EQ(options->model, ModelUse::average);
  EXPECT_EQ(options->average_over,
            (std::vector<std::string>{"matern52*box-cox", "rational-quadratic*box-cox", "matern52"}));
  EXPECT_EQ(options->weighting, Weighting::stacking);
  EXPECT_EQ(options->annealing.kernel.name, "exact");
  EXPECT_EQ(options->annealing.growth, Growth::equal);
}

std::string settings_text(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings) text += "--" + setting.name + " " + setting.text + " ";
  return text;
}

void expect_average(const std::vector<Setting>& settings) {
  SCOPED_TRACE(settings_text(settings));
  const ValidFitOptions options(with(settings));
  EXPECT_EQ(options->model, ModelUse::average);
  EXPECT_EQ(options->correlation, "auto");
}

void expect_single(const std::vector<Setting>& settings) {
  SCOPED_TRACE(settings_text(settings));
  const ValidFitOptions options(with(settings));
  EXPECT_EQ(options->model, ModelUse::single);
  EXPECT_EQ(options->correlation, "matern52");
  EXPECT_EQ(options->transform, "none");
}

// Stacking needs a sample of the posterior, or its maximum, and no evidence.
TEST(ValidFitOptions, AveragesUnlessOneModelIsNamedOrThereIsNothingToWeighBy) {
  const std::vector<std::vector<Setting>> averages = {{},
                                                      {{"prior", "a=gamma(2,1);*=log-uniform"}},
                                                      {{"prior", "reference"}},
                                                      {{"trend", "linear"}},
                                                      {{"fast", "true"}},
                                                      {{"correlation", "matern52"}},  // transformed or not
                                                      {{"sampler", "annealed"}}};
  for (const std::vector<Setting>& settings : averages) expect_average(settings);
  const std::vector<std::vector<Setting>> singles = {{{"model", "single"}},
                                                     {{"correlation", "matern52"}, {"transform", "none"}},
                                                     {{"sampler", "nuts"}},
                                                     {{"sampler", "plgp"}},
                                                     {{"sampler", "annealed"}, {"move", "published"}},
                                                     {{"anneal-to", "0"}},
                                                     {{"sampler", "annealed"}, {"growth", "tmcmc"}},
                                                     {{"trend", "none"}}};  // which transformed members cannot have
  for (const std::vector<Setting>& settings : singles) expect_single(settings);
  EXPECT_EQ(ValidFitOptions(with({{"correlation", "matern32"}}))->correlation, "matern32");
}

TEST(ValidFitOptions, AveragesByEvidenceWhereThereIsOneAtOnce) {
  const std::vector<Setting> by_evidence = {{"average-over", "squared-exponential,matern52"},
                                            {"weighting", "evidence"}};
  const auto also = [&](std::vector<Setting> settings) {
    settings.insert(settings.begin(), by_evidence.begin(), by_evidence.end());
    return settings;
  };
  const std::vector<std::vector<Setting>> averages = {
      {}, {{"prior", "a=gamma(2,1);*=log-uniform"}}, {{"sampler", "annealed"}}, {{"trend", "none"}}};
  for (const std::vector<Setting>& settings : averages) expect_average(also(settings));
  const std::vector<std::vector<Setting>> singles = {
      {{"prior", "reference"}}, {{"fast", "true"}},   {{"sampler", "nuts"}},
      {{"sampler", "plgp"}},    {{"anneal-to", "0"}}, {{"trend", "none"}, {"exponent", "paper"}}};
  for (const std::vector<Setting>& settings : singles) expect_single(also(settings));
}

// One by one, what is left of three members.
TEST(ValidFitOptions, KeepsTheMembersThatHaveWhatIsNamed) {
  using Settings = std::vector<Setting>;
  struct Case {
    Settings named;
    std::vector<std::string> members;  // one: a single model
  };
  const std::vector<Case> cases = {
      {{}, {"matern52*box-cox", "rational(0.5)*box-cox", "rational(0.5)"}},
      {{{"correlation", "rational(0.5)"}}, {"rational(0.5)*box-cox", "rational(0.5)"}},
      {{{"transform", "box-cox"}}, {"matern52*box-cox", "rational(0.5)*box-cox"}},
      {{{"correlation", "matern52"}}, {"matern52*box-cox"}},
      {{{"transform", "none"}}, {"rational(0.5)"}},
      {{{"correlation", "matern32"}}, {"matern32"}},
      {{{"transform", "log"}}, {"matern52*log"}},
      {{{"correlation", "rational(0.5)"}, {"transform", "box-cox"}}, {"rational(0.5)*box-cox"}},
      {{{"correlation", "matern32"}, {"transform", "sinh-arcsinh"}}, {"matern32*sinh-arcsinh"}},
      {{{"model", "single"}}, {"matern52"}},
      {{{"model", "single"}, {"correlation", "rational(0.5)"}}, {"rational(0.5)"}},
      {{{"model", "average"}, {"correlation", "rational(0.5)"}}, {"rational(0.5)*box-cox", "rational(0.5)"}},
      {{{"fast", "true"}}, {"matern52*box-cox", "rational(0.5)*box-cox", "rational(0.5)"}},
      {{{"sampler", "map"}, {"transform", "box-cox"}}, {"matern52*box-cox", "rational(0.5)*box-cox"}},
      {{{"sampler", "nuts"}}, {"matern52"}},
  };
  for (const Case& each : cases) {
    Settings settings = {{"average-over", "matern52*box-cox,rational(0.5)*box-cox,rational(0.5)"},
                         {"weighting", "stacking"}};
    settings.insert(settings.end(), each.named.begin(), each.named.end());
    const ValidFitOptions options(with(settings));
    SCOPED_TRACE(testing::PrintToString(each.members));
    ASSERT_EQ(options->model, each.members.size() > 1 ? ModelUse::average : ModelUse::single);
    if (options->model == ModelUse::average) {
      EXPECT_EQ(options->average_over, each.members);
      EXPECT_EQ(options->correlation + options->transform, "autoauto");
    } else {
      EXPECT_EQ((MemberName{options->correlation, options->transform}.text()), each.members.front());
    }
    // What was chosen is chosen again.
    EXPECT_EQ(recorded_settings(ValidFitOptions(options.get()).get()).size(), recorded_settings(options.get()).size());
    EXPECT_EQ(ValidFitOptions(options.get())->average_over, options->average_over);
  }
}

TEST(ValidFitOptions, RefusesMembersThatAreNotThereOrCannotBe) {
  const Setting two = {"average-over", "matern52*box-cox,matern32"};
  test::expect_parts(refusal_of({two, {"model", "average"}, {"correlation", "matern32"}}),
                     {"--model average", "fewer than two", "--correlation matern32"});
  test::expect_parts(refusal_of({two, {"trend", "none"}}), {"--transform box-cox", "--trend none"});
  test::expect_parts(refusal_of({{"transform", "log"}, {"trend", "none"}}), {"--transform log", "--trend none"});
  test::expect_parts(refusal_of({{"model", "average"}, {"weighting", "evidence"}, {"fast", "true"}}),
                     {"--weighting evidence", "--fast", "stacking"});
}

TEST(ValidFitOptions, AcceptsEveryPrior) {
  for (const std::string& example : length_scale_prior_examples()) {
    EXPECT_NO_THROW(ValidFitOptions{with({{"prior", example}})}) << example;
  }
  for (const std::string& example : nugget_prior_examples()) {
    EXPECT_NO_THROW(ValidFitOptions{with({{"nugget", example}})}) << example;
  }
  EXPECT_NO_THROW(ValidFitOptions{with({{"prior", "a=gamma(2,1);*=log-uniform"}, {"trend", "terms(a,a^2)"}})});
}

TEST(ValidFitOptions, RefusesWhatNoDataCouldMakeRight) {
  test::expect_parts(refusal_of({{"prior", "flat"}}), {"flat", "jointly-robust"});
  test::expect_parts(refusal_of({{"prior", "gamma(2)"}}), {"gamma(2)", "gamma(shape,rate)"});
  test::expect_parts(refusal_of({{"trend", "cubic"}}), {"cubic", "constant"});
  test::expect_parts(refusal_of({{"nugget", "exponential(-1)"}}), {"-1"});
}

TEST(ValidFitOptions, RefusesContradictions) {
  test::expect_parts(refusal_of({{"exponent", "paper"}}), {"--exponent paper", "--trend none", "--trend constant"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"growth", "tmcmc"}, {"chain-length", "5"}}),
                     {"--chain-length", "tmcmc"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"samples", "100"}, {"chain-length", "51"}}),
                     {"--chain-length", "51", "half", "100"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"samples", "100"}, {"groups", "11"}}),
                     {"--groups", "11", "at most 10", "100"});
  test::expect_parts(refusal_of({{"fast", "true"}, {"check", "true"}}), {"--fast", "--check"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"draws-from", "all-levels"}, {"anneal-to", "0"}}),
                     {"--draws-from", "--anneal-to 0"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"draws-from", "last-level"}, {"fast", "true"}}),
                     {"--fast", "--draws-from"});
  test::expect_parts(refusal_of({{"anneal-to", "0"}, {"fast", "true"}}), {"--fast", "--anneal-to 0"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"published-renewal", "0.3"}}),
                     {"--published-", "--move published", "exact"});
  test::expect_parts(refusal_of({{"sampler", "annealed"}, {"start", "prior"}, {"prior", "reference"}}),
                     {"--start prior", "reference"});
  test::expect_parts(refusal_of({{"prior", "reference(joint)"}, {"nugget", "fixed(0.1)"}}),
                     {"reference(joint)", "fixed(0.1)"});
}

TEST(ValidFitOptions, ReportsEveryProblemAtOnce) {
  test::expect_parts(refusal_of({{"prior", "flat"}, {"trend", "cubic"}}), {"flat", "cubic"});
  const std::string message = refusal_of({{"sampler", "annealed"},
                                          {"exponent", "paper"},
                                          {"growth", "tmcmc"},
                                          {"chain-length", "5"},
                                          {"fast", "true"},
                                          {"draws-from", "last-level"}});
  test::expect_parts(message, {"--exponent paper", "--chain-length", "--fast"});
}

TEST(ValidFitOptions, RefusesWhatASamplerDoesNotHave) {
  for (const std::string sampler : {"slice", "elliptical", "plgp"}) {
    const auto refusal = [&](const std::string& name, const std::string& text) {
      return refusal_of({{"sampler", sampler}, {name, text}});
    };
    test::expect_parts(refusal("anneal-to", "0"), {"--anneal-to 0", "--sampler " + sampler});
    test::expect_parts(refusal("growth", "tmcmc"), {"--growth tmcmc", "--sampler " + sampler});
    test::expect_parts(refusal("draws-from", "all-levels"), {"--draws-from all-levels", "--sampler " + sampler});
    test::expect_parts(refusal("fast", "true"), {"--fast", "--sampler " + sampler});
  }
  test::expect_parts(refusal_of({{"sampler", "slice"}, {"chain-length", "7"}}), {"--chain-length 7", "slice"});
  test::expect_parts(refusal_of({{"sampler", "slice"}, {"ess-target", "0.6"}}), {"--ess-target 0.6", "slice"});
  test::expect_parts(refusal_of({{"sampler", "map"}, {"fast", "false"}}), {"--sampler map", "--fast"});
  EXPECT_NO_THROW(ValidFitOptions(with({{"sampler", "plgp"}, {"chain-length", "7"}})));
}

// A name stands for settings; those beside it win, in whatever order they come.
TEST(Sampler, SetsKernelAndGrowth) {
  const FitOptions published = with({{"sampler", "published"}});
  EXPECT_EQ(published.annealing.kernel.name, "published");
  EXPECT_EQ(published.annealing.growth, Growth::tmcmc);
  for (const bool sampler_first : {true, false}) {
    std::vector<Setting> settings = {{"sampler", "tmcmc"}, {"move", "neal"}};
    if (!sampler_first) std::swap(settings[0], settings[1]);
    EXPECT_EQ(with(settings).annealing.kernel.name, "neal");
    EXPECT_EQ(with(settings).annealing.growth, Growth::tmcmc);
  }
  EXPECT_TRUE(with({{"sampler", "map"}}).fast);
  // Typed after a config file: the later name decides all that names decide.
  FitOptions options = with({{"sampler", "map"}});
  apply_settings(options, {{"sampler", "aims"}});
  EXPECT_FALSE(options.fast);
  EXPECT_EQ(options.annealing.kernel.name, "aims");
}

TEST(Sampler, TheDefaultIsWhatItsNameSets) {
  EXPECT_EQ(recorded_settings(with({{"sampler", "ta2s2"}})).size(), recorded_settings({}).size());
  for (const OptionEntry& entry : option_entries()) {
    EXPECT_EQ(entry.text(with({{"sampler", "ta2s2"}})), entry.option.default_text) << entry.option.name;
  }
}

// Levels that are not what they should be are not weighed.
TEST(TakesAllLevels, UnlessOneOfThemIsBiased) {
  EXPECT_TRUE(takes_all_levels(FitOptions{}));
  EXPECT_TRUE(takes_all_levels(with({{"sampler", "annealed"}, {"move", "neal"}})));
  EXPECT_FALSE(takes_all_levels(with({{"sampler", "annealed"}, {"move", "published"}})));
  EXPECT_FALSE(takes_all_levels(with({{"sampler", "annealed"}, {"growth", "tmcmc"}})));
  EXPECT_FALSE(takes_all_levels(with({{"anneal-to", "0"}})));
  EXPECT_FALSE(takes_all_levels(with({{"sampler", "slice"}})));
  EXPECT_FALSE(takes_all_levels(with({{"sampler", "annealed"}, {"draws-from", "last-level"}})));
  EXPECT_TRUE(takes_all_levels(with({{"sampler", "annealed"}, {"draws-from", "all-levels"}, {"growth", "tmcmc"}})));
}

}  // namespace
}  // namespace ta2s2
