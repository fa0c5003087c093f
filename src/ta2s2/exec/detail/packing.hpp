// Numbers and texts to bytes and back, in the order in which they were put.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ta2s2/exec/transport.hpp"

namespace ta2s2::detail {

template <class Number>
void put(Bytes& bytes, const Number& number) {
  static_assert(std::is_trivially_copyable_v<Number>);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

inline void put_numbers(Bytes& bytes, const std::vector<double>& numbers) {
  put(bytes, numbers.size());
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

inline void put_text(Bytes& bytes, std::string_view text) {
  put(bytes, text.size());
  bytes.append(text);
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  template <class Number>
  Number number() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  std::vector<double> numbers() {
    std::vector<double> numbers(number<std::size_t>());
    const std::string_view bytes = take(numbers.size() * sizeof(double));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  std::string text() { return std::string(take(number<std::size_t>())); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::length_error("a message between ranks is shorter than it says");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace ta2s2::detail
