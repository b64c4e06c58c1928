#include "process/raw_large.hpp"

#include <ep/ep.h>
#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <vector>

#include "process/error.hpp"

// How long messages travel below an MPI whose counts are int. Blocks are tiny here, so that what
// needs gigabytes needs bytes.

namespace {

using namespace ep;

std::vector<unsigned char> numbered(std::int64_t bytes) {
  std::vector<unsigned char> out(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * 7 + i / 251);
  return out;
}

TEST(RawLarge, a_type_has_exactly_as_many_bytes_as_asked) {
  constexpr std::int64_t gigabyte = std::int64_t{1} << 30;
  struct Case {
    std::int64_t bytes;
    int block;
  };
  const std::array cases{Case{1, 1},
                         Case{6, 3},
                         Case{7, 3},
                         Case{5 * gigabyte + 3, 1 << 20},
                         Case{4 * gigabyte, INT_MAX},
                         Case{std::int64_t{INT_MAX} * 3 + 1, INT_MAX}};
  for (const Case& c : cases) {
    MPI_Datatype type = bytes_type(c.bytes, c.block);
    MPI_Count size = 0;
    MPI_Count lower_bound = -1;
    MPI_Count extent = 0;
    ASSERT_EQ(MPI_Type_size_x(type, &size), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_get_true_extent_x(type, &lower_bound, &extent), MPI_SUCCESS);
    EXPECT_EQ(size, c.bytes) << "blocks of " << c.block;
    EXPECT_EQ(lower_bound, 0);
    EXPECT_EQ(extent, c.bytes) << "blocks of " << c.block;
    ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
  }
}

TEST(RawLarge, more_blocks_than_a_type_can_have_are_an_error) {
  EXPECT_THROW(static_cast<void>(bytes_type(std::int64_t{1} << 33, 2)), Error);
}

// To the next process, with other blocks at the two ends, and with none at one of them.
TEST(RawLarge, messages_in_blocks_arrive_whatever_the_other_side_counts) {
  int rank = 0;
  int size = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_SUCCESS);
  ASSERT_EQ(MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_SUCCESS);
  for (const std::int64_t bytes : {1, 63, 64, 1000, 200'003}) {
    for (const auto& [sent, received] :
         {std::array{7, 64}, std::array{64, 7}, std::array{0, 5}, std::array{5, 0}}) {
      const std::vector<unsigned char> data = numbered(bytes);
      std::vector<unsigned char> got(data.size());
      std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      const int next = (rank + 1) % size;
      const int count = static_cast<int>(bytes);
      if (sent > 0) {
        counted_in_int::raw_send(data.data(), bytes, next, 11, MPI_COMM_WORLD, requests.data(),
                                 sent);
      } else {
        ASSERT_EQ(
            MPI_Isend(data.data(), count, MPI_BYTE, next, 11, MPI_COMM_WORLD, requests.data()),
            MPI_SUCCESS);
      }
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status{};
      ASSERT_EQ(MPI_Mprobe((rank + size - 1) % size, 11, MPI_COMM_WORLD, &message, &status),
                MPI_SUCCESS);
      MPI_Count arriving = 0;
      ASSERT_EQ(MPI_Get_elements_x(&status, MPI_BYTE, &arriving), MPI_SUCCESS);
      EXPECT_EQ(arriving, bytes);
      if (received > 0) {
        counted_in_int::raw_receive(got.data(), bytes, &message, &requests[1], received);
      } else {
        ASSERT_EQ(MPI_Imrecv(got.data(), count, MPI_BYTE, &message, &requests[1]), MPI_SUCCESS);
      }
      ASSERT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(got, data) << bytes << " bytes sent in blocks of " << sent << ", received in "
                           << received;
    }
  }
}

// The functions that the library takes, with the MPI of this build.
TEST(RawLarge, short_messages_go_the_long_way_too) {
  const std::vector<unsigned char> data = numbered(5000);
  std::vector<unsigned char> got(data.size());
  std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  raw_send_large(data.data(), 5000, 0, 12, MPI_COMM_SELF, requests.data());
  MPI_Message message = MPI_MESSAGE_NULL;
  ASSERT_EQ(MPI_Mprobe(0, 12, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
  raw_receive_large(got.data(), 5000, &message, &requests[1]);
  ASSERT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(got, data);
}

// A type with a gap, so that a wrong step from part to part is seen.
TEST(RawLarge, packing_in_parts_is_packing) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Datatype wide = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_vector(2, 1, 2, MPI_INT, &pair), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_create_resized(pair, 0, 5 * sizeof(int), &wide), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_commit(&wide), MPI_SUCCESS);
  constexpr int count = 10;
  std::vector<int> values(5 * count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) * 1000003;
  MPI_Aint whole = 0;
  ASSERT_EQ(MPI_Pack_external_size("external32", count, wide, &whole), MPI_SUCCESS);
  ASSERT_EQ(whole, 2 * 4 * count);
  std::vector<unsigned char> expected(static_cast<std::size_t>(whole));
  MPI_Aint used = 0;
  ASSERT_EQ(
      MPI_Pack_external("external32", values.data(), count, wide, expected.data(), whole, &used),
      MPI_SUCCESS);
  for (const int most : {1, 3, 10, 11}) {
    EXPECT_EQ(counted_in_int::external_size("external32", count, wide, most), whole);
    std::vector<unsigned char> packed(expected.size());
    MPI_Count at = 0;
    counted_in_int::pack_external("external32", values.data(), count, wide, packed.data(), whole,
                                  &at, most);
    EXPECT_EQ(at, whole);
    EXPECT_EQ(packed, expected) << "at most " << most;
    std::vector<int> back(values.size(), -1);
    at = 0;
    counted_in_int::unpack_external("external32", packed.data(), whole, &at, back.data(), count,
                                    wide, most);
    EXPECT_EQ(at, whole);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_moved = i % 5 == 0 || i % 5 == 2;
      EXPECT_EQ(back[i], is_moved ? values[i] : -1) << "value " << i << ", at most " << most;
    }
  }
  EXPECT_EQ(external_size("external32", count, wide), whole);
  ASSERT_EQ(MPI_Type_free(&wide), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&pair), MPI_SUCCESS);
}

}  // namespace
