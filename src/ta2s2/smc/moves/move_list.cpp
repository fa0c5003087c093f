// Every kernel by name. A new kernel is one new file and one new line here.
#include <functional>
#include <utility>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/smc/moves/moves.hpp"

namespace ta2s2 {
namespace {

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Move>(const MoveOptions&)> make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"exact", [](const MoveOptions& options) { return make_exact_kernel(options.shares); }},
      {"neal", [](const MoveOptions&) { return make_neal_kernel(); }},
      {"random-walk", [](const MoveOptions&) { return make_random_walk_kernel(); }},
      {"elliptical", [](const MoveOptions&) { return make_elliptical_kernel(); }},
      {"aims", [](const MoveOptions&) { return make_aims_kernel(); }},
      {"published", [](const MoveOptions& options) { return make_published_kernel(options.published); }},
  };
  return list;
}

}  // namespace

std::vector<std::string> move_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Move> make_move(const MoveOptions& options) {
  for (const Entry& entry : entries()) {
    if (entry.name == options.name) return entry.make(options);
  }
  throw Error(ErrorCode::usage, "unknown move \"" + options.name + "\"; known moves: " + join(move_names(), ", "));
}

}  // namespace ta2s2
