#include <algorithm>
#include <cmath>

#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/left_out.hpp"

namespace ta2s2::report {
namespace {

// k-hat up to which smoothed weights are good (Vehtari et al. 2024).
constexpr double kGoodShape = 0.5;
// More runs than this are thinned for display; scores are those of all.
constexpr Index kMostShown = 500;

std::vector<CoverageRow> coverage_rows(const JudgedPredictions& runs) {
  std::vector<CoverageRow> rows;
  const auto n = static_cast<Index>(runs.posterior.size());
  for (int i = 1; i <= 20; ++i) {
    const double level = i == 20 ? 0.99 : 0.05 * i;
    const CountBand band = runs.chance.of(n, central_range(level)).band(0.95);
    const auto share = [&](Index count) { return static_cast<double>(count) / static_cast<double>(n); };
    rows.push_back({level, share(num_covered(runs.posterior, level)), share(num_covered(runs.map, level)),
                    share(band.low), share(band.high)});
  }
  return rows;
}

std::vector<PitBin> pit_bins(const JudgedPredictions& runs) {
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index bins = n >= 80 ? 10 : 5;
  const double share = 1.0 / static_cast<double>(bins);
  std::vector<PitBin> rows;
  for (Index b = 0; b < bins; ++b) {
    const double from = share * static_cast<double>(b), to = share * static_cast<double>(b + 1);
    const bool is_last = b == bins - 1;
    const CountBand band = runs.chance.of(n, {from, to}).band(0.95);
    const Index count = std::count_if(runs.posterior.begin(), runs.posterior.end(), [&](const JudgedRun& run) {
      return run.pit >= from && (run.pit < to || is_last);
    });
    rows.push_back({from, to, count, band.low, band.high});
  }
  return rows;
}

// How the grey band was made, and what follows for who reads it.
std::string band_sentence(const JudgedPredictions& runs) {
  if (runs.chance.is_simulated()) {
    return " The band is simulated from the emulator's joint predictions, in which runs near one another err together.";
  }
  return " The band takes the runs for independent. They share one emulator, so it is a guide: a right emulator's line "
         "leaves it somewhere in about 1 report of 3.";
}

std::string coverage_sentence(const JudgedPredictions& runs) {
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index inside = num_covered(runs.posterior, 0.95);
  const CountBand band = runs.chance.of(n, central_range(0.95)).band(0.95);
  const std::string what = "Look for a line inside the grey band, which is what chance allows at each level. Here " +
                           std::to_string(inside) + " of " + counted(n, "run") + " lie in their 95% intervals; ";
  const std::string range =
      band.low == band.high ? std::to_string(band.low) : std::to_string(band.low) + " to " + std::to_string(band.high);
  const char* verdict = inside < band.low    ? "the intervals are too narrow."
                        : inside > band.high ? "the intervals are wider than needed."
                                             : "the intervals say what they should.";
  return what + range + " were expected: " + verdict + band_sentence(runs);
}

// Whether a reader sees the points but not their intervals, which are shorter than one part in fifty of the axis.
bool has_hidden_intervals(const JudgedPredictions& runs) {
  const double spread = std::sqrt(12.0 * runs.output_variance);  // of a uniform output
  const Index hidden = std::count_if(runs.posterior.begin(), runs.posterior.end(),
                                     [&](const JudgedRun& run) { return run.high - run.low < 0.02 * spread; });
  return 2 * hidden > static_cast<Index>(runs.posterior.size());
}

std::string truth_sentence(const JudgedPredictions& runs, const std::string& which) {
  const std::string text =
      "Look for points on the diagonal, and for bars that reach it. Here the predicted means explain " +
      percent(runs.explained(), 3) + " of the variance of the " + which + ".";
  return text + (has_hidden_intervals(runs) ? " Most intervals are shorter than the points: see the residuals." : "");
}

std::string residual_sentence(const std::vector<JudgedRun>& runs) {
  const auto worst = std::max_element(runs.begin(), runs.end(), [](const JudgedRun& a, const JudgedRun& b) {
    return std::abs(a.standardised()) < std::abs(b.standardised());
  });
  const Index far =
      std::count_if(runs.begin(), runs.end(), [](const JudgedRun& run) { return std::abs(run.standardised()) > 2.0; });
  return "Look for points without a pattern, about 1 in 20 of them beyond the lines at 2. Here " + std::to_string(far) +
         " of " + std::to_string(runs.size()) + (far == 1 ? " is" : " are") + "; the farthest is run " +
         std::to_string(worst->number) + " at " + format_number(worst->standardised(), 3) + ".";
}

std::string pit_sentence(const JudgedPredictions& runs) {
  const std::vector<PitBin> bins = pit_bins(runs);
  const Index outside = std::count_if(bins.begin(), bins.end(),
                                      [](const PitBin& bin) { return bin.runs < *bin.low || bin.runs > *bin.high; });
  const std::string what =
      "Look for bars of about one height: a hump means intervals too wide, a valley too narrow, a slope a bias. Here ";
  if (outside == 0) return what + "every bar is within what chance allows.";
  return what + std::to_string(outside) + " of " + std::to_string(bins.size()) + " bars " +
         (outside == 1 ? "lies" : "lie") + " outside what chance allows it 19 times in 20.";
}

std::string scores_sentence(const JudgedPredictions& runs) {
  const double posterior = total_scores(runs.posterior).crps, map = total_scores(runs.map).crps;
  std::string text =
      "Look at the CRPS, in the output's units: it rewards predictions that are close and honest about "
      "their error. Here the posterior's is " +
      format_number(posterior, 3) + ", ";
  const double change = std::abs(posterior - map) / map;
  text += change < 0.005 ? "the same as the plug-in MAP's."
                         : percent(change, 2) + (posterior < map ? " less" : " more") + " than the plug-in MAP's.";
  return text;
}

// The residuals together, where each of them may look right.
std::string distance_sentence(const Mahalanobis& distance) {
  const std::string range = format_number(distance.low, 3) + " to " + format_number(distance.high, 3);
  const std::string here = " The Mahalanobis distance looks at all residuals together; chance allows " + range +
                           ", here it is " + format_number(distance.squared, 3) + ": ";
  if (distance.squared > distance.high) return here + "neighbouring runs differ more than the emulator says.";
  if (distance.squared < distance.low) return here + "neighbouring runs differ less than the emulator says.";
  return here + "as it should be.";
}

// All but the rows.
JudgedSection judged_section(const JudgedPredictions& runs, const std::string& which) {
  JudgedSection section;
  section.scores = {total_scores(runs.posterior), total_scores(runs.map)};
  section.explained = runs.explained();
  section.coverage = coverage_rows(runs);
  section.pit.bins = pit_bins(runs);
  section.sentences = {scores_sentence(runs), truth_sentence(runs, which), residual_sentence(runs.posterior),
                       pit_sentence(runs), coverage_sentence(runs)};
  if (!runs.distance) return section;
  const auto row_of = [](const Mahalanobis& d) { return DistanceRow{d.squared, d.low, d.high}; };
  section.mahalanobis = {row_of(*runs.distance), row_of(*runs.map_distance)};
  section.sentences.scores += distance_sentence(*runs.distance);
  return section;
}

// Evenly chosen ones if there are many; `finish` adds to a row what only it knows of its run.
void add_rows(JudgedSection& section, const std::vector<JudgedRun>& runs,
              const std::function<void(std::size_t, JudgedRow&)>& finish) {
  const std::size_t step = (runs.size() + kMostShown - 1) / kMostShown;
  for (std::size_t i = 0; i < runs.size(); i += step) {
    const JudgedRun& run = runs[i];
    section.runs.push_back(
        {run.number, run.observed, run.mean, run.sd, run.low, run.high, run.standardised(), run.pit, {}, {}});
    finish(i, section.runs.back());
  }
  section.shown = static_cast<Index>(section.runs.size());
  section.is_thinned = step > 1;
}

std::string k_hat_sentence(const LeftOutPredictions& left_out) {
  const auto largest = std::max_element(left_out.k_hat.begin(), left_out.k_hat.end());
  const Index number = left_out.runs.posterior[static_cast<std::size_t>(largest - left_out.k_hat.begin())].number;
  const std::string what =
      "Look for runs above 0.7: without one of them the posterior would be so different that few draws carry its "
      "left-out prediction. Up to 0.5 all is well. Here ";
  const std::string worst = "the largest is " + format_number(*largest, 2) + ", of run " + std::to_string(number);
  const Index n = static_cast<Index>(left_out.k_hat.size()), bad = left_out.num_above(JudgeLimits::largest_shape);
  const Index middling = left_out.num_above(kGoodShape) - bad;
  if (bad + middling == 0) return what + worst + ": every left-out prediction can be relied on.";
  const std::string counts = std::to_string(bad) + " of " + counted(n, "run") + (bad == 1 ? " is" : " are") +
                             " above 0.7 and " + std::to_string(middling) + " between 0.5 and 0.7; " + worst;
  return what + counts + (bad == 0 ? ": all can be used." : ": do not judge the emulator by these runs.");
}

std::string how_left_out(const OutputRecord& output, const LeftOutPredictions& left_out) {
  std::string text = "No refit: " + std::to_string(left_out.num_draws) + " of " + std::to_string(num_draws(output)) +
                     " draws are weighed anew as if they had not seen the run, and the weights Pareto-smoothed.";
  if (output.weighting == Weighting::evidence) text += " Models gain or lose weight with their draws.";
  if (output.weighting == Weighting::stacking) {
    text +=
        " The models keep their weights, which were chosen to predict these runs well: scores are a little optimistic.";
  }
  if (output.weighting == Weighting::equal) text += " The models keep their weights.";
  return text + " The plug-in MAP stays that of all runs, so that its scores here are optimistic.";
}

}  // namespace

std::optional<JudgedSection> left_out_section(const OutputRecord& output, const LeftOutPredictions& left_out) {
  if (left_out.runs.posterior.empty()) return std::nullopt;
  JudgedSection section = judged_section(left_out.runs, judged_by(false));
  section.draws = left_out.num_draws;
  section.all_draws = num_draws(output);
  section.how = how_left_out(output, left_out);
  section.unreliable = left_out.num_above(JudgeLimits::largest_shape);
  section.cannot_miss = left_out.cannot_miss;
  add_rows(section, left_out.runs.posterior, [&](std::size_t run, JudgedRow& row) {
    if (!left_out.k_hat.empty()) row.k_hat = left_out.k_hat[run];
  });
  if (!left_out.k_hat.empty())
    section.k_hats = KHatSection{kGoodShape, JudgeLimits::largest_shape, k_hat_sentence(left_out)};
  return section;
}

JudgedSection validation_section(const ValidationPredictions& unseen) {
  JudgedSection section = judged_section(unseen.runs, judged_by(true));
  add_rows(section, unseen.runs.posterior,
           [&](std::size_t run, JudgedRow& row) { row.is_outside = unseen.is_outside[run]; });
  section.num_joint = unseen.num_joint;
  section.outside = unseen.num_outside();
  return section;
}

}  // namespace ta2s2::report
