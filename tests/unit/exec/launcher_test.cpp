#include "ta2s2/exec/launcher.hpp"

#include <gtest/gtest.h>

#include <map>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

std::optional<Launcher> found_in(const std::map<std::string, std::string>& variables) {
  return find_launcher([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(FindLauncher, AProcessOfItsOwnHasNone) {
  EXPECT_FALSE(found_in({}));
  EXPECT_FALSE(found_in({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}}));
  EXPECT_FALSE(found_in({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}));
}

// What a batch script sees that does not use srun: the job has many tasks, but this process is none of them.
TEST(FindLauncher, ABatchScriptIsNoLauncher) {
  EXPECT_FALSE(found_in({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));
}

TEST(FindLauncher, KnowsTheLaunchersByWhatTheyLeave) {
  const auto openmpi = found_in({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"PMIX_RANK", "2"}});
  ASSERT_TRUE(openmpi);
  EXPECT_EQ(openmpi->module, "openmpi");
  EXPECT_EQ(openmpi->num_ranks, 4);
  EXPECT_FALSE(openmpi->is_first_rank);

  const auto mpich = found_in({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}});
  ASSERT_TRUE(mpich);
  EXPECT_EQ(mpich->module, "mpich");
  EXPECT_EQ(mpich->num_ranks, 3);
  EXPECT_TRUE(mpich->is_first_rank);

  const auto srun = found_in({{"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_PROCID", "5"}});
  ASSERT_TRUE(srun);
  EXPECT_EQ(srun->num_ranks, 6);
  EXPECT_FALSE(srun->is_first_rank);
}

TEST(FindLauncher, AForcedModuleWins) {
  EXPECT_EQ(found_in({{"SLURM_STEP_NUM_TASKS", "6"}, {"TA2S2_MPI", "mpich"}})->module, "mpich");
  EXPECT_EQ(found_in({{"TA2S2_MPI", "other"}})->module, "other");
  EXPECT_FALSE(found_in({{"OMPI_COMM_WORLD_SIZE", "4"}, {"TA2S2_MPI", "none"}}));
}

TEST(LoadTransport, WithoutAModuleIsASentence) {
  try {
    load_transport({"OpenMPI's mpirun", "openmpi", 4}, "/nowhere");
    FAIL() << "loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("OpenMPI's mpirun started 4 processes"), std::string::npos);
  }
}

}  // namespace
}  // namespace ta2s2
