#include "ta2s2/rng/stream.hpp"

#include <Random123/philox.h>

namespace ta2s2 {

Stream::Stream(const StreamName& name)
    : key_{name.seed, static_cast<std::uint64_t>(name.purpose)}, counter_{0, name.step, name.chain, name.level} {}

void Stream::refill() {
  const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  const auto block = r123::Philox4x64()(counter, key);
  for (std::size_t i = 0; i < buffer_.size(); ++i) buffer_[i] = block[i];
  ++counter_[0];
  next_ = 0;
}

}  // namespace ta2s2
