#include "ta2s2/settings.hpp"

#include <map>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

std::map<std::string, std::string> settings_of(const std::string& text) {
  const test::TemporaryFile file(text, "fit.toml");
  std::map<std::string, std::string> settings;
  for (const Setting& setting : read_config(file.path())) settings[setting.name] = setting.text;
  return settings;
}

std::string refusal_of(const std::string& text) {
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
  FitOptions options;
  apply_settings(options, read_config(file.path()));
  EXPECT_EQ(options.box.low, -5.0);
  EXPECT_EQ(options.box.high, 6.5);
  EXPECT_EQ(options.annealing.seed, 12u);
  EXPECT_TRUE(options.map_only);
  EXPECT_EQ(options.threads, 3);
}

// Every option can stand in a config file as the text it has on the command line.
TEST(ConfigFile, KnowsEveryOption) {
  std::string text;
  for (const OptionSpec& spec : option_table()) text += spec.name + " = '" + spec.default_text + "'\n";
  const auto settings = settings_of(text);
  for (const OptionSpec& spec : option_table()) EXPECT_EQ(settings.at(spec.name), spec.default_text);
}

TEST(ConfigFile, AnEmptyFileSetsNothing) {
  EXPECT_TRUE(settings_of("# nothing yet\n").empty());
  EXPECT_TRUE(settings_of("").empty());
}

TEST(ConfigFile, SaysWhereItIsNotToml) {
  test::expect_parts(refusal_of("seed = 1\nbox = [-5, \n\n"), {"fit.toml, line ", "column "});
  test::expect_parts(refusal_of("seed = 1\nseed = 2\n"), {"fit.toml, line 2, column "});
  test::expect_parts(refusal_of("output = y\n"), {"fit.toml, line 1, column "});
}

TEST(ConfigFile, SaysWhereThereIsNoSuchSetting) {
  test::expect_parts(refusal_of("seed = 1\nsample = 100\n"), {"fit.toml, line 2, column 1", "\"sample\""});
  test::expect_parts(refusal_of("[fit]\nseed = 1\n"), {"fit.toml, line 1, column ", "\"fit\""});
}

TEST(ConfigFile, SaysWhichValueHasAKindNoSettingTakes) {
  test::expect_parts(refusal_of("seed = 1979-05-27\n"), {"fit.toml, line 1, column ", "\"seed\""});
  test::expect_parts(refusal_of("box = [[-7, 7]]\n"), {"fit.toml, line 1, column ", "\"box\""});
  test::expect_parts(refusal_of("box = {low = -7}\n"), {"fit.toml, line 1, column ", "\"box\""});
}

TEST(ConfigFile, RefusesAFileThatCannotBeRead) {
  const test::TemporaryFile file("seed = 1\n", "fit.toml");
  test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { read_config(file.folder() / "missing.toml"); }),
                     {"missing.toml", "cannot be read"});
  test::message_of(ErrorCode::bad_file, [&] { read_config(file.folder()); });
}

}  // namespace
}  // namespace ta2s2
