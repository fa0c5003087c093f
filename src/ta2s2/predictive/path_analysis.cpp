#include "ta2s2/predictive/path_analysis.hpp"

#include <algorithm>

#include "ta2s2/predictive/path_terms.hpp"

namespace ta2s2 {
namespace {

using namespace detail;

double trend_at_zero(const SampleFunction& path) {
  return (path.model->trend().columns(Matrix::Zero(1, path.model->num_inputs())) * path.beta)[0];
}

class PathAnalysis {
 public:
  PathAnalysis(const SampleFunction& path, const AnalysisPlan& plan, InstructionSet simd)
      : path_(path), plan_(plan), simd_(simd), split_(path), coefficients_(detail::term_coefficients(path)) {
    TermWorkspace averages;
    for (Index d = 0; d < num_inputs(); ++d) {
      at_nodes_.emplace_back();
      fill_input_factors(path, d, rule(d).nodes, simd, at_nodes_.back());
      averages.factors.push_back(at_nodes_.back() * rule(d).weights);
    }
    multiply_others(split_, coefficients_, averages);
    process_mean_ = averages.others.front().col(0).dot(conjugated(split_, averages.factors.front()).col(0));
    for (Matrix& others : averages.others) averaged_.push_back(conjugated(split_, std::move(others)));
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      effects_at_nodes_.push_back(process_effect(d, at_nodes_[input]));
      at_nodes_[input] = conjugated(split_, std::move(at_nodes_[input]));
    }
  }

  PathVariances result(const std::vector<Matrix>& batches) const {
    const auto num_batches = static_cast<Index>(batches.size());
    PathVariances variances{process_mean_ + trend_at_zero(path_),
                            {},
                            Matrix(num_inputs(), num_batches),
                            Vector::Zero(num_batches),
                            Matrix(plan_.grids.front().size(), num_inputs())};
    Vector main(num_inputs());
    for (Index d = 0; d < num_inputs(); ++d) main[d] = add_main(d, variances);
    variances.effects.array() += variances.mean;
    variances.total.colwise() = main;
    variances.main.assign(batches.size(), main);
    TermWorkspace work;
    work.factors.resize(static_cast<std::size_t>(num_inputs()));
    for (Index b = 0; b < num_batches; ++b) {
      const Matrix& points = batches[static_cast<std::size_t>(b)];
      const double share = 1.0 / static_cast<double>(points.rows());
      for (Index first = 0; first < points.rows(); first += kPathStretch) {
        add_stretch(points.middleRows(first, std::min(kPathStretch, points.rows() - first)), share, b, work, variances);
      }
    }
    return variances;
  }

 private:
  Index num_inputs() const { return path_.model->num_inputs(); }
  const Quadrature& rule(Index d) const { return plan_.rules[static_cast<std::size_t>(d)]; }

  // The process averaged over all inputs but one, without its mean.
  Vector process_effect(Index d, const Matrix& factors) const {
    return (factors.transpose() * averaged_[static_cast<std::size_t>(d)].col(0)).array() - process_mean_;
  }

  // Its variance.
  double add_main(Index d, PathVariances& variances) const {
    const Vector effect = effects_at_nodes_[static_cast<std::size_t>(d)] + trend_of_input(path_, d, rule(d).nodes);
    const double mean = rule(d).weights.dot(effect);  // the trend's: the process has none
    const Vector& grid = plan_.grids[static_cast<std::size_t>(d)];
    variances.mean += mean;
    Matrix at_grid;
    fill_input_factors(path_, d, grid, simd_, at_grid);
    variances.effects.col(d) =
        process_effect(d, at_grid) + trend_of_input(path_, d, grid) - Vector::Constant(grid.size(), mean);
    return rule(d).weights.dot((effect.array() - mean).square().matrix());
  }

  // At each point the path without its main effects is followed along each input in turn, over all nodes of its rule.
  // What varies there is the input's part in interactions; its mean square is all interactions' variance, found as
  // often as there are inputs. Main effects are left out since their part is known without error.
  void add_stretch(MatrixView points, double share, Index batch, TermWorkspace& work, PathVariances& variances) const {
    Matrix effects(points.rows(), num_inputs());
    for (Index d = 0; d < num_inputs(); ++d) {
      Matrix& factors = work.factors[static_cast<std::size_t>(d)];
      fill_input_factors(path_, d, points.col(d), simd_, factors);
      effects.col(d) = process_effect(d, factors);
    }
    multiply_others(split_, coefficients_, work);
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      work.along.noalias() = work.others[input].transpose() * at_nodes_[input];
      work.along.rowwise() -= effects_at_nodes_[input].transpose();
      work.along.colwise() -= effects.rowwise().sum() - effects.col(d);
      work.along.array() -= process_mean_;
      const Vector means = work.along * rule(d).weights, squares = work.along.cwiseAbs2() * rule(d).weights;
      variances.total(d, batch) += share * (squares - means.cwiseAbs2()).cwiseMax(0.0).sum();
      variances.interactions[batch] += share * squares.sum() / static_cast<double>(num_inputs());
    }
  }

  const SampleFunction& path_;
  const AnalysisPlan& plan_;
  InstructionSet simd_;
  TermSplit split_;
  Vector coefficients_;
  std::vector<Matrix> at_nodes_;  // factors at the rule's nodes, of each input, conjugated
  std::vector<Matrix> averaged_;  // coefficients times the averages of all inputs' factors but one's, conjugated
  std::vector<Vector> effects_at_nodes_;
  double process_mean_ = 0.0;
};

}  // namespace

PathVariances analyse_path(const SampleFunction& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                           InstructionSet simd) {
  const bool is_sum_of_products = path.model->transform().is_none() && path.model->covariance().is_product();
  return is_sum_of_products ? PathAnalysis(path, plan, simd).result(batches)
                            : detail::analyse_pointwise(path, plan, batches, simd);
}

}  // namespace ta2s2
