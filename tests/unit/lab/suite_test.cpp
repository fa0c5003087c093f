#include "lab/suite.hpp"

#include <gtest/gtest.h>

#include <set>

#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/text_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2::lab {
namespace {

TEST(SuiteModels, AreValidSettingsUnderNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const SuiteModel& model : choose_suite_models("all")) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    FitOptions options;
    apply_settings(options, model.settings);
    EXPECT_NO_THROW(ValidFitOptions{options}) << model.name;
  }
  EXPECT_EQ(choose_suite_models("matern32,default").size(), 2u);
}

TEST(SuiteModels, AreReadFromText) {
  const SuiteModel model = parse_suite_model("correlation=matern32; trend = linear;prior=gamma(2,1)");
  ASSERT_EQ(model.settings.size(), 3u);
  EXPECT_EQ(model.settings[1].name, "trend");
  EXPECT_EQ(model.settings[1].text, "linear");
  EXPECT_EQ(model.settings[2].text, "gamma(2,1)");
}

TEST(SuiteModels, BadOnesAreRefused) {
  const auto refusal = [](const std::string& text) {
    return test::message_of(ErrorCode::usage, [&] { parse_suite_model(text); });
  };
  test::expect_parts(refusal("linear"), {"--model", "\"linear\"", "expected setting=value"});
  test::expect_parts(refusal("trendy=linear"), {"--model", "trendy"});
  test::expect_parts(refusal("trend=quartic"), {"--model", "quartic"});
  test::expect_parts(test::message_of(ErrorCode::usage, [] { choose_suite_models("defaults"); }),
                     {"--models", "\"defaults\"", "default"});
  test::expect_parts(test::message_of(ErrorCode::usage, [] { choose_suite_functions("branin,brannin"); }),
                     {"\"brannin\"", "branin"});
}

TEST(SuiteFunctions, AreAllButThePapersOwn) {
  const std::vector<Simulator> functions = choose_suite_functions("");
  EXPECT_EQ(functions.size(), simulators().size() - 2);
  EXPECT_GE(functions.size(), 14u);
  for (const Simulator& function : functions) {
    const std::vector<Index> sizes = suite_sizes(function.num_inputs());
    ASSERT_EQ(sizes.size(), 2u);
    EXPECT_LE(10, sizes[0]);
    EXPECT_LT(sizes[0], sizes[1]);
    EXPECT_LE(sizes[1], 150);
  }
}

class Suite : public testing::Test {
 protected:
  Index run(const std::string& models, int designs, Index samples = 120) const {
    SuiteOptions options{
        choose_suite_models(models), choose_suite_functions("branin"), designs, 1, samples, file_.folder()};
    struct Counter final : ExperimentObserver {
      void on_fit(const FitProgress&) override { ++fits; }
      Index fits = 0;
    } counter;
    ThreadExecutor executor(1);
    run_suite(options, executor, counter);
    return counter.fits;
  }

  const test::TemporaryFile file_{"", "suite.csv"};
};

TEST_F(Suite, GivesARowPerModelSizeAndDesignAndGoesOn) {
  EXPECT_EQ(run("default", 1), 2);
  EXPECT_EQ(run("default,matern32", 2), 6);
  EXPECT_EQ(run("default,matern32", 2), 0);
  const ResultFile results(file_.path(), suite_columns(), kNumSuiteKeys);
  EXPECT_EQ(results.rows().size(), 8u);
  EXPECT_NE(results.find({"branin", "20", "2", "1", "matern32"}), nullptr);
  test::expect_parts(read_text_file(file_.folder() / "suite_summary.md").value(),
                     {"| default | 2 |", "| matern32 | 2 |", "| branin, 10 runs |", "| branin, 20 runs |"});
}

TEST_F(Suite, ResultsOfOtherSettingsAreNotMixed) {
  run("default", 1);
  test::expect_parts(test::message_of(ErrorCode::usage, [&] { run("default", 1, 160); }),
                     {"suite.csv", "other settings", "expected another --out"});
}

class SuiteSummary : public testing::Test {
 protected:
  void add(const std::string& function, int design, const std::string& model, double crps) {
    ResultRow row = {function, "20", std::to_string(design), "1", model};
    for (std::size_t i = kNumSuiteKeys; i < suite_columns().size(); ++i) {
      row.push_back(suite_columns()[i] == "crps" ? format_number(crps) : "1");
    }
    results_.append(row);
  }

  std::string markdown() {
    write_suite_summary(results_, file_.folder());
    return read_text_file(file_.folder() / "suite_summary.md").value();
  }

  const test::TemporaryFile file_{"", "suite.csv"};
  ResultFile results_{file_.path(), suite_columns(), kNumSuiteKeys};
};

// Function a: means over designs 2 and 4; b: 3 and 1.5; the best are 2 and 1.5. `single` is 1 and 2 times the best,
// `other` 2 and 1 times. Log ratios to `single`'s are log 2 and -log 2: mean 0, sd 0.9803, half-width
// 12.7062 * 0.9803 / sqrt(2) = 8.8072, and exp(8.8072) = 6683.
TEST_F(SuiteSummary, ComparesModelsCaseByCase) {
  add("a", 1, "single", 1.0);
  add("a", 2, "single", 3.0);
  add("a", 1, "other", 4.0);
  add("a", 2, "other", 4.0);
  add("b", 1, "single", 3.0);
  add("b", 1, "other", 1.5);
  const std::string text = markdown();
  test::expect_parts(text, {"| single | 2 | 1.5 | 1.414 |  |", "b, 20 runs (2) |"});
  test::expect_parts(text, {"| other | 2 | 1.5 | 1.414 | 1.000 (0.000, 668", "a, 20 runs (2) |"});
}

TEST_F(SuiteSummary, AModelThatMissesACaseIsComparedOnTheOthers) {
  add("a", 1, "single", 1.0);
  add("b", 1, "single", 1.0);
  add("b", 1, "other", 0.5);
  test::expect_parts(markdown(), {"| single | 2 | 1.5 | 1.414 |", "| other | 1 | 1 | 1 | 0.500"});
}

}  // namespace
}  // namespace ta2s2::lab
