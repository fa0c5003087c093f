#include "ta2s2/exec/executor.hpp"

#include <algorithm>

#include "ta2s2/error.hpp"

namespace ta2s2 {

void Executor::for_each_here(Index count, const std::function<void(Index)>& work) {
  for (Index i = 0; i < count; ++i) work(i);
}

void Executor::throw_if_stopped() const {
  if (stop_requested()) throw Error(ErrorCode::interrupted, "interrupted; no output was written");
}

void for_each_stretch(Executor* executor, Index count, Index size, const Stretch& work) {
  const auto one = [&](Index i) { work(i * size, std::min((i + 1) * size, count)); };
  const Index num_stretches = (count + size - 1) / size;
  if (executor != nullptr) return executor->for_each_here(num_stretches, one);
  for (Index i = 0; i < num_stretches; ++i) one(i);
}

}  // namespace ta2s2
