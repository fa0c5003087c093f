// Numpy's arrays as Eigen's matrices and back, without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "ta2s2/types.hpp"

namespace ta2s2::python {

namespace nb = nanobind;

using InputMatrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using InputVector = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using OutputMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using OutputVector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

using StridedMatrix = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
using StridedVector = Eigen::Map<const Vector, Eigen::Unaligned, Eigen::InnerStride<Eigen::Dynamic>>;

// Views of the caller's memory, in whatever order it is.
inline StridedMatrix view(const InputMatrix& array) {
  return {array.data(),
          static_cast<Index>(array.shape(0)),
          static_cast<Index>(array.shape(1)),
          {array.stride(1), array.stride(0)}};
}

inline StridedVector view(const InputVector& array) {
  return {array.data(), static_cast<Index>(array.shape(0)), Eigen::InnerStride<Eigen::Dynamic>(array.stride(0))};
}

// The array owns what was the matrix's memory.
inline OutputMatrix to_numpy(Matrix matrix) {
  auto* owned = new Matrix(std::move(matrix));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return OutputMatrix(owned->data(), {static_cast<std::size_t>(owned->rows()), static_cast<std::size_t>(owned->cols())},
                      owner, {1, owned->rows()});
}

inline OutputVector to_numpy(Vector vector) {
  auto* owned = new Vector(std::move(vector));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Vector*>(p); });
  return OutputVector(owned->data(), {static_cast<std::size_t>(owned->size())}, owner);
}

}  // namespace ta2s2::python
