// Fowler, Noll and Vo's hash, variant 1a, 64 bits: tells two contents apart, and damage from none; not an attacker's
// work.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace ta2s2 {

class Fnv1a {
 public:
  void add_bytes(std::string_view bytes) {
    for (const char byte : bytes) add_byte(static_cast<unsigned char>(byte));
  }
  void add_word(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(word >> shift));
  }
  // Its length too, so that ("ab", "c") and ("a", "bc") differ.
  void add_text(std::string_view text) {
    add_word(text.size());
    add_bytes(text);
  }
  void add_number(double value) { add_word(std::bit_cast<std::uint64_t>(value)); }

  std::uint64_t value() const { return hash_; }
  std::string hex() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash_ >> shift) & 15u];
    return digits;
  }

 private:
  void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace ta2s2
