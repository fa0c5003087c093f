// Whether an MPI launcher started this process, and the transport that fits it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ta2s2/exec/transport.hpp"

namespace ta2s2 {

struct Launcher {
  std::string name;                   // as a user would call it
  std::string module;                 // of the MPI library that it starts programs of
  std::optional<int> num_ranks = {};  // if it says
  bool is_first_rank = true;          // one process may speak for all
};

using Environment = std::function<const char*(const char* name)>;  // std::getenv

// Nothing if this process was started alone. TA2S2_MPI names a module and wins: "none" is nothing.
std::optional<Launcher> find_launcher(const Environment& environment);

// From ta2s2_mpi_<module>.so in `folder`. Error{usage} if there is none or it does not start, or if it does not see as
// many ranks as the launcher says: one program too many would write the others' files.
std::unique_ptr<Transport> load_transport(const Launcher& launcher, const std::filesystem::path& folder);

}  // namespace ta2s2
