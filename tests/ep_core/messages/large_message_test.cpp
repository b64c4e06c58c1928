// Messages beyond 2 GiB, whose bytes no int counts. What is sent stays untouched but for samples,
// so that memory is that of the receiver only.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "layouts.hpp"

namespace ep::test {
namespace {

constexpr std::int64_t block = std::int64_t{1} << 20;
constexpr int blocks = 2051;  // 3 MiB beyond 2 GiB
constexpr std::int64_t bytes = block * blocks;
static_assert(bytes > INT32_MAX);

/// Zeros. Between processes with memory at once: MPI copies five times slower into and out of
/// pages that are not.
class Zeros {
 public:
  explicit Zeros(std::int64_t size)
      : size_(static_cast<std::size_t>(size)),
        data_(mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | (processes() > 1 ? MAP_POPULATE : 0), -1, 0)) {
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  Zeros(const Zeros&) = delete;
  Zeros(Zeros&&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  Zeros& operator=(Zeros&&) = delete;
  ~Zeros() { munmap(data_, size_); }

  std::uint8_t* data() const { return static_cast<std::uint8_t*>(data_); }
  std::uint8_t& operator[](std::int64_t i) const { return data()[i]; }

 private:
  std::size_t size_;
  void* data_;
};

/// Both ends, around the bound of an int, and between.
std::vector<std::int64_t> samples() {
  std::vector<std::int64_t> out{0,
                                1,
                                bytes - 1,
                                (std::int64_t{1} << 31) - 1,
                                std::int64_t{1} << 31,
                                (std::int64_t{1} << 30),
                                block - 1,
                                bytes - block};
  for (std::int64_t i = 12'345; i < bytes; i += 97 * block + 11) out.push_back(i);
  return out;
}

std::uint8_t sample(std::int64_t at) { return static_cast<std::uint8_t>(1 + at % 251); }

void write_samples(const Zeros& data) {
  for (const std::int64_t i : samples()) data[i] = sample(i);
}

void expect_samples(const Zeros& data) {
  for (const std::int64_t i : samples()) ASSERT_EQ(data[i], sample(i)) << i;
  for (std::int64_t i = 55'555; i < bytes; i += 101 * block) ASSERT_EQ(data[i], 0) << i;
}

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
}  // namespace ep::test
