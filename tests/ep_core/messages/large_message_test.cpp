// Messages beyond 2 GiB, whose bytes no int counts. What is sent stays untouched but for samples,
// so that memory is that of the receiver only.
#include <gtest/gtest.h>

#include <cstdint>

#include "layouts.hpp"
#include "messages/large_memory.hpp"

namespace ep::test::large_message_test {
namespace {

MPI_Datatype mebibyte() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &type), MPI_SUCCESS);
  EXPECT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  return type;
}

void expect_counts(const EP_Status& status, MPI_Datatype type) {
  int count = 0;
  check(EP_Get_count(&status, type, &count));
  EXPECT_EQ(count, blocks);
  check(EP_Get_count(&status, MPI_BYTE, &count));
  EXPECT_EQ(count, EP_UNDEFINED);  // more than an int says
  check(EP_Get_count(&status, MPI_INT64_T, &count));
  EXPECT_EQ(count, static_cast<int>(bytes / 8));
}

// One endpoint in each of two processes, or two in one.
TEST(LargeMessages, arrive_whole_and_are_counted) {
  run_endpoints(2, [](const Comm& comm) {
    MPI_Datatype type = mebibyte();
    const Zeros data(bytes);
    if (comm.rank() == 0) {
      write_samples(data);
      check(EP_Send(data.data(), blocks, type, 1, 3, comm.get()));
      for (const std::int64_t i : samples()) data[i] = 0;
    } else {
      EP_Status status;
      check(EP_Recv(data.data(), blocks, type, 0, 3, comm.get(), &status));
      expect_counts(status, type);
      expect_samples(data);
    }
    // And back to the first, in pieces.
    check(EP_Bcast(data.data(), blocks, type, 1, comm.get()));
    expect_samples(data);
    EXPECT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
  });
}

// Between processes it would be packed: only within one.
TEST(LargeMessages, are_taken_apart_in_one_process) {
  if (processes() > 1) GTEST_SKIP() << "one process";
  run_endpoints(2, [](const Comm& comm) {
    MPI_Datatype whole = mebibyte();
    MPI_Datatype gapped = MPI_DATATYPE_NULL;
    const std::int64_t extent = block + 64;
    ASSERT_EQ(MPI_Type_create_resized(whole, 0, extent, &gapped), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&gapped), MPI_SUCCESS);
    if (comm.rank() == 0) {
      const Zeros data(extent * blocks);
      for (const std::int64_t i : samples()) {
        data[i / block * extent + i % block] = sample(i);
      }
      for (std::int64_t i = 0; i < blocks; ++i) data[i * extent + block] = 99;  // in the gaps
      check(EP_Ssend(data.data(), blocks, gapped, 1, 3, comm.get()));
    } else {
      const Zeros data(bytes);
      check(EP_Recv(data.data(), blocks, whole, 0, 3, comm.get(), EP_STATUS_IGNORE));
      expect_samples(data);
    }
    EXPECT_EQ(MPI_Type_free(&gapped), MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_free(&whole), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace ep::test::large_message_test
