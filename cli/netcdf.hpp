// A fit's groups of arrays as the bytes of a NetCDF-4 file, which ArviZ and xarray open. Classic NetCDF has no groups.
#pragma once

#include <string>

#include "ta2s2/workflow/inference_data.hpp"

namespace ta2s2::cli {

// Error{usage} if the program was built without the NetCDF library.
std::string to_netcdf(const InferenceData& data);

}  // namespace ta2s2::cli
