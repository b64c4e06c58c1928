// Reading and writing in all forms: one contract for all layouts of endpoints.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ep/ep.hpp>
#include <ep/file.hpp>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "files/file_ways.hpp"
#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_test {
namespace {

constexpr int endpoints = 4;

// Every endpoint sees one block of `length` ints in every round of all.
void set_interleaved_view(EP_File file, const Comm& comm, int length) {
  const int all = comm.size() * length;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int start = comm.rank() * length;
  ASSERT_EQ(MPI_Type_create_subarray(1, &all, &length, &start, MPI_ORDER_C, MPI_INT, &type),
            MPI_SUCCESS);
  ASSERT_EQ(MPI_Type_commit(&type), MPI_SUCCESS);
  check(EP_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL));
  ASSERT_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

// With counts of both sizes. Blocks of 3 ints, and of 3,000: with the size of messages and parts
// the ways change.
TEST(FileAccess, every_way_moves_the_same) {
  run_endpoints(endpoints, [](const Comm& comm) {
    for (const int length : {3, 3000}) {
      for (const FileWay& way : all_file_ways()) {
        const SharedFile shared(comm);
        EP_File file = shared.open();
        set_interleaved_view(file, comm, length);
        const int count = 5 * length;
        std::vector<int> mine = numbers(1000000 * comm.rank(), count);
        EP_Status status{};
        way.write(file, 0, mine.data(), count, &status);
        EXPECT_EQ(count_of(status, MPI_INT), count) << way.name;
        shared.barrier();
        std::vector<int> read(mine.size(), -1);
        check(EP_File_seek(file, length, EP_SEEK_SET));
        way.read(file, length, read.data(), count, &status);
        EXPECT_EQ(count_of(status, MPI_INT), 4 * length) << way.name << ": the file ends";
        EXPECT_TRUE(std::equal(mine.begin() + length, mine.end(), read.begin())) << way.name;
        EXPECT_EQ(read.back(), -1) << way.name;
        const std::vector<int> all = ints_of(shared);
        ASSERT_EQ(static_cast<int>(all.size()), comm.size() * count);
        for (int i = 0; i < comm.size() * count; ++i) {
          const int block = i / length;
          const int expected =
              1000000 * (block % comm.size()) + block / comm.size() * length + i % length;
          ASSERT_EQ(all[static_cast<std::size_t>(i)], expected) << way.name << " int " << i;
        }
        check(EP_File_close(&file));
      }
    }
  });
}

TEST(FileAccess, the_individual_pointer) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    set_interleaved_view(file, comm, 2);
    const std::vector<int> mine = numbers(10 * comm.rank(), 6);
    check(EP_File_write(file, mine.data(), 4, MPI_INT, EP_STATUS_IGNORE));
    MPI_Offset position = -1;
    check(EP_File_get_position(file, &position));
    EXPECT_EQ(position, 4);
    check(EP_File_seek(file, -3, EP_SEEK_CUR));
    int one = -1;
    check(EP_File_read(file, &one, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(one, mine[1]);
    MPI_Offset byte = -1;
    check(EP_File_get_byte_offset(file, 3, &byte));
    EXPECT_EQ(byte, (2 * comm.size() + 2 * comm.rank() + 1) * static_cast<int>(sizeof(int)));
    shared.barrier();
    check(EP_File_seek(file, 0, EP_SEEK_END));
    check(EP_File_get_position(file, &position));
    EXPECT_EQ(position, 4);
    EXPECT_EQ(EP_File_seek(file, -5, EP_SEEK_END), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"EP_File_seek", "to -1", "before the beginning"}));
    EXPECT_EQ(EP_File_seek(file, 0, 99), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"whence 99"}));
    EXPECT_EQ(EP_File_get_byte_offset(file, -1, &byte), EP_ERR_ARG);
    MPI_Aint extent = 0;
    check(EP_File_get_type_extent(file, MPI_DOUBLE, &extent));
    EXPECT_EQ(extent, 8);
    check(EP_File_close(&file));
  });
}

TEST(FileAccess, views_are_given_back) {
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    MPI_Offset disp = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    std::array<char, EP_MAX_DATAREP_STRING> name{};
    check(EP_File_get_view(file, &disp, &etype, &filetype, name.data()));
    EXPECT_EQ(disp, 0);
    EXPECT_EQ(etype, MPI_BYTE);
    EXPECT_EQ(filetype, MPI_BYTE);
    EXPECT_STREQ(name.data(), "native");
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_SHORT, &vector);
    MPI_Type_commit(&vector);
    check(EP_File_set_view(file, 6 + comm.rank(), MPI_SHORT, vector, "internal", MPI_INFO_NULL));
    MPI_Type_free(&vector);
    check(EP_File_get_view(file, &disp, &etype, &filetype, name.data()));
    EXPECT_EQ(disp, 6 + comm.rank());
    EXPECT_EQ(etype, MPI_SHORT);
    EXPECT_STREQ(name.data(), "internal");
    int size = 0;
    MPI_Type_size(filetype, &size);
    EXPECT_EQ(size, 4);
    MPI_Type_free(&filetype);
    check(EP_File_close(&file));
  });
}

TEST(FileAccess, of_a_collective_write_the_highest_rank_stays) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    // Rank r writes [1000 r, 1000 r + 2500): up to three meet.
    const std::vector<unsigned char> mine(2500, static_cast<unsigned char>(1 + comm.rank()));
    EP_Status status{};
    check(EP_File_write_at_all(file, 1000 * comm.rank(), mine.data(), 2500, MPI_BYTE, &status));
    EXPECT_EQ(count_of(status, MPI_BYTE), 2500);
    const std::vector<unsigned char> all = shared.bytes();
    ASSERT_EQ(all.size(), 1000U * 3 + 2500);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto expected = std::min<std::size_t>(i / 1000, 3) + 1;
      ASSERT_EQ(all[i], expected) << i;
    }
    std::vector<unsigned char> back(2500);
    check(EP_File_read_at_all(file, 1000 * comm.rank(), back.data(), 2500, MPI_BYTE, &status));
    EXPECT_TRUE(std::equal(back.begin(), back.end(), all.begin() + 1000 * comm.rank()));
    check(EP_File_close(&file));
  });
}

TEST(FileAccess, beyond_two_gigabytes) {
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open(EP_MODE_RDWR | EP_MODE_CREATE | EP_MODE_DELETE_ON_CLOSE);
    const MPI_Offset far = (MPI_Offset{7} << 30) + 5;
    check(EP_File_set_view(file, far, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    const std::vector<int> mine = numbers(100 * comm.rank(), 100);
    const MPI_Offset offset = (MPI_Offset{1} << 29) + 100 * comm.rank();
    check(EP_File_write_at_all(file, offset, mine.data(), 100, MPI_INT, EP_STATUS_IGNORE));
    MPI_Offset size = 0;
    check(EP_File_get_size(file, &size));
    EXPECT_EQ(size, far + 4 * ((MPI_Offset{1} << 29) + 200));
    std::vector<int> back(200);
    check(EP_File_read_at(file, MPI_Offset{1} << 29, back.data(), 200, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(back, numbers(0, 200));
    check(EP_File_close(&file));
  });
}

TEST(FileAccess, external32_is_big_endian) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    const std::vector<int> mine = numbers(0x01020300 + 10 * comm.rank(), 10);
    check(EP_File_write_at_all(file, 10 * comm.rank(), mine.data(), 10, MPI_INT, EP_STATUS_IGNORE));
    const std::vector<unsigned char> bytes = shared.bytes();
    ASSERT_EQ(bytes.size(), 40U * endpoints);
    EXPECT_EQ(bytes[0], 1);
    EXPECT_EQ(bytes[43], 10);
    std::vector<int> back(20, -1);
    EP_Status status{};
    const bool last = comm.rank() == comm.size() - 1;
    check(EP_File_read_at_all(file, 10 * comm.rank(), back.data(), 20, MPI_INT, &status));
    EXPECT_EQ(count_of(status, MPI_INT), last ? 10 : 20);
    EXPECT_TRUE(std::equal(mine.begin(), mine.end(), back.begin()));
    std::fill(back.begin(), back.end(), -1);
    check(EP_File_read_at(file, 10 * comm.rank(), back.data(), 10, MPI_INT, &status));
    EXPECT_TRUE(std::equal(mine.begin(), mine.end(), back.begin()));
    long n = 0;
    EXPECT_EQ(EP_File_write_at(file, 0, &n, 1, MPI_LONG, &status), EP_ERR_UNSUPPORTED_DATAREP);
    check(EP_File_close(&file));
  });
}

// Types whose bytes are turned by our own kernels, and one that MPI converts.
TEST(FileAccess, external32_of_every_width) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const auto moves = [&](MPI_Datatype type, int width, int count) {
      const SharedFile shared(comm);
      EP_File file = shared.open();
      check(EP_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
      std::vector<unsigned char> mine(static_cast<std::size_t>(width * count));
      for (std::size_t b = 0; b < mine.size(); ++b) {
        mine[b] = static_cast<unsigned char>(7 * b + static_cast<std::size_t>(comm.rank()));
      }
      const MPI_Offset here = static_cast<MPI_Offset>(mine.size()) * comm.rank();
      check(EP_File_write_at_all(file, here, mine.data(), count, type, EP_STATUS_IGNORE));
      const std::vector<unsigned char> bytes = shared.bytes();
      ASSERT_EQ(bytes.size(), mine.size() * endpoints);
      for (std::size_t b = 0; b < mine.size(); ++b) {
        const auto w = static_cast<std::size_t>(width);
        ASSERT_EQ(bytes[static_cast<std::size_t>(here) + b], mine[b / w * w + w - 1 - b % w]) << b;
      }
      std::vector<unsigned char> back(mine.size());
      check(EP_File_read_at(file, here, back.data(), count, type, EP_STATUS_IGNORE));
      EXPECT_EQ(back, mine);
      check(EP_File_close(&file));
    };
    for (const int count : {1, 2, 3, 5, 1001}) {
      moves(MPI_CHAR, 1, count);
      moves(MPI_INT16_T, 2, count);
      moves(MPI_FLOAT, 4, count);
      moves(MPI_DOUBLE, 8, count);
      moves(MPI_UNSIGNED_LONG_LONG, 8, count);
    }
  });
}

// Records of two arrays, of which each endpoint sees its rows, through the C++ interface.
TEST(FileAccess, a_view_of_parts_of_arrays) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File made = shared.open();
    check(EP_File_close(&made));
    File file = File::open(comm, shared.name(), EP_MODE_WRONLY);
    const int rank = comm.rank();
    // One int, which the first endpoint has, then an array of 4 x 3 ints, a row for each.
    std::vector<ArrayPart> parts;
    if (rank == 0) parts.push_back({0, 4, {}, {}, {}});
    parts.push_back({4, 4, {endpoints, 3}, {rank, 1}, {1, 2}});
    const Datatype type = type_of_parts(parts, 4 + 4 * 12);
    file.set_view(8, type.get());
    std::vector<int> values;
    for (int record = 0; record < 2; ++record) {
      if (rank == 0) values.push_back(1000 + record);
      values.insert(values.end(), {100 * record + 10 * rank + 1, 100 * record + 10 * rank + 2});
    }
    // The second half by its place.
    const int half = static_cast<int>(values.size()) / 2;
    file.write(values.data(), half, MPI_INT);
    file.seek(4 * half);
    file.write(values.data() + half, half, MPI_INT);
    file.sync();
    file.close();
    check(EP_Barrier(comm.get()));
    const std::vector<unsigned char> bytes = shared.bytes();
    std::vector<int> all((bytes.size() - 8) / 4);
    std::memcpy(all.data(), bytes.data() + 8, 4 * all.size());
    ASSERT_EQ(all.size(), 26U);
    for (int record = 0; record < 2; ++record) {
      const std::size_t begin = static_cast<std::size_t>(record) * 13;
      EXPECT_EQ(all[begin], 1000 + record);
      for (int row = 0; row < endpoints; ++row) {
        const std::size_t at = begin + 1 + static_cast<std::size_t>(row) * 3;
        EXPECT_EQ(all[at], 0);
        EXPECT_EQ(all[at + 1], 100 * record + 10 * row + 1);
        EXPECT_EQ(all[at + 2], 100 * record + 10 * row + 2);
      }
    }
  });
}

TEST(FileAccess, representations_can_be_named) {
  const std::string name = "plain";
  EXPECT_EQ(EP_Register_datarep(name.c_str(), EP_CONVERSION_FN_NULL, EP_CONVERSION_FN_NULL, nullptr,
                                nullptr),
            EP_SUCCESS);
  EXPECT_EQ(EP_Register_datarep(name.c_str(), EP_CONVERSION_FN_NULL, EP_CONVERSION_FN_NULL, nullptr,
                                nullptr),
            EP_ERR_DUP_DATAREP);
  const auto convert = [](void*, MPI_Datatype, int, void*, MPI_Offset, void*) { return 0; };
  EXPECT_EQ(EP_Register_datarep("swapped", convert, nullptr, nullptr, nullptr), EP_ERR_CONVERSION);
  EXPECT_TRUE(last_error_says({"'swapped'", "not supported"}));
  EXPECT_EQ(EP_Register_datarep("", nullptr, nullptr, nullptr, nullptr), EP_ERR_ARG);
  run_endpoints(2, [&](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "plain", MPI_INFO_NULL));
    check(EP_File_close(&file));
  });
}

TEST(FileSplit, one_at_a_time_and_ends_of_its_kind) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    int n = comm.rank();
    EXPECT_EQ(EP_File_write_all_end(file, &n, EP_STATUS_IGNORE), EP_ERR_OTHER);
    EXPECT_TRUE(last_error_says({"EP_File_write_all_end", "without its begin"}));
    check(EP_File_write_at_all_begin(file, 4 * comm.rank(), &n, 1, MPI_INT));
    EXPECT_EQ(EP_File_write_all_begin(file, &n, 1, MPI_INT), EP_ERR_OTHER);
    EXPECT_TRUE(last_error_says({"one split access at a time"}));
    EXPECT_EQ(EP_File_write_all_end(file, &n, EP_STATUS_IGNORE), EP_ERR_OTHER);
    EXPECT_TRUE(last_error_says({"another split access"}));
    EXPECT_EQ(EP_File_close(&file), EP_ERR_OTHER);
    EXPECT_TRUE(last_error_says({"EP_File_write_at_all_begin was called"}));
    ASSERT_NE(file, EP_FILE_NULL);
    EXPECT_EQ(EP_File_write_all(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_OTHER);
    EP_Status status{};
    check(EP_File_write_at_all_end(file, &n, &status));
    EXPECT_EQ(count_of(status, MPI_INT), 1);
    EXPECT_EQ(ints_of(shared), numbers(0, comm.size()));
    check(EP_File_close(&file));
  });
}

// Two collective accesses in flight, waited for in the other order.
TEST(FileRequests, several_may_be_under_way) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    const int size = comm.size();
    const std::vector<int> mine = numbers(10 * comm.rank(), 20);
    std::array<EP_Request, 2> requests{};
    check(EP_File_iwrite_at_all(file, 40 * comm.rank(), mine.data(), 10, MPI_INT, &requests[0]));
    check(EP_File_iwrite_at_all(file, 40 * (size + comm.rank()), mine.data(), 10, MPI_INT,
                                &requests[1]));
    std::array<EP_Status, 2> statuses{};
    check(EP_Wait(&requests[1], &statuses[1]));
    check(EP_Wait(&requests[0], statuses.data()));
    EXPECT_EQ(count_of(statuses[0], MPI_INT), 10);
    std::vector<int> expected = numbers(0, 10 * size);
    expected.insert(expected.end(), expected.begin(), expected.begin() + 10 * size);
    EXPECT_EQ(ints_of(shared), expected);
    check(EP_File_close(&file));
  });
}

// Long strided writes of all to the same bytes, at once: each is one step.
TEST(FileAtomic, accesses_are_never_mixed) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_atomicity(file, 1));
    int flag = 0;
    check(EP_File_get_atomicity(file, &flag));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(EP_File_set_atomicity(file, comm.rank() % 2), EP_ERR_NOT_SAME);
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Type_vector(500, 1, 700, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    check(EP_File_set_view(file, 0, MPI_INT, strided, "native", MPI_INFO_NULL));
    for (int i = 0; i < 5; ++i) {
      const std::vector<int> mine(500, comm.rank() + 1);
      check(EP_File_write_at(file, 0, mine.data(), 500, MPI_INT, EP_STATUS_IGNORE));
      std::vector<int> seen(500);
      check(EP_File_read_at(file, 0, seen.data(), 500, MPI_INT, EP_STATUS_IGNORE));
      EXPECT_EQ(std::count(seen.begin(), seen.end(), seen[0]), 500);
      EXPECT_NE(seen[0], 0);
      check(EP_File_write_at_all(file, 0, mine.data(), 500, MPI_INT, EP_STATUS_IGNORE));
    }
    MPI_Type_free(&strided);
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_test
