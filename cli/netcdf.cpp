#include "netcdf.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "console.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

constexpr const char* kAdvice = "; EmulatorRegressor.load(...).to_arviz() of the Python package does without it";

WriteNetcdf load_writer() {
  const std::filesystem::path path = module_folder() / "ta2s2_netcdf.so";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorCode::usage,
                "this program was built without the NetCDF library (Debian: libnetcdf-dev); build it again with it" +
                    std::string(kAdvice));
  }
  void* module = dlopen(path.c_str(), RTLD_NOW);
  if (module == nullptr) {
    throw Error(ErrorCode::usage, "the NetCDF library cannot be loaded (" + std::string(dlerror()) + ")" + kAdvice);
  }
  const auto write = reinterpret_cast<WriteNetcdf>(dlsym(module, kNetcdfEntry));
  if (write == nullptr) throw Error(ErrorCode::usage, path.string() + " is of another release" + kAdvice);
  return write;
}

}  // namespace

std::string to_netcdf(const InferenceData& data) {
  std::string bytes;
  load_writer()(data, bytes);
  return bytes;
}

}  // namespace ta2s2::cli
