#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "files/shared_file.hpp"
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

// What the standard has for each datatype (MPI-3.1, table 13.2), whatever the MPI below says.
TEST(PackingAlone, portable_sizes_are_those_of_the_standard) {
  const std::vector<std::pair<MPI_Datatype, int>> sizes{{MPI_BYTE, 1},
                                                        {MPI_CHAR, 1},
                                                        {MPI_WCHAR, 2},
                                                        {MPI_SHORT, 2},
                                                        {MPI_INT, 4},
                                                        {MPI_UNSIGNED, 4},
                                                        {MPI_LONG, 4},
                                                        {MPI_UNSIGNED_LONG, 4},
                                                        {MPI_LONG_LONG, 8},
                                                        {MPI_FLOAT, 4},
                                                        {MPI_DOUBLE, 8},
                                                        {MPI_LONG_DOUBLE, 16},
                                                        {MPI_C_BOOL, 1},
                                                        {MPI_INT8_T, 1},
                                                        {MPI_UINT16_T, 2},
                                                        {MPI_INT64_T, 8},
                                                        {MPI_AINT, 8},
                                                        {MPI_COUNT, 8},
                                                        {MPI_OFFSET, 8},
                                                        {MPI_C_FLOAT_COMPLEX, 8},
                                                        {MPI_C_DOUBLE_COMPLEX, 16},
                                                        {MPI_INTEGER, 4},
                                                        {MPI_LOGICAL, 4},
                                                        {MPI_REAL, 4},
                                                        {MPI_DOUBLE_PRECISION, 8},
                                                        {MPI_COMPLEX, 8},
                                                        {MPI_CHARACTER, 1},
                                                        {MPI_LONG_INT, 8},
                                                        {MPI_DOUBLE_INT, 12},
                                                        {MPI_2INT, 8},
                                                        {MPI_LONG_DOUBLE_INT, 20},
                                                        {MPI_SHORT_INT, 6}};
  for (const auto& [type, expected] : sizes) {
    MPI_Aint size = -1;
    check(EP_Pack_external_size("external32", 3, type, &size));
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Type_get_name(type, name.data(), &length);
    EXPECT_EQ(size, 3 * expected) << name.data();
  }
}

template <class T>
std::vector<unsigned char> portable(const T& value, MPI_Datatype type) {
  MPI_Aint size = 0;
  check(EP_Pack_external_size("external32", 1, type, &size));
  std::vector<unsigned char> packed(static_cast<std::size_t>(size));
  MPI_Aint position = 0;
  check(EP_Pack_external("external32", &value, 1, type, packed.data(), size, &position));
  EXPECT_EQ(position, size);
  T back{};
  position = 0;
  check(EP_Unpack_external("external32", packed.data(), size, &position, &back, 1, type));
  EXPECT_EQ(back, value);
  return packed;
}

TEST(PackingAlone, portable_values_are_those_of_the_standard) {
  using Packed = std::vector<unsigned char>;
  EXPECT_EQ(portable(-2L, MPI_LONG), (Packed{0xFF, 0xFF, 0xFF, 0xFE}));
  EXPECT_EQ(portable(0x80000001UL, MPI_UNSIGNED_LONG), (Packed{0x80, 0, 0, 1}));
  EXPECT_EQ(portable(L'\x20AC', MPI_WCHAR), (Packed{0x20, 0xAC}));
  EXPECT_EQ(portable(-2.0, MPI_DOUBLE), (Packed{0xC0, 0, 0, 0, 0, 0, 0, 0}));
  // 16 bytes with 15 of exponent, as IEEE's quadruple precision.
  EXPECT_EQ(portable(-1.5L, MPI_LONG_DOUBLE),
            (Packed{0xBF, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  struct Pair {
    long value;
    int place;
    bool operator==(const Pair& other) const {
      return value == other.value && place == other.place;
    }
  };
  EXPECT_EQ(portable(Pair{-1, 258}, MPI_LONG_INT), (Packed{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1, 2}));
}

TEST(PackingAlone, what_has_no_room_in_the_portable_form_is_an_error) {
  const auto refused = [](auto value, MPI_Datatype type) {
    std::array<unsigned char, 16> packed{};
    MPI_Aint position = 0;
    const int code =
        EP_Pack_external("external32", &value, 1, type, packed.data(), packed.size(), &position);
    EXPECT_EQ(position, 0);
    return code;
  };
  EXPECT_EQ(refused(1L << 31, MPI_LONG), EP_ERR_CONVERSION);
  EXPECT_TRUE(last_error_says({"value 2147483648 of MPI_LONG", "4 bytes", "MPI_INT64_T"}));
  EXPECT_EQ(refused(-(1L << 31) - 1, MPI_LONG), EP_ERR_CONVERSION);
  EXPECT_EQ(refused(~0UL, MPI_UNSIGNED_LONG), EP_ERR_CONVERSION);
  EXPECT_TRUE(last_error_says({"value 18446744073709551615 of MPI_UNSIGNED_LONG"}));
  EXPECT_EQ(refused(L'\x1F600', MPI_WCHAR), EP_ERR_CONVERSION);
  EXPECT_EQ(refused(1L << 31, MPI_LONG_INT), EP_ERR_CONVERSION);
}

// A struct with gaps of fields that keep their width, and of some that do not.
TEST(PackingAlone, mixed_elements_in_the_portable_form) {
  struct Mixed {
    char letter;
    long number;
    std::array<float, 3> values;
    bool operator==(const Mixed&) const = default;
  };
  const std::array<int, 3> lengths{1, 1, 3};
  const std::array<MPI_Aint, 3> at{offsetof(Mixed, letter), offsetof(Mixed, number),
                                   offsetof(Mixed, values)};
  const std::array<MPI_Datatype, 3> types{MPI_CHAR, MPI_LONG, MPI_FLOAT};
  MPI_Datatype some = MPI_DATATYPE_NULL;
  MPI_Datatype mixed = MPI_DATATYPE_NULL;
  ASSERT_EQ(MPI_Type_create_struct(3, lengths.data(), at.data(), types.data(), &some), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_create_resized(some, 0, sizeof(Mixed), &mixed), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_commit(&mixed), MPI_SUCCESS);
  const std::array<Mixed, 2> out{{{'a', -3, {1.0F, 2.0F, 3.0F}}, {'b', 70000, {4.0F, 5.0F, 6.0F}}}};
  MPI_Aint size = 0;
  check(EP_Pack_external_size("external32", 2, mixed, &size));
  ASSERT_EQ(size, 2 * (1 + 4 + 12));
  std::vector<unsigned char> packed(static_cast<std::size_t>(size));
  MPI_Aint position = 0;
  EXPECT_EQ(
      EP_Pack_external("external32", out.data(), 2, mixed, packed.data(), size - 1, &position),
      EP_ERR_TRUNCATE);
  check(EP_Pack_external("external32", out.data(), 2, mixed, packed.data(), size, &position));
  EXPECT_EQ(position, size);
  EXPECT_EQ(std::vector<unsigned char>(packed.begin(), packed.begin() + 9),
            (std::vector<unsigned char>{'a', 0xFF, 0xFF, 0xFF, 0xFD, 0x3F, 0x80, 0, 0}));
  std::array<Mixed, 2> back{};
  position = 0;
  check(EP_Unpack_external("external32", packed.data(), size, &position, back.data(), 2, mixed));
  EXPECT_EQ(back, out);
  ASSERT_EQ(MPI_Type_free(&mixed), MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_free(&some), MPI_SUCCESS);
}

TEST(PackingAlone, nothing_needs_no_room_and_other_representations_are_named) {
  MPI_Aint position = 0;
  check(EP_Pack_external("external32", nullptr, 0, MPI_INT, nullptr, 0, &position));
  check(EP_Unpack_external("external32", nullptr, 0, &position, nullptr, 0, MPI_INT));
  EXPECT_EQ(position, 0);
  EXPECT_EQ(EP_Pack_external_size("external64", 1, MPI_INT, &position), EP_ERR_UNSUPPORTED_DATAREP);
  EXPECT_TRUE(last_error_says({"'external64'", "external32 is known"}));
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
