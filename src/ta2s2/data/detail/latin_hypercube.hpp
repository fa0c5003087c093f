// Latin hypercubes: in every column one point in each of n equal strata.
#pragma once

#include <cstdint>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::detail {

// Strata 0, ..., n - 1 in random order, independently in each column.
Matrix random_strata(Index runs, Index inputs, Stream& stream);

// A point anywhere in its strata.
Matrix random_latin_hypercube(Index runs, Index inputs, Stream& stream);

// Points at the centres of their strata, the nearest two far apart (maximin_latin_hypercube.cpp).
Matrix maximin_latin_hypercube(Index runs, Index inputs, std::uint64_t seed);

}  // namespace ta2s2::detail
