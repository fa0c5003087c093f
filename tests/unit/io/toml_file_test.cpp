#include <map>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/sensitivity.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/workflow/options.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

// ---- settings ----

std::map<std::string, std::string> settings_of(const std::string& text) {
  const test::TemporaryFile file(text, "fit.toml");
  std::map<std::string, std::string> settings;
  for (const Setting& setting : read_config(file.path())) settings[setting.name] = setting.text;
  return settings;
}

std::string toml_refusal(const std::string& text) {
  const test::TemporaryFile file(text, "fit.toml");
  return test::message_of(ErrorCode::usage, [&] { read_config(file.path()); });
}

TEST(ConfigFile, TurnsEveryKindOfValueIntoTheTextOfAnOption) {
  const auto settings = settings_of(
      "# a comment\n"
      "output = \"y\"\n"
      "samples = 5000\n"
      "ess-target = 0.75\n"
      "check = true\n"
      "box = [-5, 6.5]\n"
      "inputs = [\"a\", \"b\"]\n"
      "prior = 'gamma(2,0.5)'\n");
  const std::map<std::string, std::string> expected = {
      {"output", "y"},   {"samples", "5000"}, {"ess-target", "0.75"},   {"check", "true"},
      {"box", "-5,6.5"}, {"inputs", "a,b"},   {"prior", "gamma(2,0.5)"}};
  EXPECT_EQ(settings, expected);
}

TEST(ConfigFile, ItsSettingsApply) {
  const test::TemporaryFile file("box = [-5, 6.5]\nseed = 12\nmap-only = true\nthreads = 3\n", "fit.toml");
  FitRequest request;
  set_options(request, read_config(file.path()));
  const FitOptions options = complete(request);
  EXPECT_EQ(options.box.low, -5.0);
  EXPECT_EQ(options.box.high, 6.5);
  EXPECT_EQ(options.annealing.seed, 12u);
  EXPECT_TRUE(options.fast);
  EXPECT_EQ(request.context.threads, 3);
}

// Every option can stand in a config file as the text it has on the command line.
TEST(ConfigFile, KnowsEveryOption) {
  std::string text;
  for (const Option& spec : option_table()) text += spec.name + " = '" + spec.default_text + "'\n";
  const auto settings = settings_of(text);
  for (const Option& spec : option_table()) EXPECT_EQ(settings.at(spec.name), spec.default_text);
}

TEST(ConfigFile, AnEmptyFileSetsNothing) {
  EXPECT_TRUE(settings_of("# nothing yet\n").empty());
  EXPECT_TRUE(settings_of("").empty());
}

TEST(ConfigFile, SaysWhereItIsNotToml) {
  test::expect_parts(toml_refusal("seed = 1\nbox = [-5, \n\n"), {"fit.toml, line ", "column "});
  test::expect_parts(toml_refusal("seed = 1\nseed = 2\n"), {"fit.toml, line 2, column "});
  test::expect_parts(toml_refusal("output = y\n"), {"fit.toml, line 1, column "});
}

TEST(ConfigFile, SaysWhereThereIsNoSuchSetting) {
  test::expect_parts(toml_refusal("seed = 1\nsample = 100\n"), {"fit.toml, line 2, column 1", "\"sample\""});
  test::expect_parts(toml_refusal("[fit]\nseed = 1\n"), {"fit.toml, line 1, column ", "\"fit\""});
}

TEST(ConfigFile, SaysWhichValueHasAKindNoSettingTakes) {
  test::expect_parts(toml_refusal("seed = 1979-05-27\n"), {"fit.toml, line 1, column ", "\"seed\""});
  test::expect_parts(toml_refusal("box = [[-7, 7]]\n"), {"fit.toml, line 1, column ", "\"box\""});
  test::expect_parts(toml_refusal("box = {low = -7}\n"), {"fit.toml, line 1, column ", "\"box\""});
}

TEST(ConfigFile, RefusesAFileThatCannotBeRead) {
  const test::TemporaryFile file("seed = 1\n", "fit.toml");
  test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { read_config(file.folder() / "missing.toml"); }),
                     {"missing.toml", "cannot be read"});
  test::message_of(ErrorCode::bad_file, [&] { read_config(file.folder()); });
}

// ---- distributions of inputs ----

std::vector<InputStatement> statements_of(const std::string& text) {
  const test::TemporaryFile file(text, "inputs.toml");
  return read_input_statements(file.path());
}

std::string refusal_of_statements(const std::string& text) {
  const test::TemporaryFile file(text, "inputs.toml");
  return test::message_of(ErrorCode::usage, [&] { read_input_statements(file.path()); });
}

TEST(DistributionFile, SaysWhichInputHasWhichDistribution) {
  std::map<std::string, std::string> found;
  for (const InputStatement& statement : statements_of("# how inputs vary\n"
                                                       "thickness = \"uniform(0.08,0.18)\"\n"
                                                       "speed = 'triangular(10,12,20)'\n"
                                                       "\"wall temperature\" = \"normal(4,0.5)\"\n"
                                                       "\"Dicke [\xc2\xb5m]\" = \"values(1,2,4)\"\n")) {
    found[statement.name] = statement.distribution;
  }
  const std::map<std::string, std::string> expected = {{"thickness", "uniform(0.08,0.18)"},
                                                       {"speed", "triangular(10,12,20)"},
                                                       {"wall temperature", "normal(4,0.5)"},
                                                       {"Dicke [\xc2\xb5m]", "values(1,2,4)"}};
  EXPECT_EQ(found, expected);
}

TEST(DistributionFile, IsReadInItsOwnOrder) {
  const std::vector<InputStatement> found = statements_of("b = 'normal(0,1)'\nc = 'values(1)'\na = 'uniform(0,1)'\n");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "b");
  EXPECT_EQ(found[1].name, "c");
  EXPECT_EQ(found[2].name, "a");
}

// Every form of distribution that there is comes through the file as it stands there.
TEST(DistributionFile, CarriesEveryDistribution) {
  const std::vector<std::string> specs = {"uniform(0,1)",     "log-uniform(0.001,0.1)", "normal(0,1)",
                                          "normal(0,1,-2,2)", "triangular(0,0.2,1)",    "values(1,2,4)"};
  ASSERT_EQ(specs.size(), input_distribution_names().size());
  for (const std::string& spec : specs) {
    const std::vector<InputStatement> found = statements_of("x = \"" + spec + "\"\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(make_input_distribution(found[0].distribution)->spec(), spec);
  }
}

TEST(DistributionFile, TellsThePlaceOfEachStatement) {
  const std::vector<InputStatement> found = statements_of("\n\na = 'uniform(0,1)'\n# a comment\nb = 'normal(0,1)'\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].where, testing::EndsWith("inputs.toml, line 3"));
  EXPECT_THAT(found[1].where, testing::EndsWith("inputs.toml, line 5"));
}

TEST(DistributionFile, MayBeEmptyOrFromWindows) {
  EXPECT_TRUE(statements_of("").empty());
  EXPECT_TRUE(statements_of("# nothing yet\n").empty());
  EXPECT_EQ(statements_of("\xef\xbb\xbf"
                          "a = 'uniform(0,1)'\r\nb = 'normal(0,1)'\r\n")
                .size(),
            2U);
}

TEST(DistributionFile, ThatIsNotThereIsAnsweredByASentence) {
  const test::TemporaryFile file("");
  const std::filesystem::path nowhere = file.folder() / "none.toml";
  test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { read_input_statements(nowhere); }),
                     {"none.toml: cannot be read", "expected a TOML file with lines such as x1 = \"normal(10,2)\""});
  test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { read_input_statements(file.folder()); }),
                     {"cannot be read"});
}

// A table, a list and a number are TOML, and no distribution.
TEST(DistributionFile, ValuesThatAreNoTextAreAnsweredByASentence) {
  for (const char* text : {"a = 3", "a = true", "a = [0, 1]", "a = {low = 0, high = 1}", "a.b = 'uniform(0,1)'"}) {
    test::expect_parts(refusal_of_statements(std::string("b = 'normal(0,1)'\n") + text + "\n"),
                       {"inputs.toml, line 2: \"a\" must be a text such as \"uniform(0,1)\""});
  }
  test::expect_parts(refusal_of_statements("[a]\nb = 'uniform(0,1)'\n"), {"line 1: \"a\" must be a text"});
}

TEST(DistributionFile, WhatIsNoTomlIsAnsweredByItsLine) {
  for (const char* text : {"b = ", "b = uniform(0,1)", "b = 'uniform(0,1)", "b 'uniform(0,1)'", "a = 'uniform(0,1)'"}) {
    test::expect_parts(refusal_of_statements(std::string("a = 'normal(0,1)'\n") + text + "\n"),
                       {"inputs.toml, line 2: "});
  }
  test::expect_parts(refusal_of_statements("\xff\xfe = 'uniform(0,1)'\n"), {"inputs.toml, line 1: ", "utf-8"});
}

}  // namespace
}  // namespace ta2s2
