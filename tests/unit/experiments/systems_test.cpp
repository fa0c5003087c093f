#include "ta2s2/experiments/systems.hpp"

#include <gtest/gtest.h>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> found;
  for (const System& system : choose_systems(list)) found.push_back(system.name);
  return found;
}

TEST(Systems, AreChosenByName) {
  EXPECT_EQ(names("map, exact"), (std::vector<std::string>{"exact", "map"}));
  EXPECT_EQ(names("all").size(), systems().size());
  EXPECT_LT(names("").size(), systems().size());
  EXPECT_EQ(names("").front(), kReferenceSystem);
}

TEST(Systems, AnUnknownOneIsRefused) {
  const std::string message = test::message_of(ErrorCode::usage, [] { choose_systems("exact,exakt"); });
  test::expect_parts(message, {"--systems", "\"exakt\"", "expected", "exact", "published"});
}

TEST(Systems, AreValidSettings) {
  for (const System& system : systems()) {
    FitOptions options;
    apply_settings(options, system.settings);
    EXPECT_NO_THROW(ValidFitOptions{options}) << system.name;
  }
}

}  // namespace
}  // namespace ta2s2
