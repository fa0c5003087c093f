#include "lab/reproduce.hpp"

#include <gtest/gtest.h>

#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/text_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2::lab {
namespace {

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
