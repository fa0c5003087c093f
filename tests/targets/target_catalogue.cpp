#include "targets/target_catalogue.hpp"

#include <stdexcept>

#include "targets/banana_target.hpp"
#include "targets/border_target.hpp"
#include "targets/franke_posterior.hpp"
#include "targets/heavy_tails_target.hpp"
#include "targets/normal_modes_target.hpp"
#include "targets/prior_path_gaussian.hpp"
#include "targets/skewed_target.hpp"

namespace ta2s2 {
namespace {

using Made = std::shared_ptr<const ExactTarget>;

template <typename Target>
Made make(Index dim) {
  return std::make_shared<const Target>(dim);
}

struct Family {
  std::string name;
  std::vector<Index> dims;
  std::function<Made(Index)> make;
};

const std::vector<Family>& families() {
  static const std::vector<Family> list = {
      {"Skewed", {1, 2, 3, 6, 11}, make<SkewedTarget>},
      {"Banana", {2, 3, 6, 11}, make<BananaTarget>},
      {"TwoModes",
       {1, 2, 3, 6, 11},
       [](Index d) { return std::make_shared<const NormalModesTarget>(NormalModesTarget::two(d)); }},
      {"ThreeModes",
       {1, 2, 3, 6, 11},
       [](Index d) { return std::make_shared<const NormalModesTarget>(NormalModesTarget::three(d)); }},
      {"HeavyTails", {1, 2, 3, 6, 11}, make<HeavyTailsTarget>},
      {"Border", {1, 2, 3, 6, 11}, make<BorderTarget>},
      {"PriorPath", {1, 2, 3, 6, 11}, make<PriorPathGaussian>},
      {"Franke", {2, 3}, [](Index d) -> Made { return d == 2 ? franke_posterior_2d(1) : franke_posterior_3d(1); }},
  };
  return list;
}

}  // namespace

std::vector<NamedTarget> target_catalogue() {
  std::vector<NamedTarget> all;
  for (const Family& family : families()) {
    for (const Index d : family.dims) {
      all.push_back({family.name + "_d" + std::to_string(d), d, [&family, d] { return family.make(d); }});
    }
  }
  return all;
}

std::shared_ptr<const ExactTarget> make_named_target(const std::string& name) {
  for (const NamedTarget& target : target_catalogue()) {
    if (target.name == name) return target.make();
  }
  throw std::out_of_range("no target is named " + name);
}

}  // namespace ta2s2
