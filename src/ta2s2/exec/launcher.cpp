#include "ta2s2/exec/launcher.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

constexpr const char* kOpenMpi = "openmpi";
constexpr const char* kMpich = "mpich";
constexpr const char* kOther = "other";  // the library that CMake found where there is no packaged choice

// What launchers leave in the environment of the processes they start. The first that is there counts: mpirun may
// itself have been started by a batch system.
struct Trace {
  const char* variable;
  const char* rank;
  const char* num_ranks;
  const char* launcher;
  const char* module;
};
constexpr Trace kTraces[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OpenMPI's mpirun", kOpenMpi},
    {"PMIX_RANK", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "a launcher that speaks PMIx", kOpenMpi},
    {"PMI_SIZE", "PMI_RANK", "PMI_SIZE", "MPICH's mpirun, or one that speaks PMI", kMpich},
    // In a batch script outside srun only the job's numbers are set, not the step's.
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun", kOpenMpi},
};

std::optional<int> number_in(const char* text) {
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::atoi(text);
}

std::string shown(const Launcher& launcher) {
  const std::string count = launcher.num_ranks ? std::to_string(*launcher.num_ranks) : "several";
  return launcher.name + " started " + count + " processes of this program, but ";
}

constexpr const char* kAdvice =
    "; TA2S2_MPI=openmpi, mpich or other names the library to use, TA2S2_MPI=none runs each process alone";

void* open_module(const Launcher& launcher, const std::filesystem::path& folder) {
  std::string reasons;
  for (const std::string& name : {launcher.module, std::string(kOther)}) {
    const std::filesystem::path path = folder / ("ta2s2_mpi_" + name + ".so");
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    // OpenMPI loads parts of its own that look for its symbols among the global ones.
    if (void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return module;
    reasons += std::string(" (") + dlerror() + ")";
  }
  throw Error(ErrorCode::usage, shown(launcher) + "it has no module for this MPI library (" + launcher.module +
                                    ") that can be loaded" + reasons + kAdvice);
}

}  // namespace

std::optional<Launcher> find_launcher(const Environment& environment) {
  std::optional<Launcher> found;
  for (const Trace& trace : kTraces) {
    if (environment(trace.variable) == nullptr) continue;
    found = Launcher{trace.launcher, trace.module, number_in(environment(trace.num_ranks)),
                     number_in(environment(trace.rank)).value_or(0) == 0};
    break;
  }
  if (const char* forced = environment("TA2S2_MPI"); forced != nullptr && *forced != '\0') {
    if (std::string(forced) == "none") return std::nullopt;
    if (!found) found = Launcher{"TA2S2_MPI", forced};
    found->module = forced;
    return found;
  }
  if (found && found->num_ranks == 1) return std::nullopt;
  return found;
}

std::unique_ptr<Transport> load_transport(const Launcher& launcher, const std::filesystem::path& folder) {
  void* module = open_module(launcher, folder);
  const auto make = reinterpret_cast<MakeTransport>(dlsym(module, kTransportEntry));
  if (make == nullptr)
    throw Error(ErrorCode::usage, "the MPI module of another release was found" + std::string(kAdvice));
  std::unique_ptr<Transport> transport(make());
  if (launcher.num_ranks && transport->size() != *launcher.num_ranks) {
    const int num_seen = transport->size();
    transport->finish();
    throw Error(ErrorCode::usage, shown(launcher) + "the MPI library (" + launcher.module + ") sees " +
                                      std::to_string(num_seen) + kAdvice);
  }
  return transport;
}

}  // namespace ta2s2
