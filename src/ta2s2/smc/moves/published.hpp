// The paper's kernel, (4.5) and (4.8)-(4.12), kept to reproduce the paper. It does NOT leave its target invariant
// (docs/paper_notes.md, note 6): use `exact`.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

std::unique_ptr<Move> make_published_kernel(const PublishedOptions& options);

}  // namespace ta2s2
