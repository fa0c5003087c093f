// Files that rank 0 reads and all ranks get, a block at a time.
#pragma once

#include "ta2s2/base/input_file.hpp"
#include "ta2s2/exec/ranks.hpp"

namespace ta2s2 {

// Every rank opens the same files and reads them alike, as ranks of one program do. `ranks` must outlive the files.
InputFile open_shared_file(Ranks& ranks, const std::filesystem::path& path);

}  // namespace ta2s2
