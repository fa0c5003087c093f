#include <gtest/gtest.h>

#include "lab/reproduce.hpp"
#include "lab/results.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/text_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2::lab {
namespace {

class CountingObserver final : public ExperimentObserver {
 public:
  void on_fit(const FitProgress& fit) override { fits.push_back(fit.what); }
  void on_notice(const std::string& sentence) override { notices.push_back(sentence); }

  std::vector<std::string> fits, notices;
};

class Reproduce : public testing::Test {
 protected:
  ReproduceOptions franke(const std::string& systems, int repeats) const {
    ReproduceOptions options;
    options.experiments = {"franke"};
    options.systems = choose_systems(systems);
    options.num_repeats = repeats;
    options.samples = 120;
    options.out = folder_.folder() / "out";
    return options;
  }

  CountingObserver run(const ReproduceOptions& options) const {
    CountingObserver observer;
    ThreadExecutor executor(1);
    reproduce(options, executor, observer);
    return observer;
  }

  ResultFile results() const {
    return ResultFile(folder_.folder() / "out" / "results.csv", reproduction_columns(), kNumReproductionKeys);
  }

  const test::TemporaryFile folder_{""};
};

// All columns but the time.
std::vector<ResultRow> without_seconds(const ResultFile& results) {
  std::vector<ResultRow> rows = results.rows();
  const auto& columns = results.columns();
  const auto seconds = std::find(columns.begin(), columns.end(), "seconds") - columns.begin();
  for (ResultRow& row : rows) row.erase(row.begin() + seconds);
  return rows;
}

// Two designs: seeds 1 and 2 on the first, seed 1 on the second. Per (design, seed): two priors of the paper with
// `exact` and `published`, two rows each, and their MAP; our defaults with `exact` and its MAP.
TEST_F(Reproduce, GivesARowPerSystemPriorDesignSeedAndSample) {
  const CountingObserver observer = run(franke("exact,published,map", 2));
  EXPECT_EQ(observer.fits.size(), 3u * 5u);
  const ResultFile file = results();
  EXPECT_EQ(file.rows().size(), 3u * (2u * (2u + 2u + 1u) + 3u));
  EXPECT_NE(file.find({"franke", "published", "exponential", "2", "1", "100"}), nullptr);
  EXPECT_NE(file.find({"franke", "map", "default", "1", "2", "full"}), nullptr);
  EXPECT_EQ(file.find({"franke", "published", "default", "1", "1", "full"}), nullptr);
}

// What is left of a run that was killed, at any row, is completed to what the whole run gives.
TEST_F(Reproduce, GoesOnWhereARunWasCutShort) {
  const ReproduceOptions options = franke("exact,map", 1);
  run(options);
  const std::vector<ResultRow> whole = without_seconds(results());
  const std::filesystem::path path = options.out / "results.csv";
  const std::string text = read_text_file(path).value();
  // Within the third row: the first fit's two rows are there, its MAP's is not.
  std::size_t third_row = 0;
  for (int line = 0; line < 3; ++line) third_row = text.find('\n', third_row) + 1;
  std::filesystem::resize_file(path, third_row + 10);

  const CountingObserver observer = run(options);
  EXPECT_EQ(observer.fits.size(), 3u);  // the first one again, for its last row
  EXPECT_EQ(without_seconds(results()), whole);
  EXPECT_EQ(run(options).fits.size(), 0u);
}

TEST_F(Reproduce, MoreExperimentsAddToThoseDone) {
  run(franke("exact", 1));
  EXPECT_EQ(run(franke("exact", 2)).fits.size(), 2u * 3u);
  EXPECT_EQ(run(franke("exact,map", 2)).fits.size(), 3u * 3u);  // the maximum needs each fit again
}

TEST_F(Reproduce, ResultsOfOtherSettingsAreNotMixed) {
  ReproduceOptions options = franke("exact", 1);
  run(options);
  options.samples = 160;
  const std::string message = test::message_of(ErrorCode::usage, [&] { run(options); });
  test::expect_parts(message, {"results.csv", "other settings", "expected another --out"});
}

TEST_F(Reproduce, WritesWhatFiguresNeed) {
  run(franke("exact,published,map", 1));
  for (const char* name :
       {"draws_franke_reference_exact.csv", "map_franke_reference_exact.csv", "draws_franke_exponential_published.csv",
        "draws_franke_default_exact.csv", "franke_levels.csv", "franke_modes.csv", "summary.md", "summary.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.folder() / "out" / name)) << name;
  }
  const std::string draws = read_text_file(folder_.folder() / "out" / "draws_franke_reference_exact.csv").value();
  EXPECT_TRUE(draws.starts_with("log_phi_x1,log_phi_x2,z_nugget,energy,weight\n"));
  const std::string levels = read_text_file(folder_.folder() / "out" / "franke_levels.csv").value();
  EXPECT_EQ(std::count(levels.begin(), levels.end(), '\n'), 141 * 141 + 1);
}

TEST_F(Reproduce, AnExperimentWithoutItsRunsIsLeftOutWithANotice) {
  ReproduceOptions options = franke("exact", 1);
  options.experiments = {"nilson-kuusk", "franke"};
  const CountingObserver observer = run(options);
  ASSERT_EQ(observer.notices.size(), 1u);
  test::expect_parts(observer.notices.front(), {"nilson-kuusk", "expected"});
  EXPECT_EQ(observer.fits.size(), 3u);
  options.experiments = {"nilson-kuusk"};
  test::message_of(ErrorCode::bad_file, [&] { run(options); });
}

class ReproductionSummary : public testing::Test {
 protected:
  // A row of whole samples with the numbers that a test looks at.
  void add(const std::string& system, int design, int seed, double crps, double coverage95 = 0.9) {
    ResultRow row = {"franke", system, "reference", std::to_string(design), std::to_string(seed), "full"};
    for (std::size_t i = kNumReproductionKeys; i < reproduction_columns().size(); ++i) {
      const std::string& column = reproduction_columns()[i];
      row.push_back(column == "crps"         ? format_number(crps)
                    : column == "coverage95" ? format_number(coverage95)
                    : column == "test_runs"  ? "100"
                                             : "1");
    }
    results_.append(row);
  }

  std::string value(const std::string& system, const std::string& over, const std::string& column) {
    write_reproduction_summary(results_, file_.folder());
    const CsvTable table = read_csv_table(file_.folder() / "summary.csv");
    const auto cell = [&](const CsvRow& row, const std::string& name) {
      return row.cells.at(
          static_cast<std::size_t>(std::find(table.names.begin(), table.names.end(), name) - table.names.begin()));
    };
    for (const CsvRow& row : table.rows) {
      if (cell(row, "system") == system && cell(row, "over") == over) return cell(row, column);
    }
    return "no such row";
  }

  double number(const std::string& system, const std::string& over, const std::string& column) {
    return parse_number(value(system, over, column), column);
  }

  const test::TemporaryFile file_{"", "results.csv"};
  ResultFile results_{file_.path(), reproduction_columns(), kNumReproductionKeys};
};

TEST_F(ReproductionSummary, DesignsAndSeedsAreSummarisedApart) {
  add("exact", 1, 1, 1.0);
  add("exact", 1, 2, 2.0);
  add("exact", 1, 3, 4.0);
  add("exact", 2, 1, 10.0);
  EXPECT_EQ(number("exact", "seeds", "fits"), 3.0);
  EXPECT_DOUBLE_EQ(number("exact", "seeds", "crps_median"), 2.0);
  EXPECT_DOUBLE_EQ(number("exact", "seeds", "crps_upper_quartile"), 3.0);
  EXPECT_EQ(number("exact", "designs", "fits"), 2.0);
  EXPECT_DOUBLE_EQ(number("exact", "designs", "crps_median"), 5.5);
}

// Differences 1, 2, 3, 4, 5 in any order of rows: mean 3, R's t.test gives +- 1.963243. Unpaired, the spread of `exact`
// would make it many times as wide.
TEST_F(ReproductionSummary, DifferencesArePaired) {
  const std::vector<double> exact = {10.0, 30.0, 20.0, 50.0, 40.0};
  for (int design = 5; design >= 1; --design) {
    add("published", design, 1, exact[static_cast<std::size_t>(design - 1)] + design);
  }
  for (int design = 1; design <= 5; ++design) add("exact", design, 1, exact[static_cast<std::size_t>(design - 1)]);
  EXPECT_NEAR(number("published", "designs", "crps_minus_exact"), 3.0, 1e-12);
  EXPECT_NEAR(number("published", "designs", "crps_minus_exact_error"), 1.963243, 5e-7);
  EXPECT_EQ(value("exact", "designs", "crps_minus_exact"), "");
}

TEST_F(ReproductionSummary, OnePairHasADifferenceWithoutAnInterval) {
  add("exact", 1, 1, 1.0);
  add("map", 1, 1, 1.5);
  EXPECT_DOUBLE_EQ(number("map", "seeds", "crps_minus_exact"), 0.5);
  EXPECT_EQ(value("map", "seeds", "crps_minus_exact_error"), "");
  EXPECT_EQ(value("map", "designs", "crps_minus_exact"), "no such row");
}

TEST_F(ReproductionSummary, WithoutExactThereIsNoDifference) {
  add("published", 1, 1, 1.0);
  EXPECT_EQ(value("published", "seeds", "crps_minus_exact"), "");
}

TEST_F(ReproductionSummary, CoverageHasTheBinomialErrorOfTheTestRuns) {
  add("exact", 1, 1, 1.0, 0.85);
  add("exact", 1, 2, 1.0, 0.95);
  EXPECT_DOUBLE_EQ(number("exact", "seeds", "coverage95"), 0.9);
  EXPECT_DOUBLE_EQ(number("exact", "seeds", "coverage95_error"), 0.03);
}

TEST_F(ReproductionSummary, TheMarkdownHasATablePerExperiment) {
  add("exact", 1, 1, 1.0);
  add("map", 1, 1, 1.5);
  write_reproduction_summary(results_, file_.folder());
  test::expect_parts(read_text_file(file_.folder() / "summary.md").value(),
                     {"### franke, over seeds", "| prior | system |", "| reference | exact | full | 1 | 1 (1, 1) |",
                      "Differences from `exact`", "| reference | map | full | +0.5 |"});
}

}  // namespace
}  // namespace ta2s2::lab
