#include "ta2s2/rng/stream.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace ta2s2 {
namespace {

using Bits = std::array<std::uint64_t, 4>;
constexpr std::uint64_t kOnes = ~std::uint64_t{0};

struct KnownAnswer {
  Bits counter;
  std::array<std::uint64_t, 2> key;
  Bits output;
};

class Philox : public testing::TestWithParam<KnownAnswer> {};

// The generator under our streams, against the philox4x64 10 lines of Random123's tests/kat_vectors. The same
// numbers come from numpy.random.Philox(counter=counter - 1, key=key).random_raw(4).
TEST_P(Philox, GivesItsKnownAnswer) {
  const KnownAnswer& known = GetParam();
  const auto& c = known.counter;
  const auto block = r123::Philox4x64()({{c[0], c[1], c[2], c[3]}}, {{known.key[0], known.key[1]}});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(block[i], known.output[i]) << "word " << i;
}

INSTANTIATE_TEST_SUITE_P(
    Random123, Philox,
    testing::Values(KnownAnswer{{0, 0, 0, 0},
                                {0, 0},
                                {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
                    KnownAnswer{{kOnes, kOnes, kOnes, kOnes},
                                {kOnes, kOnes},
                                {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
                    KnownAnswer{{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                                {0x452821e638d01377, 0xbe5466cf34e90c6c},
                                {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}}));

Bits next_four(Stream& stream) {
  Bits bits;
  for (auto& word : bits) word = stream.bits();
  return bits;
}

// The seed contract: a name's bits never change, or no user could repeat last year's fit. Two blocks each,
// from numpy.random.Philox with key = (seed, purpose) and counter = (block, step, chain, level).
TEST(Stream, GoldenBits) {
  Stream zero({0, static_cast<Purpose>(0), 0, 0, 0});
  EXPECT_EQ(next_four(zero), (Bits{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));

  Stream first({1, Purpose::move, 0, 0, 0});
  EXPECT_EQ(next_four(first), (Bits{0xebe0a7a0b30e6ad6, 0xc46b0f5850e5c7ff, 0x732ab91766438512, 0xe0505c1572ed9d71}));
  EXPECT_EQ(next_four(first), (Bits{0xa2f18b514f3549b9, 0x9e9426c8da723ebb, 0x15a64fc311742051, 0x03737ee4c8e2fdf1}));

  Stream later({.seed = 20240607, .purpose = Purpose::move, .level = 4, .chain = 17, .step = 5});
  EXPECT_EQ(next_four(later), (Bits{0xfb42265e2a3ae92b, 0x8201871512193fb4, 0x270be4d9dab681c6, 0x8e1037ab4889941d}));
  EXPECT_EQ(next_four(later), (Bits{0x9c6846519eb11cd0, 0x5f790425d5dedc65, 0x0e9cade599de5f92, 0x63455c670e95839f}));

  Stream largest({kOnes, Purpose::prior_mass, kOnes, kOnes, kOnes});
  EXPECT_EQ(next_four(largest), (Bits{0x05dd2961060ccfd5, 0x5ed5c36c1d4c72f8, 0x3eeb4a6ceedc721b, 0x8199fcd1b8eb04b6}));
}

TEST(Stream, PurposesKeepTheirNumbers) {
  EXPECT_EQ(static_cast<int>(Purpose::start_point), 1);
  EXPECT_EQ(static_cast<int>(Purpose::resample), 2);
  EXPECT_EQ(static_cast<int>(Purpose::move), 3);
  EXPECT_EQ(static_cast<int>(Purpose::mixture_fit), 4);
  EXPECT_EQ(static_cast<int>(Purpose::predictive_draw), 5);
  EXPECT_EQ(static_cast<int>(Purpose::design), 6);
  EXPECT_EQ(static_cast<int>(Purpose::prior_mass), 7);
}

TEST(Stream, TheSameNameGivesTheSameBits) {
  const StreamName name{7, Purpose::resample, 3, 2, 1};
  Stream a(name), b(name);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.bits(), b.bits());
}

TEST(Stream, ACopyGoesOnByItself) {
  Stream original({7, Purpose::move, 1, 1, 1});
  original.bits();
  Stream copy = original;
  EXPECT_EQ(next_four(copy), next_four(original));
}

// Names that differ in one field only, by one: their first bits must all differ, and neighbours must differ
// in about half of their bits (256 per pair of blocks, sd 8: six sds).
TEST(Stream, EveryFieldOfTheNameMatters) {
  const auto block_of = [](const StreamName& name) {
    Stream stream(name);
    return next_four(stream);
  };
  const StreamName base{1, Purpose::move, 1, 1, 1};
  const Bits base_bits = block_of(base);
  std::vector<StreamName> others(5, base);
  others[0].seed = 2;
  others[1].purpose = Purpose::mixture_fit;
  others[2].level = 2;
  others[3].chain = 2;
  others[4].step = 2;
  std::set<Bits> seen = {base_bits};
  for (const StreamName& other : others) {
    const Bits bits = block_of(other);
    EXPECT_TRUE(seen.insert(bits).second);
    int differing = 0;
    for (std::size_t i = 0; i < 4; ++i) differing += std::popcount(bits[i] ^ base_bits[i]);
    EXPECT_NEAR(differing, 128, 48);
  }
}

// A stream that runs on must not run into its neighbour: step, chain and level are counter words of their
// own.
TEST(Stream, DoesNotRunIntoTheNextStep) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t step = 0; step < 50; ++step) {
    for (std::uint64_t chain = 0; chain < 5; ++chain) {
      Stream stream({3, Purpose::move, 2, chain, step});
      for (int i = 0; i < 40; ++i) EXPECT_TRUE(seen.insert(stream.bits()).second);
    }
  }
}

}  // namespace
}  // namespace ta2s2
