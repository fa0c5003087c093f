#include "lab/figures.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "ta2s2/report/picture.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2::lab {
namespace {

namespace fs = std::filesystem;

constexpr int kFew = 5, kMany = 9;  // seeds: single points, and a box

const std::string kExactColour = "rgb(  0, 114, 178)";
const std::string kPublishedColour = "rgb(213,  94,   0)";
const std::string kMapColour = "rgb( 85,  85,  85)";
const std::string kPlgpColour = "rgb(230, 159,   0)";

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Every seed has another CRPS, so that none of its marks lies outside the whiskers.
std::string results(const std::string& experiment, int num_seeds, int num_designs) {
  std::ostringstream rows;
  for (const std::string prior : {"reference", "exponential"}) {
    for (const std::string system : {"published", "exact", "map"}) {
      for (const std::string sample : {"full", "100"}) {
        if (system == "map" && sample == "100") continue;
        for (int design = 1; design <= num_designs; ++design) {
          for (int seed = 1; seed <= (design == 1 ? num_seeds : 1); ++seed) {
            rows << experiment << ',' << system << ',' << prior << ',' << design << ',' << seed << ',' << sample << ','
                 << 0.1 + 0.01 * seed + 0.003 * design << '\n';
          }
        }
      }
    }
  }
  return rows.str();
}

const std::string kHeader = "experiment,system,prior,design,seed,sample,crps\n";

std::string draws(int num_inputs, int num_draws) {
  std::ostringstream text;
  for (int d = 1; d <= num_inputs; ++d) text << "log_phi_x" << d << ',';
  text << "z_nugget,energy,weight\n";
  for (int i = 0; i < num_draws; ++i) {
    for (int d = 1; d <= num_inputs; ++d) text << 3.0 * std::sin(0.7 * i + d) << ',';
    text << "-10,1.5," << 1.0 / num_draws << '\n';
  }
  return text.str();
}

std::string levels() {
  std::ostringstream text;
  text << "log_phi_x1,log_phi_x2,energy\n";
  for (double x = -7.0; x <= 7.0; x += 0.5) {
    for (double y = -7.0; y <= 7.0; y += 0.5) {
      text << x << ',' << y << ',';
      if (x + y < 13.0) text << 100.0 + 0.5 * (x * x + y * y);  // no density in the corner
      text << '\n';
    }
  }
  return text.str();
}

class Svg {
 public:
  // Throws if it is no well-formed XML.
  explicit Svg(const fs::path& path) : text_(content_of(path)) {
    std::istringstream stream(text_);
    boost::property_tree::read_xml(stream, tree_);
    EXPECT_EQ(tree_.count("svg"), 1u);
    visit(tree_);
  }

  const std::string& text() const { return text_; }
  // Of single points in this colour; those of a legend have none.
  int marks(const std::string& colour) const { return count(marks_, colour); }
  // Of filled boxes in this colour.
  int boxes(const std::string& colour) const { return count(boxes_, colour); }
  int words(const std::string& word) const { return count(words_, word); }

 private:
  using Tree = boost::property_tree::ptree;

  static int count(const std::vector<std::string>& list, const std::string& value) {
    return static_cast<int>(std::count(list.begin(), list.end(), value));
  }

  void visit(const Tree& node) {
    for (const auto& [name, child] : node) {
      if (name == "use" && child.get_optional<std::string>("<xmlattr>.color")) {
        marks_.push_back(child.get<std::string>("<xmlattr>.color"));
      }
      if (name == "polygon") boxes_.push_back(child.get<std::string>("<xmlattr>.fill", ""));
      if (name == "text") words_.push_back(child.data());
      visit(child);
    }
  }

  std::string text_;
  Tree tree_;
  std::vector<std::string> marks_, boxes_, words_;
};

class FiguresTest : public testing::Test {
 protected:
  FiguresTest() { fs::create_directories(folder); }
  void SetUp() override {
    if (!run_gnuplot({"-d", "-e", "exit"})) GTEST_SKIP() << "needs gnuplot (Debian: gnuplot-nox)";
  }

  fs::path figure(const std::string& name) const { return folder / (name + ".svg"); }

  const test::TemporaryFile file{""};
  const fs::path folder = file.folder() / "it's a folder";  // its name must reach gnuplot as it is
};

TEST_F(FiguresTest, FewRepeatsAreShownOneByOne) {
  write(folder / "results.csv", kHeader + results("franke", kFew, 1));
  const FigureReport report = draw_figures(folder);
  EXPECT_EQ(report.notice, "");
  EXPECT_EQ(report.drawn, std::vector<fs::path>{figure("crps_franke")});
  const Svg svg(figure("crps_franke"));
  // Two priors, and for a sampler two samples.
  EXPECT_EQ(svg.marks(kExactColour), 2 * 2 * kFew);
  EXPECT_EQ(svg.marks(kPublishedColour), 2 * 2 * kFew);
  EXPECT_EQ(svg.marks(kMapColour), 2 * kFew);
  EXPECT_EQ(svg.marks(kPlgpColour), 0);
  EXPECT_EQ(svg.boxes(kExactColour), 0);
  for (const std::string system : {"exact", "published", "map"}) EXPECT_EQ(svg.words(system), 2);
  EXPECT_EQ(svg.words("plgp"), 0);
  EXPECT_EQ(svg.words("reference prior"), 1);
  EXPECT_EQ(svg.words("exponential prior"), 1);
  EXPECT_EQ(svg.words("0.133"), 2 * 5);  // the median, of every row
}

TEST_F(FiguresTest, ManyRepeatsAreABox) {
  write(folder / "results.csv", kHeader + results("franke", kMany, 1) + "franke,exact,reference,1,10,full,0.9\n");
  draw_figures(folder);
  const Svg svg(figure("crps_franke"));
  EXPECT_EQ(svg.boxes(kExactColour), 2);  // a thinned sample's is hatched
  EXPECT_EQ(svg.boxes(kPublishedColour), 2);
  EXPECT_EQ(svg.boxes(kMapColour), 2);
  EXPECT_EQ(svg.marks(kExactColour), 1);  // far outside the whiskers
  EXPECT_EQ(svg.marks(kPublishedColour), 0);
}

TEST_F(FiguresTest, DesignsCountOnceEach) {
  write(folder / "results.csv", kHeader + results("wing-weight", kMany, 4) + results("franke", kFew, 1));
  const FigureReport report = draw_figures(folder);
  EXPECT_EQ(report.drawn, (std::vector<fs::path>{figure("crps_franke"), figure("crps_wing-weight"),
                                                 figure("crps_wing-weight_designs")}));
  EXPECT_EQ(Svg(figure("crps_wing-weight_designs")).marks(kExactColour), 2 * 2 * 4);
  EXPECT_EQ(Svg(figure("crps_wing-weight")).boxes(kExactColour), 2);
}

TEST_F(FiguresTest, StripsHoldTheDrawsOfEverySystem) {
  write(folder / "draws_franke_reference_exact.csv", draws(2, 60));
  write(folder / "draws_franke_reference_published.csv", draws(2, 70));
  write(folder / "map_franke_reference.csv", "log_phi_x1,log_phi_x2,z_nugget\n1,2,-20\n");
  const FigureReport report = draw_figures(folder);
  EXPECT_EQ(report.drawn, std::vector<fs::path>{figure("scatter_franke_reference")});
  const Svg svg(figure("scatter_franke_reference"));
  EXPECT_EQ(svg.marks(kExactColour), 2 * 60);
  EXPECT_EQ(svg.marks(kPublishedColour), 2 * 70);
  EXPECT_EQ(svg.marks(kPlgpColour), 0);
  EXPECT_EQ(svg.words("x1"), 1);
  EXPECT_EQ(svg.words("x2"), 1);
  EXPECT_EQ(svg.words("x3"), 0);
}

TEST_F(FiguresTest, ManyDrawsStaySmall) {
  for (const std::string system : {"exact", "published", "plgp", "tmcmc", "aims", "slice", "elliptical", "nuts"}) {
    write(folder / ("draws_wing-weight_log-uniform_" + system + ".csv"), draws(10, 1000));
  }
  draw_figures(folder);
  EXPECT_LT(fs::file_size(figure("scatter_wing-weight_log-uniform")), 300000u);
}

TEST_F(FiguresTest, LevelCurvesHoldBothSamples) {
  write(folder / "draws_franke_reference_exact.csv", draws(2, 60));
  write(folder / "franke_levels.csv", levels());
  write(folder / "franke_modes.csv", "log_phi_x1,log_phi_x2\n0.1,0.2\n-0.1,0.1\n0.3,0.2\n");
  draw_figures(folder);
  const Svg svg(figure("franke_levels"));
  EXPECT_EQ(svg.marks(kExactColour), 60);
  EXPECT_EQ(svg.marks(kPublishedColour), 3);
  for (const std::string level : {"1", "2", "4", "8", "16", "32"}) EXPECT_GE(svg.words(level), 1) << level;
  EXPECT_EQ(svg.words("log φ of x1"), 2);
  EXPECT_LT(svg.text().size(), 300000u);
}

TEST_F(FiguresTest, AreTheSameBytesEachTime) {
  write(folder / "results.csv", kHeader + results("franke", kMany, 3));
  write(folder / "draws_franke_reference_exact.csv", draws(2, 500));
  write(folder / "franke_levels.csv", levels());
  write(folder / "franke_modes.csv", "log_phi_x1,log_phi_x2\n0.1,0.2\n");
  const FigureReport first = draw_figures(folder);
  ASSERT_EQ(first.drawn.size(), 4u);
  std::vector<std::string> before;
  for (const fs::path& path : first.drawn) before.push_back(content_of(path));
  draw_figures(folder);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(content_of(first.drawn[i]), before[i]) << first.drawn[i];
}

TEST_F(FiguresTest, AFolderWithoutTablesHasNoFigures) {
  const FigureReport report = draw_figures(folder);
  EXPECT_TRUE(report.drawn.empty());
  EXPECT_EQ(report.notice, "");
}

class UnderstoodTablesTest : public testing::Test {
 protected:
  std::string refusal(const std::string& results) const {
    write(file.folder() / "results.csv", results);
    return test::message_of(ErrorCode::bad_data, [&] { draw_figures(file.folder()); });
  }

  const test::TemporaryFile file{""};
};

TEST_F(UnderstoodTablesTest, AMissingColumnIsNamed) {
  test::expect_parts(refusal("experiment,system,prior,design,seed,sample\nfranke,exact,reference,1,1,full\n"),
                     {"results.csv, line 1", "found no column \"crps\""});
}

TEST_F(UnderstoodTablesTest, ACellThatIsNoNumberIsNamed) {
  test::expect_parts(refusal(kHeader + "franke,exact,reference,1,1,full,good\n"),
                     {"results.csv, line 2, column \"crps\"", "found \"good\", expected a number"});
}

TEST_F(UnderstoodTablesTest, DrawsWithoutLengthScalesAreRefused) {
  write(file.folder() / "draws_franke_reference_exact.csv", "a,b\n1,2\n");
  test::expect_parts(test::message_of(ErrorCode::bad_data, [&] { draw_figures(file.folder()); }),
                     {"draws_franke_reference_exact.csv", "found no column that begins with log_phi_"});
}

// The variable as it was, whatever the test does.
class EmptyPath {
 public:
  EmptyPath() { ::setenv("PATH", "/nowhere", 1); }
  ~EmptyPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  const std::string before_ = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
};

TEST(FiguresWithoutGnuplotTest, ASentenceSaysSo) {
  const test::TemporaryFile results_file(kHeader + results("franke", kFew, 1), "results.csv");
  const EmptyPath path;
  const FigureReport report = draw_figures(results_file.folder());
  EXPECT_TRUE(report.drawn.empty());
  test::expect_parts(report.notice, {"no gnuplot on the PATH", "gnuplot-nox"});
  EXPECT_FALSE(fs::exists(results_file.folder() / "crps_franke.svg"));
}

TEST(DrawsTableTest, ThinningFollowsTheWeights) {
  const LengthScaleDraws draws{{"x"}, {{1.0, 2.0, 3.0, 4.0}}, {0.5, 0.0, 0.3, 0.2}};
  EXPECT_EQ(thinned_rows(draws, 4), (std::vector<std::size_t>{0, 0, 2, 3}));
  EXPECT_EQ(thinned_rows(draws, 2), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(thinned_rows(draws, 100).size(), 4u);
}

TEST(DrawsTableTest, QuantilesFollowTheWeights) {
  const std::vector<double> values{3.0, 1.0, 2.0}, weights{0.25, 0.5, 0.25};
  EXPECT_EQ(weighted_quantile(values, weights, 0.05), 1.0);
  EXPECT_EQ(weighted_quantile(values, weights, 0.5), 1.0);
  EXPECT_EQ(weighted_quantile(values, weights, 0.6), 2.0);
  EXPECT_EQ(weighted_quantile(values, weights, 0.95), 3.0);
}

}  // namespace
}  // namespace ta2s2::lab
