#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <thread>

#include "layouts.hpp"

namespace ep::test::environment_test {
namespace {

TEST(Surroundings, versions_names_and_time) {
  int version = 0;
  int subversion = 0;
  check(EP_Get_version(&version, &subversion));
  EXPECT_EQ(version, 4);
  EXPECT_EQ(subversion, 0);
  std::array<char, EP_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(EP_Get_library_version(text.data(), &length));
  EXPECT_EQ(std::string(text.data()).find("ep_core"), 0U);
  EXPECT_EQ(std::string(text.data()).size(), static_cast<std::size_t>(length));
  check(EP_Get_processor_name(text.data(), &length));
  EXPECT_GT(length, 0);
  EXPECT_GT(EP_Wtick(), 0);
  EXPECT_LT(EP_Wtick(), 1e-3);
  EXPECT_GT(EP_Wtime(), 0);
}

TEST(Surroundings, threads_and_life) {
  int level = -1;
  check(EP_Query_thread(&level));
  EXPECT_EQ(level, MPI_THREAD_MULTIPLE);
  int flag = 0;
  check(EP_Is_thread_main(&flag));
  EXPECT_EQ(flag, 1);
  std::thread([&flag] { check(EP_Is_thread_main(&flag)); }).join();
  EXPECT_EQ(flag, 0);
  check(EP_Initialized(&flag));
  EXPECT_EQ(flag, 1);
  check(EP_Finalized(&flag));
  EXPECT_EQ(flag, 0);
}

TEST(FortranHandles, go_there_and_back) {
  run_endpoints(3, [](const Comm& comm) {
    EXPECT_EQ(EP_Comm_f2c(EP_Comm_c2f(comm.get())), comm.get());
    EXPECT_EQ(EP_Comm_c2f(EP_COMM_NULL), 0);
    EXPECT_EQ(EP_Comm_f2c(0), EP_COMM_NULL);
    EXPECT_EQ(EP_Errhandler_f2c(EP_Errhandler_c2f(EP_ERRORS_RETURN)), EP_ERRORS_RETURN);
    EXPECT_EQ(EP_Group_f2c(EP_Group_c2f(EP_GROUP_EMPTY)), EP_GROUP_EMPTY);
    EXPECT_EQ(EP_Message_f2c(EP_Message_c2f(EP_MESSAGE_NO_PROC)), EP_MESSAGE_NO_PROC);
    // Of the start communicators, which this program has not: the handles are constants.
    for (EP_Comm predefined : {EP_COMM_WORLD, EP_COMM_ENDPOINTS, EP_COMM_CLIQUE, EP_COMM_SELF}) {
      EXPECT_NE(EP_Comm_c2f(predefined), 0);
      EXPECT_EQ(EP_Comm_f2c(EP_Comm_c2f(predefined)), predefined);
    }
    EP_Group group = EP_GROUP_NULL;
    check(EP_Comm_group(comm.get(), &group));
    EXPECT_EQ(EP_Group_f2c(EP_Group_c2f(group)), group);
    check(EP_Group_free(&group));
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Irecv(nullptr, 0, MPI_BYTE, comm.rank(), 0, comm.get(), &request));
    EP_Request same = EP_Request_f2c(EP_Request_c2f(request));
    EXPECT_EQ(same, request);
    check(EP_Send(nullptr, 0, MPI_BYTE, comm.rank(), 0, comm.get()));
    check(EP_Wait(&same, EP_STATUS_IGNORE));
    // Integers that never were a handle.
    int rank = 0;
    EXPECT_EQ(EP_Comm_rank(EP_Comm_f2c(-7), &rank), EP_ERR_COMM);
    EXPECT_EQ(EP_Comm_rank(EP_Comm_f2c(2'000'000'000), &rank), EP_ERR_COMM);
    EXPECT_EQ(EP_Comm_rank(EP_Comm_f2c(5), &rank), EP_ERR_COMM);
  });
}

TEST(FortranHandles, statuses_go_there_and_back) {
  EP_Status status{3, 7, EP_ERR_TRUNCATE, 12, 1};
  std::array<MPI_Fint, EP_F_STATUS_SIZE> integers{};
  check(EP_Status_c2f(&status, integers.data()));
  EXPECT_EQ(integers[0], 3);
  EXPECT_EQ(integers[1], 7);
  EXPECT_EQ(integers[2], EP_ERR_TRUNCATE);
  EP_Status back{};
  check(EP_Status_f2c(integers.data(), &back));
  EXPECT_EQ(back.EP_SOURCE, 3);
  int value = 0;
  check(EP_Get_count(&back, MPI_INT, &value));
  EXPECT_EQ(value, 3);
  check(EP_Test_cancelled(&back, &value));
  EXPECT_EQ(value, 1);
  EXPECT_EQ(EP_Status_c2f(nullptr, integers.data()), EP_ERR_ARG);
  EXPECT_EQ(EP_Status_f2c(integers.data(), nullptr), EP_ERR_ARG);
}

TEST(Memory, is_given_and_taken_back) {
  for (const MPI_Aint size : {MPI_Aint{0}, MPI_Aint{1}, MPI_Aint{64}, MPI_Aint{100'000}}) {
    char* memory = nullptr;
    check(EP_Alloc_mem(size, MPI_INFO_NULL, static_cast<void*>(&memory)));
    ASSERT_NE(memory, nullptr);
    std::fill_n(memory, size, 'x');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
    check(EP_Free_mem(memory));
  }
  char* memory = nullptr;
  EXPECT_EQ(EP_Alloc_mem(-1, MPI_INFO_NULL, static_cast<void*>(&memory)), EP_ERR_ARG);
  EXPECT_EQ(EP_Alloc_mem(1, MPI_INFO_NULL, nullptr), EP_ERR_ARG);
  EXPECT_EQ(EP_Alloc_mem(MPI_Aint{1} << 60, MPI_INFO_NULL, static_cast<void*>(&memory)),
            EP_ERR_NO_MEM);
}

}  // namespace
}  // namespace ep::test::environment_test
