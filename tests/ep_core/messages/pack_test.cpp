#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::pack_test {
namespace {

class Packing : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Packing, testing::Values(2, 3));

TEST_P(Packing, packed_messages_are_received_packed_or_as_what_they_were) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    struct Letter {
      int number;
      double values[3];
    };
    const std::array<int, 2> lengths{1, 3};
    const std::array<MPI_Aint, 2> at{offsetof(Letter, number), offsetof(Letter, values)};
    const std::array<MPI_Datatype, 2> types{MPI_INT, MPI_DOUBLE};
    MPI_Datatype letter = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_create_struct(2, lengths.data(), at.data(), types.data(), &letter),
              MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&letter), MPI_SUCCESS);
    int size = 0;
    check(EP_Pack_size(1, letter, comm.get(), &size));
    EXPECT_EQ(size, static_cast<int>(sizeof(int) + 3 * sizeof(double)));
    std::vector<std::byte> packed(static_cast<std::size_t>(size));
    if (comm.rank() == 0) {
      const Letter out{7, {1.5, 2.5, 3.5}};
      int position = 0;
      check(EP_Pack(&out.number, 1, MPI_INT, packed.data(), size, &position, comm.get()));
      check(EP_Pack(out.values, 3, MPI_DOUBLE, packed.data(), size, &position, comm.get()));
      EXPECT_EQ(position, size);
      EXPECT_EQ(EP_Pack(&out, 1, MPI_INT, packed.data(), size, &position, comm.get()),
                EP_ERR_TRUNCATE);
      check(EP_Send(packed.data(), size, MPI_PACKED, 1, 0, comm.get()));
      check(EP_Send(&out, 1, letter, 1, 1, comm.get()));
    } else if (comm.rank() == 1) {
      Letter in{};
      check(EP_Recv(&in, 1, letter, 0, 0, comm.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(in.number, 7);
      EXPECT_EQ(in.values[2], 3.5);
      check(EP_Recv(packed.data(), size, MPI_PACKED, 0, 1, comm.get(), EP_STATUS_IGNORE));
      Letter again{};
      int position = 0;
      check(EP_Unpack(packed.data(), size, &position, &again, 1, letter, comm.get()));
      EXPECT_EQ(position, size);
      EXPECT_EQ(again.values[0], 1.5);
      EXPECT_EQ(EP_Unpack(packed.data(), size, &position, &again, 1, letter, comm.get()),
                EP_ERR_TRUNCATE);
    }
    ASSERT_EQ(MPI_Type_free(&letter), MPI_SUCCESS);
  });
}

TEST(PackingAlone, the_portable_representation_is_big_endian) {
  MPI_Aint size = 0;
  MPI_Aint position = 0;
  const int out = 0x01020304;
  int in = 0;
  check(EP_Pack_external_size("external32", 1, MPI_INT, &size));
  ASSERT_EQ(size, 4);
  std::array<unsigned char, 4> packed{};
  check(EP_Pack_external("external32", &out, 1, MPI_INT, packed.data(), size, &position));
  EXPECT_EQ(packed, (std::array<unsigned char, 4>{1, 2, 3, 4}));
  position = 0;
  check(EP_Unpack_external("external32", packed.data(), size, &position, &in, 1, MPI_INT));
  EXPECT_EQ(in, out);
}

// Status counts of a struct of one int and two doubles, received in parts.
TEST_P(Packing, elements_are_counted_inside_incomplete_ones) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const std::array<int, 2> lengths{1, 2};
    const std::array<MPI_Aint, 2> at{0, 8};
    const std::array<MPI_Datatype, 2> types{MPI_INT, MPI_DOUBLE};
    MPI_Datatype mixed = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_create_struct(2, lengths.data(), at.data(), types.data(), &mixed),
              MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&mixed), MPI_SUCCESS);
    if (comm.rank() == 0) {
      const std::array<std::byte, 64> data{};
      for (const int bytes : {20, 24, 32, 22, 0}) {
        check(EP_Send(data.data(), bytes, MPI_BYTE, 1, bytes, comm.get()));
      }
    } else if (comm.rank() == 1) {
      struct Expected {
        int bytes;
        int count;
        int elements;
      };
      for (const Expected& e :
           {Expected{20, 1, 3}, Expected{24, EP_UNDEFINED, 4}, Expected{32, EP_UNDEFINED, 5},
            Expected{22, EP_UNDEFINED, EP_UNDEFINED}, Expected{0, 0, 0}}) {
        std::array<std::byte, 96> in{};
        EP_Status status;
        check(EP_Recv(in.data(), 3, mixed, 0, e.bytes, comm.get(), &status));
        int count = -1;
        MPI_Count long_count = -1;
        check(EP_Get_count(&status, mixed, &count));
        EXPECT_EQ(count, e.count);
        check(EP_Get_elements(&status, mixed, &count));
        EXPECT_EQ(count, e.elements);
        check(EP_Get_elements_x(&status, mixed, &long_count));
        EXPECT_EQ(long_count, e.elements);
        check(EP_Status_set_elements(&status, mixed, 4));
        EXPECT_EQ(status.ep_bytes, 24);
        // More than an int counts.
        const MPI_Count many = (MPI_Count{1} << 33) + 1;
        check(EP_Status_set_elements_x(&status, MPI_INT, many));
        EXPECT_EQ(status.ep_bytes, 4 * many);
        check(EP_Get_elements_x(&status, MPI_INT, &long_count));
        EXPECT_EQ(long_count, many);
        check(EP_Get_elements(&status, MPI_INT, &count));
        EXPECT_EQ(count, EP_UNDEFINED);
        EXPECT_EQ(EP_Status_set_elements_x(&status, MPI_INT, -1), EP_ERR_COUNT);
      }
    }
    ASSERT_EQ(MPI_Type_free(&mixed), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace ep::test::pack_test
