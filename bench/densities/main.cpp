// Runs sample() on densities with known answers: a CSV row per run, compared with the truth. Rows that are in the file
// are not run again, so that what was ended goes on.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "densities.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/smc/passes.hpp"

namespace ta2s2::densities {
namespace {

// "wrong" of issue 22.
struct Limits {
  static constexpr double centre = 0.3;  // in standard deviations, or in interquartile ranges
  static constexpr double least_ratio = 0.75, most_ratio = 1.3;
  static constexpr double mode_weight = 0.15;
  static constexpr double log_evidence = 0.5, log_evidence_errors = 4.0;
};
constexpr double kGradientCost = 3.5;  // of a gradient with its value, in values

struct Request {
  std::string cases = ".*", seeds = "1-8", settings, out;
  bool without_gradient = false, check = false, list = false;

  std::string name_of_settings() const {
    const std::string first = without_gradient ? "without-gradient" : "";
    return first + (first.empty() || settings.empty() ? "" : " ") + settings;
  }
};

// ---- against the truth ----

struct Score {
  double centre_error = 0.0, least_ratio = kInfinity, most_ratio = 0.0;  // of the worst coordinates
  double mode_weight_error = 0.0, log_evidence_error = 0.0;
  std::vector<std::string> wrong;
};

struct CentreAndSpread {
  double centre, spread;
};

CentreAndSpread moments(const Vector& values, const Vector& weights) {
  const double mean = values.dot(weights);
  return {mean, std::sqrt((values.array() - mean).square().matrix().dot(weights))};
}

CentreAndSpread quartiles(const Vector& values, const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  const auto quantile = [&](double p) {
    double below = 0.0;
    for (const Index i : order) {
      below += weights[i];
      if (below >= p) return values[i];
    }
    return values[order.back()];
  };
  return {quantile(0.5), quantile(0.75) - quantile(0.25)};
}

std::string rounded(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

Score score_of(const Sample& found, const Truth& truth) {
  Score score;
  const PosteriorSample& sample = found.sample;
  for (Index k = 0; k < sample.positions.rows(); ++k) {
    const Vector values = sample.positions.row(k);
    const CentreAndSpread one =
        truth.has_heavy_tails ? quartiles(values, sample.weights) : moments(values, sample.weights);
    score.centre_error = std::max(score.centre_error, std::abs(one.centre - truth.centre[k]) / truth.spread[k]);
    score.least_ratio = std::min(score.least_ratio, one.spread / truth.spread[k]);
    score.most_ratio = std::max(score.most_ratio, one.spread / truth.spread[k]);
  }
  if (truth.mode) {
    double weight = 0.0;
    for (Index i = 0; i < sample.size(); ++i) {
      if (truth.mode->contains(sample.positions.col(i))) weight += sample.weights[i];
    }
    score.mode_weight_error = weight - truth.mode->weight;
  }
  score.log_evidence_error = found.evidence->log_evidence - truth.log_evidence;
  const auto ask = [&](bool is_right, const std::string& reason) {
    if (!is_right) score.wrong.push_back(reason);
  };
  ask(score.centre_error <= Limits::centre, rounded("centre %.2f", score.centre_error));
  ask(score.least_ratio >= Limits::least_ratio, rounded("spread %.2f", score.least_ratio));
  ask(score.most_ratio <= Limits::most_ratio, rounded("spread %.2f", score.most_ratio));
  ask(std::abs(score.mode_weight_error) <= Limits::mode_weight, rounded("mode weight %+.2f", score.mode_weight_error));
  ask(std::abs(score.log_evidence_error) <=
          std::max(Limits::log_evidence, Limits::log_evidence_errors * found.evidence->standard_error),
      rounded("log Z %+.2f", score.log_evidence_error));
  return score;
}

// ---- what the run says of itself ----

const char* to_word(PassProblem problem) {
  switch (problem) {
    case PassProblem::evidence_differs:
      return "evidence differs";
    case PassProblem::means_differ:
      return "means differ";
    case PassProblem::sds_differ:
      return "sds differ";
    case PassProblem::energy_drifts:
      return "energy drifts";
    case PassProblem::few_draws:
      return "few draws";
    case PassProblem::sd_uncertain:
      return "sd uncertain";
    case PassProblem::evidence_uncertain:
      return "evidence uncertain";
    case PassProblem::one_pass:
      return "one pass";
  }
  return "";
}

struct Verdict {
  bool has_converged = true;
  std::vector<std::string> reasons, remarks;
};

Verdict verdict_of(const Sample& found) {
  Verdict verdict;
  verdict.has_converged = found.judgement.grade() < Grade::unknown;
  if (!found.passes) return verdict;
  for (const PassProblem problem : problems_of(*found.passes)) verdict.reasons.push_back(to_word(problem));
  if (has_heavy_tails(found.passes->agreement)) verdict.remarks.push_back("heavy tails");
  return verdict;
}

// ---- rows ----

constexpr const char* kHeader =
    "case,group,seed,settings,log_evidence,stated_error,truth,centre_error,least_ratio,most_ratio,mode_weight_error,"
    "effective_size,evaluations,gradients,h_equivalents,passes,status,reasons,remarks,seconds,verdict,wrong,components,"
    "levels,tail_index,draws";

std::string joined(const std::vector<std::string>& words) {
  return join(words, "; ", [](const std::string& word) { return word; });
}

std::string row_of(const Case& one, std::uint64_t seed, const Request& request, const Density& density,
                   const Sample& found, double seconds) {
  const Score score = score_of(found, density.truth);
  const Verdict verdict = verdict_of(found);
  const auto evaluations = static_cast<double>(density.target->evaluations());
  const auto gradients = static_cast<double>(density.target->gradients());
  std::ostringstream row;
  row.precision(6);
  row << one.name << ',' << to_word(one.group) << ',' << seed << ',' << request.name_of_settings() << ','
      << found.evidence->log_evidence << ',' << found.evidence->standard_error << ',' << density.truth.log_evidence
      << ',' << score.centre_error << ',' << score.least_ratio << ',' << score.most_ratio << ',';
  if (density.truth.mode) row << score.mode_weight_error;
  row << ',' << (found.passes ? found.passes->agreement.effective_sample_size : 0.0) << ',' << std::fixed;
  row.precision(0);
  row << evaluations << ',' << gradients << ',' << evaluations + (kGradientCost - 1.0) * gradients << ','
      << (found.passes ? found.passes->passes.size() : 1) << ','
      << (verdict.has_converged ? "converged" : "not converged") << ',' << joined(verdict.reasons) << ','
      << joined(verdict.remarks) << ',';
  row.precision(2);
  row << seconds << ',' << (score.wrong.empty() ? "right" : "wrong") << ',' << joined(score.wrong) << ',';
  std::vector<std::string> components, levels;
  if (found.passes) {
    for (const PassSummary& pass : found.passes->passes) {
      components.push_back(std::to_string(pass.num_components));
      levels.push_back(std::to_string(pass.num_levels));
    }
  }
  row << joined(components) << ',' << joined(levels) << ',' << (found.passes ? found.passes->agreement.tail_index : 0.0)
      << ',' << found.sample.size() << '\n';
  return row.str();
}

// "case,seed,settings" of a row.
std::string key_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream line(row);
  for (std::string cell; cells.size() < 4 && std::getline(line, cell, ',');) cells.push_back(cell);
  return cells.size() < 4 ? "" : cells[0] + ',' + cells[2] + ',' + cells[3];
}

std::set<std::string> keys_in(const std::string& path) {
  std::set<std::string> keys;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) keys.insert(key_of(line));
  return keys;
}

void append(const std::string& path, const std::string& row) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) throw CLI::FileError(path);
  std::fseek(file, 0, SEEK_END);
  const std::string text = (std::ftell(file) == 0 ? kHeader + std::string("\n") : "") + row;
  std::fputs(text.c_str(), file);
  std::fclose(file);
}

SamplerSettings settings_of(const Request& request, std::uint64_t seed) {
  FitRequest all;
  std::istringstream words(request.settings);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    set_option(all, word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1));
  }
  all.settings.sampler.seed = seed;
  return all.settings.sampler;
}

void run(const Case& one, std::uint64_t seed, const Request& request) {
  const Density density = one.make();
  if (request.without_gradient) density.target->hide_gradient();
  Context context;
  context.threads = 1;
  const auto begin = std::chrono::steady_clock::now();
  const Sample found = sample(*density.target, settings_of(request, seed), context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string row = row_of(one, seed, request, density, found, seconds);
  append(request.out, row);
  std::fputs(row.c_str(), stdout);
  std::fflush(stdout);
}

// ---- gradients against central differences ----

double worst_gradient_error(const Case& one) {
  constexpr int kPoints = 20;
  constexpr double kLength = 1e-5;
  const Density density = one.make();
  const Box& box = *density.target->box();
  const auto workspace = density.target->make_workspace();
  Stream stream({1, Purpose::design, 0, 0, 0});
  const auto energy = [&](const Vector& x) {
    Energy found;
    density.target->energies(x, *workspace, {&found, 1});
    return found.total();
  };
  double worst = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    // In the middle of the mass, at its border, and anywhere.
    const Vector sds = (i % 2 == 0 ? 0.3 : 1.0) * draw_normals(stream, one.dim);
    Vector x = density.truth.centre + sds.cwiseProduct(density.truth.spread);
    for (Index k = 0; k < one.dim; ++k) {
      const double width = box.high[k] - box.low[k];
      if (i % 4 == 3) x[k] = box.low[k] + width * draw_uniform(stream);
      x[k] = std::clamp(x[k], box.low[k] + 0.01 * width, box.high[k] - 0.01 * width);
    }
    Vector gradient, differences(one.dim);
    const double h = density.target->energy_and_gradient(x, *workspace, gradient).total();
    if (!std::isfinite(h)) continue;
    worst = std::max(worst, std::abs(h - energy(x)) / (1.0 + std::abs(h)));
    for (Index k = 0; k < one.dim; ++k) {
      const double length = kLength * std::min(1.0, density.truth.spread[k]);
      Vector up = x, down = x;
      up[k] += length;
      down[k] -= length;
      differences[k] = (energy(up) - energy(down)) / (up[k] - down[k]);
    }
    worst = std::max(worst, (differences - gradient).cwiseAbs().maxCoeff() / (1.0 + gradient.cwiseAbs().maxCoeff()));
  }
  return worst;
}

// How many gradients are wrong.
int check(const std::vector<Case>& cases) {
  constexpr double kMost = 2e-4;
  int num_wrong = 0;
  for (const Case& one : cases) {
    const double worst = worst_gradient_error(one);
    std::printf("%-22s gradient within %.1e%s\n", one.name.c_str(), worst, worst <= kMost ? "" : "  WRONG");
    num_wrong += worst <= kMost ? 0 : 1;
  }
  return num_wrong;
}

std::pair<std::uint64_t, std::uint64_t> range_of(const std::string& text) {
  const std::size_t dash = text.find('-');
  const std::uint64_t first = std::stoull(text);
  return {first, dash == std::string::npos ? first : std::stoull(text.substr(dash + 1))};
}

int work(const Request& request) {
  std::vector<Case> cases;
  for (Case& one : all_cases()) {
    if (std::regex_match(one.name, std::regex(request.cases))) cases.push_back(std::move(one));
  }
  if (request.list) {
    for (const Case& one : cases) std::printf("%s %s\n", one.name.c_str(), to_word(one.group).c_str());
    return 0;
  }
  if (request.check) return check(cases);
  const auto [first, last] = range_of(request.seeds);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    for (const Case& one : cases) {
      const std::string key = one.name + ',' + std::to_string(seed) + ',' + request.name_of_settings();
      // Asked anew for every run, so that several processes may share a file.
      if (!keys_in(request.out).contains(key)) run(one, seed, request);
    }
  }
  return 0;
}

}  // namespace
}  // namespace ta2s2::densities

int main(int argc, char** argv) {
  ta2s2::densities::Request request;
  CLI::App app("sample() on densities with known answers");
  app.add_option("--cases", request.cases, "a regular expression that the whole name matches");
  app.add_option("--seeds", request.seeds, "1-8, or one");
  app.add_option("--out", request.out, "the CSV file that rows are added to");
  app.add_option("--settings", request.settings, "of the sampler: \"samples=4000 max-evaluations=100000\"");
  app.add_flag("--without-gradient", request.without_gradient, "the sampler sees energies alone");
  app.add_flag("--check", request.check, "compare gradients with differences, and run nothing");
  app.add_flag("--list", request.list, "names and groups, and run nothing");
  CLI11_PARSE(app, argc, argv);
  if (request.out.empty() && !request.check && !request.list) return app.exit(CLI::RequiredError("--out"));
  return ta2s2::densities::work(request);
}
