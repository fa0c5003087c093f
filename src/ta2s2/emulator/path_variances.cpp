#include "ta2s2/emulator/path_variances.hpp"

namespace ta2s2 {
namespace {

// Factors of terms at some values of one input: cosines, sines, correlations with runs, as input_factors gives them.
struct Split {
  Index waves, runs;

  auto cosines(const Matrix& m) const { return m.topRows(waves).array(); }
  auto sines(const Matrix& m) const { return m.middleRows(waves, waves).array(); }
  auto correlations(const Matrix& m) const { return m.bottomRows(runs).array(); }
  auto cosines(Matrix& m) const { return m.topRows(waves).array(); }
  auto sines(Matrix& m) const { return m.middleRows(waves, waves).array(); }
  auto correlations(Matrix& m) const { return m.bottomRows(runs).array(); }
};

// product *= factor, term by term: waves are complex numbers, correlations real ones.
void multiply(const Split& split, Matrix& product, const Matrix& factor) {
  const Matrix real = split.cosines(product) * split.cosines(factor) - split.sines(product) * split.sines(factor);
  split.sines(product) = split.cosines(product) * split.sines(factor) + split.sines(product) * split.cosines(factor);
  split.cosines(product) = real;
  split.correlations(product) *= split.correlations(factor);
}

// The path's coefficients, a column for each of `count` values.
Matrix coefficients(const ProcessPath& path, Index count) {
  Vector one(path.num_terms());
  one << path.real_amplitudes, path.imag_amplitudes, path.run_weights;
  return one.replicate(1, count);
}

// Coefficients times the factors of all inputs but one, of each input in turn.
std::vector<Matrix> products_without(const Split& split, const Matrix& start, const std::vector<Matrix>& factors) {
  const std::size_t p = factors.size();
  std::vector<Matrix> products(p);
  Matrix before = start;
  for (std::size_t d = 0; d < p; ++d) {
    products[d] = before;
    multiply(split, before, factors[d]);
  }
  Matrix behind = factors.back();
  for (std::size_t d = p - 1; d-- > 0;) {
    multiply(split, products[d], behind);
    if (d > 0) multiply(split, behind, factors[d]);
  }
  return products;
}

// Re sum of products: a row per column of `coefficients`, a column per column of `factors`.
Matrix sums(const Split& split, Matrix coefficients, const Matrix& factors) {
  split.sines(coefficients) *= -1.0;
  return coefficients.transpose() * factors;
}

// The trend is a sum of functions of one input each, so that it is in main effects alone: at `values` of one input, all
// others at zero, without the constant.
Vector trend_of_input(const ProcessPath& path, Index input, const Vector& values) {
  Matrix points = Matrix::Zero(values.size() + 1, path.model->num_inputs());
  points.col(input).head(values.size()) = values;
  const Vector all = path.model->trend().columns(points) * path.beta;
  return all.head(values.size()).array() - all[values.size()];
}

double trend_at_zero(const ProcessPath& path) {
  return (path.model->trend().columns(Matrix::Zero(1, path.model->num_inputs())) * path.beta)[0];
}

class PathAnalysis {
 public:
  PathAnalysis(const ProcessPath& path, const AnalysisPlan& plan, SimdPath simd)
      : path_(path), plan_(plan), simd_(simd), split_{path.num_waves(), path.run_weights.size()} {
    std::vector<Matrix> averages;
    for (Index d = 0; d < num_inputs(); ++d) {
      at_nodes_.push_back(input_factors(path, d, rule(d).nodes, simd));
      averages.push_back(at_nodes_.back() * rule(d).weights);
    }
    averaged_ = products_without(split_, coefficients(path, 1), averages);
    process_mean_ = sums(split_, averaged_.front(), averages.front())(0, 0);
  }

  PathVariances result(const std::vector<Matrix>& batches) const {
    const auto num_batches = static_cast<Index>(batches.size());
    PathVariances variances{process_mean_ + trend_at_zero(path_), Vector(num_inputs()),
                            Matrix(num_inputs(), num_batches), Vector::Zero(num_batches),
                            Matrix(plan_.grids.front().size(), num_inputs())};
    for (Index d = 0; d < num_inputs(); ++d) add_main(d, variances);
    variances.effects.array() += variances.mean;
    for (Index b = 0; b < num_batches; ++b) add_batch(batches[static_cast<std::size_t>(b)], b, variances);
    return variances;
  }

 private:
  Index num_inputs() const { return path_.model->num_inputs(); }
  const Quadrature& rule(Index d) const { return plan_.rules[static_cast<std::size_t>(d)]; }

  // The process averaged over all inputs but one, without its mean.
  Vector process_effect(Index d, const Matrix& factors) const {
    return sums(split_, averaged_[static_cast<std::size_t>(d)], factors).row(0).transpose().array() - process_mean_;
  }

  void add_main(Index d, PathVariances& variances) const {
    const Vector effect =
        process_effect(d, at_nodes_[static_cast<std::size_t>(d)]) + trend_of_input(path_, d, rule(d).nodes);
    const double mean = rule(d).weights.dot(effect);  // the trend's: the process has none
    const Vector& grid = plan_.grids[static_cast<std::size_t>(d)];
    variances.mean += mean;
    variances.main[d] = rule(d).weights.dot((effect.array() - mean).square().matrix());
    variances.effects.col(d) = process_effect(d, input_factors(path_, d, grid, simd_)) +
                               trend_of_input(path_, d, grid) - Vector::Constant(grid.size(), mean);
  }

  // At each point the path without its main effects is followed along each input in turn, over all nodes of its rule.
  // What varies there is the input's part in interactions; its mean square is all interactions' variance, found as
  // often as there are inputs. Main effects are left out since their part is known without error.
  void add_batch(const Matrix& points, Index batch, PathVariances& variances) const {
    std::vector<Matrix> factors;
    Matrix effects(points.rows(), num_inputs());
    for (Index d = 0; d < num_inputs(); ++d) {
      factors.push_back(input_factors(path_, d, points.col(d), simd_));
      effects.col(d) = process_effect(d, factors.back());
    }
    const std::vector<Matrix> others = products_without(split_, coefficients(path_, points.rows()), factors);
    const double share = 1.0 / static_cast<double>(points.rows());
    for (Index d = 0; d < num_inputs(); ++d) {
      const Matrix& nodes = at_nodes_[static_cast<std::size_t>(d)];
      Matrix along = sums(split_, others[static_cast<std::size_t>(d)], nodes);
      along.rowwise() -= process_effect(d, nodes).transpose();
      along.colwise() -= effects.rowwise().sum() - effects.col(d);
      along.array() -= process_mean_;
      const Vector means = along * rule(d).weights, squares = along.cwiseAbs2() * rule(d).weights;
      variances.total(d, batch) = variances.main[d] + share * (squares - means.cwiseAbs2()).cwiseMax(0.0).sum();
      variances.interactions[batch] += share * squares.sum() / static_cast<double>(num_inputs());
    }
  }

  const ProcessPath& path_;
  const AnalysisPlan& plan_;
  SimdPath simd_;
  Split split_;
  std::vector<Matrix> at_nodes_;  // factors at the rule's nodes, of each input
  std::vector<Matrix> averaged_;  // coefficients times the averages of all inputs' factors but one's
  double process_mean_ = 0.0;
};

}  // namespace

PathVariances analyse_path(const ProcessPath& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                           SimdPath simd) {
  return PathAnalysis(path, plan, simd).result(batches);
}

}  // namespace ta2s2
