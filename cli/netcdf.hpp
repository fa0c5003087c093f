// A fit's groups of arrays as the bytes of a NetCDF-4 file, which ArviZ and xarray open. Classic NetCDF has no groups.
#pragma once

#include <string>

#include "ta2s2/posterior.hpp"

namespace ta2s2::cli {

// Error{usage} if the program was built without the NetCDF library, or does not find it.
std::string to_netcdf(const InferenceData& data);

// The library brings forty others, which take longer to load than a small fit's planning: a module links it, and only
// `ta2s2 export` loads the module.
using WriteNetcdf = void (*)(const InferenceData& data, std::string& bytes);
inline constexpr const char* kNetcdfEntry = "ta2s2_write_netcdf";

}  // namespace ta2s2::cli
