#include "ta2s2/predictive/predictive.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/block_predictor.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {
namespace {

// Draws per task: enough to outweigh the hand-over, few enough to keep every worker busy.
constexpr Index kDrawsPerTask = 16;

std::span<const double> column(const Matrix& matrix, Index j) {
  return {matrix.col(j).data(), static_cast<std::size_t>(matrix.rows())};
}

// Draws that one task predicts with: neighbours within one part.
struct DrawRange {
  std::size_t part;
  Index first, count;  // in all draws
  std::size_t first_in_part;
};

std::vector<DrawRange> draw_ranges(const std::vector<PredictiveMember>& parts) {
  std::vector<DrawRange> ranges;
  Index begin = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto size = static_cast<Index>(parts[part].parameters.size());
    for (Index first = 0; first < size; first += kDrawsPerTask) {
      ranges.push_back({part, begin + first, std::min(kDrawsPerTask, size - first), static_cast<std::size_t>(first)});
    }
    begin += size;
  }
  return ranges;
}

}  // namespace

double added_nugget(Predict what, double nugget) {
  return what == Predict::new_run ? nugget : 0.0;
}

PredictiveLaw MixtureBlock::at(Index point) const {
  return {{weights.data(), static_cast<std::size_t>(weights.size())},
          column(means, point),
          column(scales, point),
          degrees_of_freedom,
          frame,
          path};
}

double MixtureBlock::median_of(Index draw, Index point) const {
  if (!frame || frame->is_plain()) return means(draw, point);
  return frame->output(draw, means(draw, point));
}

double MixtureBlock::standardised(Index draw, Index point, double y) const {
  const bool is_plain = !frame || frame->is_plain();
  const double mean = means(draw, point), scale = scales(draw, point);
  const double g = is_plain ? y : frame->image(draw, (y - frame->units().centre) / frame->units().unit).value;
  return scale > 0.0 ? (g - mean) / scale : (g >= mean ? kInfinity : -kInfinity);
}

Predictive::Predictive(std::shared_ptr<const GpModel> model, Scaling scaling, const ParameterSpace& space,
                       const PosteriorSample& sample, InstructionSet path)
    : parts_{{std::move(model), {}}}, scaling_(std::move(scaling)), weights_(sample.weights), path_(path) {
  for (Index i = 0; i < sample.size(); ++i) {
    parts_.front().parameters.push_back(space.natural(sample.positions.col(i)));
  }
}

Predictive Predictive::average(const std::vector<Predictive>& members, const std::vector<double>& weights) {
  Predictive all = members.front();
  all.weights_ *= weights.front();
  for (std::size_t k = 1; k < members.size(); ++k) {
    const Predictive& member = members[k];
    // Eigen compares vectors of equal length only.
    if (member.observed().size() != all.observed().size() || member.observed() != all.observed() ||
        member.degrees_of_freedom() != all.degrees_of_freedom()) {
      throw Error(ErrorCode::internal,
                  "only models of the same runs, with as many degrees of freedom, can be averaged");
    }
    all.parts_.insert(all.parts_.end(), member.parts_.begin(), member.parts_.end());
    Vector longer(all.weights_.size() + member.weights_.size());
    longer << all.weights_, weights[k] * member.weights_;
    all.weights_ = std::move(longer);
  }
  return all;
}

Predictive Predictive::with_draws(const std::vector<Index>& draws, Vector weights) const {
  Predictive few = *this;
  for (PredictiveMember& part : few.parts_) part.parameters.clear();
  for (const Index draw : draws) few.parts_[part_of(draw)].parameters.push_back(parameters_of(draw));
  few.weights_ = std::move(weights);
  return few;
}

Predictive Predictive::recalibrated(double kappa) const {
  Predictive other = *this;
  other.kappa_ = kappa;
  return other;
}

std::shared_ptr<const LawFrame> Predictive::law_frame() const {
  std::vector<LawPart> parts;
  for (const PredictiveMember& part : parts_) {
    const OutputTransform& transform = part.model->transform();
    LawPart law{transform, Matrix(transform.num_parameters(), static_cast<Index>(part.parameters.size()))};
    for (Index i = 0; i < law.parameters.cols() && transform.num_parameters() > 0; ++i) {
      law.parameters.col(i) = part.parameters[static_cast<std::size_t>(i)].transform;
    }
    parts.push_back(std::move(law));
  }
  return std::make_shared<const LawFrame>(
      std::move(parts), LawUnits::from(scaling_.output_mean(), scaling_.output_sd(), observed()), kappa_);
}

Predictive Predictive::thinned(Index count, Stream& stream) const {
  const ThinnedDraws chosen = thin(weights_, count, stream);
  return with_draws(chosen.kept, chosen.weights);
}

Predictive::Place Predictive::place_of(Index draw) const {
  auto left = static_cast<std::size_t>(draw);
  const PredictiveMember* part = parts_.data();
  for (; left >= part->parameters.size(); ++part) left -= part->parameters.size();
  return {part, left};
}

Index Predictive::block_size() const {
  constexpr Index kNumbersInBlock = 4'000'000;  // 32 MB each for means and scales
  Index size = std::clamp<Index>(kNumbersInBlock / num_draws(), 64, 4096);
  for (const PredictiveMember& part : parts_) size = std::min(size, most_points_in_block(*part.model));
  return size;
}

MixtureBlock Predictive::mixtures(MatrixView points, Predict what, Executor& executor) const {
  const Index m = points.rows();
  const double freedom = degrees_of_freedom();
  const std::shared_ptr<const LawFrame> frame = law_frame();
  const double centre = frame->is_plain() ? scaling_.output_mean() : 0.0;
  const double unit = frame->is_plain() ? scaling_.output_sd() : 1.0;
  std::vector<std::unique_ptr<const BlockPredictor>> predictors;
  for (const PredictiveMember& part : parts_) {
    predictors.push_back(make_block_predictor(*part.model, scaling_.to_unit(points), path_));
  }
  const std::vector<DrawRange> ranges = draw_ranges(parts_);
  const auto task = [&](Index group, int) {
    const DrawRange& range = ranges[static_cast<std::size_t>(group)];
    const BlockPredictor& predictor = *predictors[range.part];
    Payload payload(static_cast<std::size_t>(2 * m * range.count));
    Eigen::Map<Matrix> means(payload.data(), m, range.count), scales(payload.data() + m * range.count, m, range.count);
    const auto workspace = predictor.make_workspace();
    BlockPrediction prediction;
    for (Index i = 0; i < range.count; ++i) {
      const GpParameters& parameters = parts_[range.part].parameters[range.first_in_part + static_cast<std::size_t>(i)];
      predictor.predict(parameters, *workspace, prediction);
      const double added = added_nugget(what, parameters.nugget);
      means.col(i) = centre + unit * prediction.mean.array();
      scales.col(i) = unit * (prediction.S2 / freedom * (prediction.c.array() + added)).sqrt();
    }
    return payload;
  };
  const std::vector<Payload> payloads = executor.map(std::vector<double>(ranges.size(), 1.0), task);

  MixtureBlock block{weights_, Matrix(num_draws(), m), Matrix(num_draws(), m), freedom, path_, frame};
  for (std::size_t group = 0; group < payloads.size(); ++group) {
    const DrawRange& range = ranges[group];
    const double* numbers = payloads[group].data();
    block.means.middleRows(range.first, range.count) = Eigen::Map<const Matrix>(numbers, m, range.count).transpose();
    block.scales.middleRows(range.first, range.count) =
        Eigen::Map<const Matrix>(numbers + m * range.count, m, range.count).transpose();
  }
  return block;
}

}  // namespace ta2s2
