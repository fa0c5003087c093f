#include "ta2s2/predictive/law_frame.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

// Beyond the end of g's domain, in place of an infinite value: no product with it overflows.
constexpr double kFar = 1e150;
// (v^power - 1) / power is log v to the last bit long before power is so small.
constexpr double kLeastPower = 1e-150;

LawForm form_of(TransformKind kind) {
  if (kind == TransformKind::box_cox) return LawForm::box_cox;
  return kind == TransformKind::sinh_arcsinh ? LawForm::sinh_arcsinh : LawForm::shared;
}

// What a segment has of u when its draws have parameters of their own; see gp/output_transform.hpp.
LawSegment segment_at(const OutputTransform& transform, double u) {
  LawSegment segment{.form = form_of(transform.kind())};
  const double reduced = (transform.sign() * u - transform.origin()) / transform.scale();
  if (segment.form == LawForm::box_cox) {
    segment.x = reduced;
    segment.sign = transform.sign();
    segment.slope = 1.0 / transform.scale();
  } else if (segment.form == LawForm::sinh_arcsinh) {
    segment.x = std::asinh(reduced);
    segment.slope = 1.0 / (transform.scale() * std::hypot(1.0, reduced));
  } else if (transform.kind() == TransformKind::log && !(reduced > 0.0)) {
    segment.x = -transform.sign() * kFar;
  } else {
    const OutputTransform::Image image = transform.at(u, nullptr);
    segment.x = image.value;
    segment.slope = std::exp(image.log_slope);
  }
  return segment;
}

}  // namespace

LawUnits LawUnits::from(double centre, double unit, VectorView standardised) {
  const double least = standardised.minCoeff(), largest = standardised.maxCoeff();
  const double beyond = LawFrame::kClipRanges * (largest - least);
  return {centre, unit, least - beyond, largest + beyond};
}

LawFrame::LawFrame(std::vector<LawPart> parts, LawUnits units, double kappa)
    : parts_(std::move(parts)), units_(units), kappa_(kappa), is_plain_(kappa == 1.0) {
  for (const LawPart& part : parts_) {
    num_draws_ += part.parameters.cols();
    is_plain_ = is_plain_ && part.transform.is_none();
  }
  const bool is_sound = kappa > 0.0 && std::isfinite(kappa) && std::isfinite(units.low) && std::isfinite(units.high) &&
                        units.low <= units.high && units.unit > 0.0;
  if (!is_sound) throw Error(ErrorCode::internal, "a predictive law needs finite clips and a positive recalibration");
  fill_slots();
}

LawFrame LawFrame::join(const std::vector<std::shared_ptr<const LawFrame>>& frames) {
  std::vector<LawPart> parts;
  for (const auto& frame : frames) parts.insert(parts.end(), frame->parts_.begin(), frame->parts_.end());
  return {std::move(parts), frames.front()->units_, frames.front()->kappa_};
}

void LawFrame::fill_slots() {
  for (const LawPart& part : parts_) {
    first_slots_.push_back(num_slots_);
    const auto draws = static_cast<std::size_t>(part.parameters.cols());
    num_slots_ += (draws + kPaddedComponents - 1) / kPaddedComponents * kPaddedComponents;
  }
  slots_.resize(3 * num_slots_);
  std::fill_n(slots_.data(), 3 * num_slots_, 1.0);  // padding has weight zero, and no g that is not finite
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    double* const first = slots_.data() + first_slots_[k];
    const Matrix& parameters = parts_[k].parameters;
    const LawForm form = form_of(parts_[k].transform.kind());
    if (form == LawForm::shared) continue;
    for (Index i = 0; i < parameters.cols(); ++i) {
      const double power = std::abs(parameters(1, i)) < kLeastPower ? kLeastPower : parameters(1, i);
      first[i] = std::exp(parameters(0, i));
      first[i + static_cast<Index>(num_slots_)] = form == LawForm::box_cox ? power : parameters(1, i);
      if (form == LawForm::box_cox) first[i + 2 * static_cast<Index>(num_slots_)] = 1.0 / power;
    }
  }
}

void LawFrame::place(std::span<const double> by_draw, double* slots) const {
  const double* next = by_draw.data();
  double* filled = slots;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    std::fill(filled, slots + first_slots_[k], 0.0);
    const Index draws = parts_[k].parameters.cols();
    filled = std::copy(next, next + draws, slots + first_slots_[k]);
    next += draws;
  }
  std::fill(filled, slots + num_slots_, 0.0);
}

std::vector<LawSegment> LawFrame::segments_at(double u) const {
  std::vector<LawSegment> segments;
  segments.reserve(parts_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    LawSegment segment = segment_at(parts_[k].transform, u);
    segment.first = first_slots_[k];
    segment.count = (k + 1 < parts_.size() ? first_slots_[k + 1] : num_slots_) - segment.first;
    segments.push_back(segment);
  }
  return segments;
}

LawFrame::Place LawFrame::place_of(Index draw) const {
  const LawPart* part = parts_.data();
  for (; draw >= part->parameters.cols(); ++part) draw -= part->parameters.cols();
  return {part, draw};
}

OutputTransform::Image LawFrame::image(Index draw, double u) const {
  const Place place = place_of(draw);
  const OutputTransform& transform = place.part->transform;
  const OutputTransform::Image image = transform.at(u, place.part->parameters.col(place.draw).data());
  if (std::isfinite(image.value)) return image;
  return {-transform.sign() * kInfinity, -kInfinity};
}

double LawFrame::inverse(Index draw, double g) const {
  const Place place = place_of(draw);
  return place.part->transform.inverse(g, place.part->parameters.col(place.draw).data());
}

double LawFrame::output(Index draw, double g) const {
  const double u = is_plain_ ? g : std::clamp(inverse(draw, g), units_.low, units_.high);
  return units_.centre + units_.unit * u;
}

}  // namespace ta2s2
