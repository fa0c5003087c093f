#include "ta2s2/gp/gp_target.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

struct GpTarget::GpWorkspace final : Workspace {
  std::unique_ptr<Workspace> engine;
  // Of a block, the points that have a prior: where they stand in it, and what the engine is asked and answers.
  std::vector<Index> columns;
  std::vector<double> log_priors;
  std::vector<LikelihoodPoint> points;
  std::vector<PointLikelihood> likelihoods;
  // Of gradients.
  std::vector<LikelihoodGradient> likelihood_gradients;
  GpParameters parameters;
  GpFactor factor;
  GradientScratch scratch;
  Vector prior_gradient;
};

GpTarget::GpTarget(std::shared_ptr<const GpModel> model, ParameterSpace space,
                   std::shared_ptr<const Prior> length_scales, std::shared_ptr<const Prior> nugget, TemperingStart path,
                   InstructionSet simd)
    : model_(std::move(model)),
      space_(std::move(space)),
      box_{space_.low(), space_.high()},
      length_scales_(std::move(length_scales)),
      nugget_(std::move(nugget)),
      normal_(space_.num_normal() > 0 ? make_normal_prior(space_.normal_coordinates()) : nullptr),
      path_(path),
      log_volume_(space_.log_volume()),
      simd_(simd) {
  check();
  engine_ = make_likelihood_engine(*model_, length_scales_->needs_information(), simd);
}

GpTarget::GpTarget(const GpTarget& other, std::shared_ptr<const GpModel> model, KnownRuns known)
    : model_(std::move(model)),
      space_(other.space_),
      box_(other.box_),
      length_scales_(other.length_scales_),
      nugget_(other.nugget_),
      normal_(other.normal_),
      path_(other.path_),
      log_volume_(other.log_volume_),
      simd_(other.simd_),
      known_(std::move(known)),
      engine_(make_likelihood_engine(*model_, length_scales_->needs_information(), simd_, known_.count)) {}

GpTarget GpTarget::given_first(Index num_runs) const {
  return GpTarget(*this, std::make_shared<const GpModel>(model_->first_runs(num_runs)), {});
}

GpTarget GpTarget::continuing(KnownRuns known) const {
  if (known.count <= 0 || known.count >= model_->num_runs() || known.draws.rows() != dim() ||
      known.draws.cols() != known.weights.size()) {
    throw Error(ErrorCode::internal, "a posterior continues that of some of its runs, given by draws with weights");
  }
  return GpTarget(*this, model_, std::move(known));
}

GpTarget GpTarget::prior_alone() const {
  GpTarget prior = *this;
  prior.path_ = TemperingStart::posterior;
  prior.has_likelihood_ = false;
  return prior;
}

void GpTarget::check() const {
  if (model_->num_inputs() != space_.num_inputs()) {
    throw Error(ErrorCode::internal, "the parameter space has another number of inputs than the runs");
  }
  if (length_scales_->covers_nugget() && !space_.samples_nugget()) {
    throw Error(ErrorCode::usage, "the prior " + length_scales_->spec() + " covers the nugget, which is fixed: use " +
                                      "the prior reference, or a nugget that is inferred");
  }
  if (length_scales_->covers_nugget() && nugget_) {
    throw Error(ErrorCode::usage, "the prior " + length_scales_->spec() + " leaves no room for one of the nugget");
  }
  if (length_scales_->dim() + (nugget_ ? nugget_->dim() : 0) != space_.first_normal()) {
    throw Error(ErrorCode::internal, "the priors and the parameter space differ in dimension");
  }
  if (model_->covariance().shape().has_value() != space_.samples_shape() ||
      model_->transform().num_parameters() != space_.dim() - space_.first_transform()) {
    throw Error(ErrorCode::internal, "the parameter space has other coordinates than the model");
  }
  if (path_ == TemperingStart::prior && !log_prior_is_normalised()) {
    throw Error(ErrorCode::usage, "the prior path starts from draws of the prior, and " + length_scales_->spec() +
                                      " cannot be drawn from: use the posterior path, or a proper prior");
  }
}

bool GpTarget::log_prior_is_normalised() const {
  return length_scales_->is_proper() && (!nugget_ || nugget_->is_proper());
}

double GpTarget::log_evidence_offset_error() const {
  return std::hypot(length_scales_->log_mass_error(), nugget_ ? nugget_->log_mass_error() : 0.0);
}

std::unique_ptr<Workspace> GpTarget::make_workspace() const {
  auto workspace = std::make_unique<GpWorkspace>();
  const auto lanes = static_cast<std::size_t>(engine_->lanes());
  workspace->engine = engine_->make_workspace();
  workspace->columns.resize(lanes);
  workspace->log_priors.resize(lanes);
  workspace->points.resize(lanes);
  workspace->likelihoods.resize(lanes);
  workspace->likelihood_gradients.resize(lanes);
  return workspace;
}

void GpTarget::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  auto& own = static_cast<GpWorkspace&>(workspace);
  for (Index begin = 0; begin < points.cols(); begin += lanes()) {
    const Index count = std::min<Index>(lanes(), points.cols() - begin);
    evaluate_block(points.middleCols(begin, count), own,
                   out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)));
  }
}

// Those that have a prior, for the engine; returns how many. The others are impossible.
std::size_t GpTarget::choose_points(MatrixView points, GpWorkspace& workspace, std::span<Energy> out) const {
  std::size_t count = 0;
  for (Index j = 0; j < points.cols(); ++j) {
    const auto z = points.col(j);
    const double log_prior = space_.contains(z) ? log_prior_without_information(z) : -kInfinity;
    out[static_cast<std::size_t>(j)] = Energy::impossible(Impossible::outside_box);
    if (log_prior == -kInfinity) continue;  // a prior may be narrower than the box
    workspace.columns[count] = j;
    workspace.log_priors[count] = log_prior;
    workspace.points[count] = {points.col(j).data(), space_.nugget(z),
                               space_.samples_shape() ? z[space_.first_normal()] : 0.0,
                               points.col(j).data() + space_.first_transform()};
    ++count;
  }
  return count;
}

void GpTarget::evaluate_block(MatrixView points, GpWorkspace& workspace, std::span<Energy> out) const {
  const std::size_t count = choose_points(points, workspace, out);
  if (count == 0) return;
  engine_->evaluate(std::span<const LikelihoodPoint>(workspace.points).first(count), *workspace.engine,
                    workspace.likelihoods);
  for (std::size_t i = 0; i < count; ++i) {
    const PointLikelihood& found = workspace.likelihoods[i];
    Energy& energy = out[static_cast<std::size_t>(workspace.columns[i])];
    if (found.reason != Impossible::no) {
      energy = Energy::impossible(found.reason);
      continue;
    }
    energy = energy_of(found, workspace.log_priors[i], points.col(workspace.columns[i]));
  }
}

// `log_prior` lacks what depends on the information.
Energy GpTarget::energy_of(const PointLikelihood& found, double log_prior, VectorView z) const {
  double leading_log_prior = log_prior;
  if (length_scales_->needs_information() != InformationOver::nothing) {
    log_prior += length_scales_->log_density_given(z, found.log_information_root);
    leading_log_prior += length_scales_->log_density_given(z, found.leading_log_information_root);
  }
  if (known_.count == 0) return split(has_likelihood_ ? found.log_likelihood : 0.0, log_prior);
  const double start = -(found.leading_log_likelihood + leading_log_prior);
  const double total = -(found.log_likelihood + log_prior);
  if (!std::isfinite(start) || !std::isfinite(total)) return Energy::impossible(Impossible::not_finite);
  return {start, total - start, Impossible::no};
}

double GpTarget::log_prior_without_information(VectorView z) const {
  const Index p = space_.num_inputs();
  double log_prior = nugget_ ? nugget_->log_density(z.segment(p, 1)) : 0.0;
  if (normal_) log_prior += normal_->log_density(z.tail(space_.num_normal()));
  if (length_scales_->needs_information() == InformationOver::nothing) {
    log_prior += length_scales_->log_density(z.head(p));
  }
  return log_prior;
}

// docs/math.md, section 3: H = -(log likelihood + log prior) in its two parts.
Energy GpTarget::split(double log_likelihood, double log_prior) const {
  if (!std::isfinite(log_likelihood) || !std::isfinite(log_prior)) return Energy::impossible(Impossible::not_finite);
  if (path_ == TemperingStart::prior) return {-log_prior, -log_likelihood, Impossible::no};
  return {log_volume_, -(log_likelihood + log_prior) - log_volume_, Impossible::no};
}

bool GpTarget::has_gradient() const {
  return has_likelihood_ && known_.count == 0 && length_scales_->has_gradient() &&
         (!nugget_ || nugget_->has_gradient());
}

// docs/math.md, section 8. One point at a time, in the plain form.
Energy GpTarget::energy_and_gradient(VectorView z, Workspace& workspace, Vector& gradient) const {
  auto& own = static_cast<GpWorkspace&>(workspace);
  const double log_prior = space_.contains(z) ? log_prior_without_information(z) : -kInfinity;
  if (log_prior == -kInfinity) return Energy::impossible(Impossible::outside_box);
  space_.natural(z, own.parameters);
  const Impossible reason = factorise(*model_, own.parameters, own.factor);
  if (reason != Impossible::no) return Energy::impossible(reason);

  LikelihoodGradient& of_likelihood = own.likelihood_gradients.front();
  log_likelihood_gradient(*model_, own.parameters, own.factor, own.scratch, of_likelihood);
  gradient.resize(dim());
  fill_gradient(z, of_likelihood, own, gradient);
  if (!gradient.allFinite()) return Energy::impossible(Impossible::not_finite);
  return split(log_likelihood(*model_, own.factor), log_prior);
}

void GpTarget::energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                                      Eigen::Ref<Matrix> gradients) const {
  if (!has_gradient()) throw Error(ErrorCode::internal, "this posterior has no gradient");
  auto& own = static_cast<GpWorkspace&>(workspace);
  for (Index begin = 0; begin < points.cols(); begin += lanes()) {
    const Index count = std::min<Index>(lanes(), points.cols() - begin);
    differentiate_block(points.middleCols(begin, count), own,
                        out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)),
                        gradients.middleCols(begin, count));
  }
}

void GpTarget::differentiate_block(MatrixView points, GpWorkspace& workspace, std::span<Energy> out,
                                   Eigen::Ref<Matrix> gradients) const {
  gradients.setZero();
  const std::size_t count = choose_points(points, workspace, out);
  if (count == 0) return;
  engine_->evaluate_with_gradients(std::span<const LikelihoodPoint>(workspace.points).first(count), *workspace.engine,
                                   workspace.likelihoods, workspace.likelihood_gradients);
  for (std::size_t i = 0; i < count; ++i) {
    const Index j = workspace.columns[i];
    const PointLikelihood& found = workspace.likelihoods[i];
    Energy& energy = out[static_cast<std::size_t>(j)];
    energy = Energy::impossible(found.reason);
    if (found.reason != Impossible::no) continue;
    fill_gradient(points.col(j), workspace.likelihood_gradients[i], workspace, gradients.col(j));
    energy = gradients.col(j).allFinite() ? split(found.log_likelihood, workspace.log_priors[i])
                                          : Energy::impossible(Impossible::not_finite);
  }
}

// Of H. What the priors add stands in memory of its own: it may not depend on where z or the gradient is kept.
void GpTarget::fill_gradient(VectorView z, const LikelihoodGradient& of_likelihood, GpWorkspace& workspace,
                             Eigen::Ref<Vector> gradient) const {
  const Index inputs = space_.num_inputs(), covered = length_scales_->dim();
  workspace.prior_gradient.resize(dim());
  length_scales_->log_density_gradient(z.head(covered), workspace.prior_gradient.head(covered));
  if (nugget_) nugget_->log_density_gradient(z.segment(inputs, 1), workspace.prior_gradient.segment(inputs, 1));
  const Index normals = space_.num_normal();
  if (normal_) normal_->log_density_gradient(z.tail(normals), workspace.prior_gradient.tail(normals));
  gradient.head(inputs) = -of_likelihood.by_log_phi;
  if (space_.samples_nugget()) {
    gradient[inputs] = -of_likelihood.by_nugget * std::exp(log_nugget_jacobian(z[inputs]));
  }
  if (space_.samples_shape()) gradient[space_.first_normal()] = -of_likelihood.by_log_shape;
  gradient.tail(dim() - space_.first_transform()) = -of_likelihood.by_transform;
  gradient -= workspace.prior_gradient;
}

Vector GpTarget::draw_start(Stream& stream) const {
  if (known_.count > 0) {
    const std::span<const double> weights(known_.weights.data(), static_cast<std::size_t>(known_.weights.size()));
    return known_.draws.col(draw_categorical(stream, weights));
  }
  Vector z(dim());
  if (path_ == TemperingStart::posterior) {
    for (Index d = 0; d < dim(); ++d) {
      z[d] = space_.low()[d] + (space_.high()[d] - space_.low()[d]) * draw_uniform(stream);
    }
    return z;
  }
  z.head(length_scales_->dim()) = length_scales_->draw(stream);
  if (nugget_) z.segment(space_.num_inputs(), 1) = nugget_->draw(stream);
  if (normal_) z.tail(space_.num_normal()) = normal_->draw(stream);
  return z;
}

StartLaw GpTarget::start_law() const {
  StartLaw law{space_.low(), space_.high(), Vector::Zero(dim())};
  law.rate.head(space_.num_inputs()).setConstant(length_scales_->start_rate());
  return law;
}

}  // namespace ta2s2
