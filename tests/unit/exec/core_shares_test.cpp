#include "ta2s2/exec/core_shares.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

TEST(CoreShares, OneProcessHasAllItsCores) {
  EXPECT_EQ(core_shares({{"a", {0, 1, 2, 3}}}), std::vector<int>{4});
}

TEST(CoreShares, ProcessesThatAreBoundKeepTheirCores) {
  EXPECT_EQ(core_shares({{"a", {0, 1}}, {"a", {2, 3}}, {"a", {4}}}), (std::vector<int>{2, 2, 1}));
}

TEST(CoreShares, ProcessesOfOneMachineDivideTheCoresThatTheyShare) {
  const Seat seat{"a", {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(core_shares({seat, seat}), (std::vector<int>{3, 3}));
  EXPECT_EQ(core_shares({seat, seat, seat}), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(core_shares({seat, seat, seat, seat}), (std::vector<int>{1, 1, 1, 1}));
}

TEST(CoreShares, ThoseOfDifferentMachinesDoNot) {
  EXPECT_EQ(core_shares({{"a", {0, 1}}, {"b", {0, 1}}}), (std::vector<int>{2, 2}));
}

TEST(CoreShares, AProcessAlwaysHasOne) {
  EXPECT_EQ(core_shares({{"a", {0}}, {"a", {0}}, {"a", {}}}), (std::vector<int>{1, 1, 1}));
}

TEST(CoreShares, ThisProcessMayRunSomewhere) {
  EXPECT_FALSE(own_seat().cores.empty());
  EXPECT_FALSE(own_seat().machine.empty());
}

}  // namespace
}  // namespace ta2s2
