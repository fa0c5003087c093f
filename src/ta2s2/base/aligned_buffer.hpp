// Doubles on a cache line's border, as SIMD loads want them. Memory beyond what was asked for is never read.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace ta2s2 {

class AlignedBuffer {
 public:
  // Former contents are lost; new ones are zero.
  void resize(std::size_t size) { elements_.reset(new (kAlignment) double[size]()); }
  double* data() { return elements_.get(); }
  const double* data() const { return elements_.get(); }
  double& operator[](std::size_t i) { return elements_.get()[i]; }
  double operator[](std::size_t i) const { return elements_.get()[i]; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(double* elements) const { ::operator delete[](elements, kAlignment); }
  };
  std::unique_ptr<double[], Delete> elements_;
};

}  // namespace ta2s2
