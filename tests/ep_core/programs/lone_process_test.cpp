#include "programs/lone_process.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace ep::test::lone_process_test {
namespace {

const MpiLibrary mpich{MpiKind::mpich, "MPICH Version: 4.0.2", 400};
const MpiLibrary open_mpi{MpiKind::open_mpi, "Open MPI v4.1.4", 301};

std::string why(const MpiLibrary& running, const std::map<std::string, int>& environment) {
  return started_apart(running, [&](const char* variable) -> std::optional<int> {
    const auto found = environment.find(variable);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(LoneProcess, of_another_launcher_is_named_with_what_to_do) {
  EXPECT_EQ(why(mpich, {{"OMPI_COMM_WORLD_SIZE", 3}}),
            "this process is one of 3 that mpiexec of Open MPI has started (OMPI_COMM_WORLD_SIZE), "
            "but 'MPICH Version: 4.0.2', its MPI, knows of no other one (each would run the whole "
            "job and write the same files). Start the job with the mpiexec of this MPI? EP_ALONE=1 "
            "says that each is meant to be alone.");
  EXPECT_NE(why(open_mpi, {{"PMI_SIZE", 2}}).find("one of 2 that mpiexec of MPICH has started"),
            std::string::npos);
  for (const MpiLibrary& mpi : {mpich, open_mpi}) {
    const std::string text = why(mpi, {{"SLURM_STEP_NUM_TASKS", 4}});
    EXPECT_NE(text.find("one of 4 that srun has started"), std::string::npos) << text;
    EXPECT_NE(text.find("srun --mpi=list"), std::string::npos) << text;
  }
}

TEST(LoneProcess, may_be_alone) {
  EXPECT_EQ(why(mpich, {}), "");
  EXPECT_EQ(why(mpich, {{"OMPI_COMM_WORLD_SIZE", 1}, {"SLURM_STEP_NUM_TASKS", 1}}), "");
  EXPECT_EQ(why(open_mpi, {{"PMI_SIZE", 1}}), "");
  EXPECT_EQ(why(mpich, {{"OMPI_COMM_WORLD_SIZE", 3}, {"EP_ALONE", 1}}), "");
  EXPECT_NE(why(mpich, {{"OMPI_COMM_WORLD_SIZE", 3}, {"EP_ALONE", 0}}), "");
}

// One process by its own mpiexec, in a script that another launcher has started many times.
TEST(LoneProcess, of_its_own_launcher_is_as_that_one_says) {
  EXPECT_EQ(why(mpich, {{"PMI_SIZE", 1}, {"OMPI_COMM_WORLD_SIZE", 3}}), "");
  EXPECT_EQ(why(open_mpi, {{"OMPI_COMM_WORLD_SIZE", 1}, {"PMI_SIZE", 3}}), "");
  EXPECT_EQ(why(open_mpi, {{"OMPI_COMM_WORLD_SIZE", 1}, {"SLURM_STEP_NUM_TASKS", 3}}), "");
}

}  // namespace
}  // namespace ep::test::lone_process_test
