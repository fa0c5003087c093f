#include "ta2s2/data/detail/latin_hypercube.hpp"

#include "ta2s2/rng/draws.hpp"

namespace ta2s2::detail {

Matrix random_strata(Index runs, Index inputs, Stream& stream) {
  Matrix strata = Matrix::Zero(runs, inputs);
  for (Index input = 0; input < inputs; ++input) {
    for (Index run = 0; run < runs; ++run) {
      // Fisher and Yates, growing: a random earlier stratum moves to the end and the new one takes its place.
      const Index place = draw_index(stream, run + 1);
      strata(run, input) = strata(place, input);
      strata(place, input) = static_cast<double>(run);
    }
  }
  return strata;
}

Matrix random_latin_hypercube(Index runs, Index inputs, Stream& stream) {
  Matrix design = random_strata(runs, inputs, stream);
  for (Index input = 0; input < inputs; ++input) {
    for (Index run = 0; run < runs; ++run)
      design(run, input) = (design(run, input) + draw_uniform(stream)) / static_cast<double>(runs);
  }
  return design;
}

}  // namespace ta2s2::detail
