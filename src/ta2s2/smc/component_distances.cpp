#include "ta2s2/smc/component_distances.hpp"

#include <algorithm>

#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {
namespace {

using Four = Eigen::Array<double, kComponentsTogether, 1>;

constexpr Index kRows = 4;  // of the inverse factors, at a time

// Of a lower triangle, rows `row` to `row + kRows` end with this column.
Index end_column(Index row, Index dim) {
  return std::min(row + kRows, dim);
}

Index num_fours(Index dim) {
  Index count = 0;
  for (Index row = 0; row < dim; row += kRows) count += kRows * end_column(row, dim);
  return count;
}

}  // namespace

ComponentDistances::ComponentDistances(const std::vector<TComponent>& components)
    : dim_(components.empty() ? 0 : components.front().mean.size()) {
  const auto count = static_cast<Index>(components.size());
  const Index num_groups = (count + kComponentsTogether - 1) / kComponentsTogether;
  means_ = Fours::Zero(kComponentsTogether, num_groups * dim_);
  inverse_rows_ = Fours::Zero(kComponentsTogether, num_groups * num_fours(dim_));
  for (Index c = 0; c < count; ++c) {
    const TComponent& component = components[static_cast<std::size_t>(c)];
    const Index group = c / kComponentsTogether, lane = c % kComponentsTogether;
    means_.row(lane).segment(group * dim_, dim_) = component.mean.transpose();
    const Matrix inverse = component.factor.triangularView<Eigen::Lower>().solve(Matrix::Identity(dim_, dim_));
    Index place = group * num_fours(dim_);
    for (Index row = 0; row < dim_; row += kRows) {
      for (Index j = 0; j < end_column(row, dim_); ++j, place += kRows) {
        const Index height = std::min(kRows, dim_ - row);
        inverse_rows_.row(lane).segment(place, height) = inverse.col(j).segment(row, height).transpose();
      }
    }
  }
}

void ComponentDistances::measure(const double* x, double* squared) const {
  Index place = 0;
  for (Index mean = 0; mean < means_.cols(); mean += dim_, squared += kComponentsTogether) {
    Four sum = Four::Zero();
    for (Index row = 0; row < dim_; row += kRows) {
      Four y0 = Four::Zero(), y1 = y0, y2 = y0, y3 = y0;
      for (Index j = 0; j < end_column(row, dim_); ++j, place += kRows) {
        const Four difference = x[j] - means_.col(mean + j);
        y0 += inverse_rows_.col(place) * difference;
        y1 += inverse_rows_.col(place + 1) * difference;
        y2 += inverse_rows_.col(place + 2) * difference;
        y3 += inverse_rows_.col(place + 3) * difference;
      }
      sum += (y0 * y0 + y1 * y1) + (y2 * y2 + y3 * y3);
    }
    std::copy(sum.begin(), sum.end(), squared);
  }
}

}  // namespace ta2s2
