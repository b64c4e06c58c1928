#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "windows/window_layouts.hpp"

namespace ep::test::attached_memory_test {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A dynamic window in which everyone attaches regions of `memory`; errors are returned.
class Regions {
 public:
  explicit Regions(const Comm& comm) : comm_(comm.get()), addresses_(at(comm.size())) {
    check(EP_Win_create_dynamic(MPI_INFO_NULL, comm_, &win_));
    check(EP_Win_set_errhandler(win_, EP_ERRORS_RETURN));
    const auto mine = reinterpret_cast<MPI_Aint>(memory.data());
    check(EP_Allgather(&mine, 1, MPI_AINT, addresses_.data(), 1, MPI_AINT, comm_));
  }
  Regions(const Regions&) = delete;
  Regions(Regions&&) = delete;
  Regions& operator=(const Regions&) = delete;
  Regions& operator=(Regions&&) = delete;
  ~Regions() { EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS) << EP_Last_error(); }

  /// Words [first, first + count).
  int attach(int first, int count) {
    return EP_Win_attach(win_, &memory[at(first)], count * static_cast<MPI_Aint>(sizeof(long)));
  }
  int detach(int first) { return EP_Win_detach(win_, &memory[at(first)]); }
  [[nodiscard]] EP_Win get() const { return win_; }
  [[nodiscard]] MPI_Aint word(int rank, int i) const {
    return addresses_[at(rank)] + i * static_cast<MPI_Aint>(sizeof(long));
  }

  std::array<long, 16> memory{};

 private:
  EP_Comm comm_;
  EP_Win win_ = EP_WIN_NULL;
  std::vector<MPI_Aint> addresses_;
};

/// Adds `data` to `rank`'s words from `first` on, to the end.
int add(const Regions& regions, int rank, int first, const std::vector<long>& data) {
  const auto count = static_cast<int>(data.size());
  const int code = EP_Accumulate(data.data(), count, MPI_LONG, rank, regions.word(rank, first),
                                 count, MPI_LONG, MPI_SUM, regions.get());
  return code != EP_SUCCESS ? code : EP_Win_flush(rank, regions.get());
}

class AttachedMemory : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, AttachedMemory, testing::Values(1, 2, 5));

TEST_P(AttachedMemory, regions_side_by_side_are_accessed_as_one) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    Regions regions(comm);
    // Four regions without gaps, in no order; word 11 is not attached.
    for (const auto& [first, count] : {std::pair{5, 2}, {0, 3}, {7, 4}, {3, 2}, {12, 4}}) {
      check(regions.attach(first, count));
    }
    check(EP_Barrier(comm.get()));
    const int next = (comm.rank() + 1) % comm.size();
    const EP_Win win = regions.get();
    check(EP_Win_lock(EP_LOCK_EXCLUSIVE, next, 0, win));
    const std::vector<long> ones(11, 1);
    check(EP_Put(ones.data(), 11, MPI_LONG, next, regions.word(next, 0), 11, MPI_LONG, win));
    check(EP_Win_flush(next, win));
    check(add(regions, next, 0, ones));
    check(add(regions, next, 4, {5, 5}));  // over one border
    std::vector<long> before(11, -1);
    check(EP_Get_accumulate(ones.data(), 11, MPI_LONG, before.data(), 11, MPI_LONG, next,
                            regions.word(next, 0), 11, MPI_LONG, MPI_SUM, win));
    check(EP_Win_flush(next, win));
    EXPECT_EQ(before, (std::vector<long>{2, 2, 2, 2, 7, 7, 2, 2, 2, 2, 2}));
    std::vector<long> now(11, -1);
    check(EP_Get(now.data(), 11, MPI_LONG, next, regions.word(next, 0), 11, MPI_LONG, win));
    check(EP_Win_flush(next, win));
    EXPECT_EQ(now, (std::vector<long>{3, 3, 3, 3, 8, 8, 3, 3, 3, 3, 3}));
    // An element of which each region has a half.
    const MPI_Aint between = regions.word(next, 2) + 4;
    const long none = 0;
    long halves = -1;
    check(EP_Fetch_and_op(&none, &halves, MPI_LONG, next, between, MPI_SUM, win));
    check(EP_Win_flush(next, win));
    const std::array<long, 2> both{3, 3};
    long expected = 0;
    std::memcpy(&expected, reinterpret_cast<const std::byte*>(both.data()) + 4, sizeof expected);
    EXPECT_EQ(halves, expected);
    check(EP_Win_unlock(next, win));
    check(EP_Barrier(comm.get()));
    for (const int first : {0, 3, 5, 7, 12}) check(regions.detach(first));
  });
}

TEST_P(AttachedMemory, gaps_are_found_wherever_they_are) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    Regions regions(comm);
    for (const auto& [first, count] : {std::pair{2, 3}, {5, 2}, {8, 4}}) {
      check(regions.attach(first, count));
    }
    check(EP_Barrier(comm.get()));
    const int next = (comm.rank() + 1) % comm.size();
    check(EP_Win_lock(EP_LOCK_SHARED, next, 0, regions.get()));
    for (const auto& [first, count] :
         {std::pair{1, 2}, {0, 2}, {2, 6}, {6, 2}, {7, 1}, {5, 8}, {11, 2}, {12, 1}, {2, 14}}) {
      EXPECT_EQ(add(regions, next, first, std::vector<long>(at(count), 1)), EP_ERR_RMA_RANGE)
          << first << ", " << count;
      EXPECT_TRUE(says("not attached there. Attach them first?"));
    }
    check(add(regions, next, 2, std::vector<long>(5, 0)));
    check(EP_Win_unlock(next, regions.get()));
    check(EP_Barrier(comm.get()));
    for (const long word : regions.memory) EXPECT_EQ(word, 0);
    // What was side by side no longer is.
    check(regions.detach(5));
    check(EP_Barrier(comm.get()));
    check(EP_Win_lock(EP_LOCK_SHARED, next, 0, regions.get()));
    EXPECT_EQ(add(regions, next, 4, {1, 1}), EP_ERR_RMA_RANGE);
    check(add(regions, next, 4, {0}));
    check(EP_Win_unlock(next, regions.get()));
    check(EP_Barrier(comm.get()));
    check(regions.detach(2));
    check(regions.detach(8));
  });
}

TEST_P(AttachedMemory, of_no_bytes_is_in_nobodys_way) {
  run_endpoints(std::max(GetParam(), processes()), [](const Comm& comm) {
    Regions regions(comm);
    check(EP_Win_attach(regions.get(), nullptr, 0));
    check(regions.attach(2, 0));
    check(regions.attach(2, 0));
    check(regions.attach(0, 4));
    check(regions.attach(4, 2));
    check(regions.attach(3, 0));
    check(regions.attach(4, 0));
    EXPECT_EQ(regions.attach(3, 1), EP_ERR_RMA_ATTACH);
    EXPECT_EQ(regions.attach(5, 4), EP_ERR_RMA_ATTACH);
    EXPECT_EQ(EP_Win_attach(regions.get(), nullptr, 8), EP_ERR_BASE);
    check(EP_Barrier(comm.get()));
    const int next = (comm.rank() + 1) % comm.size();
    check(EP_Win_lock(EP_LOCK_EXCLUSIVE, next, 0, regions.get()));
    check(add(regions, next, 2, {1, 1, 1}));
    check(EP_Win_unlock(next, regions.get()));
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(regions.memory[3], 1);
    for (const int first : {0, 2, 4, 4, 3, 2}) check(regions.detach(first));
    for (const int first : {0, 2, 3, 4}) EXPECT_EQ(regions.detach(first), EP_ERR_RMA_ATTACH);
    check(EP_Win_detach(regions.get(), nullptr));
  });
}

/// Datatypes of no bytes, beside the predefined ones with a count of 0.
class EmptyTypes {
 public:
  EmptyTypes() {
    EXPECT_EQ(MPI_Type_contiguous(0, MPI_LONG, &none_), MPI_SUCCESS);
    const std::array<int, 2> lengths{0, 0};
    const std::array<int, 2> places{3, 70};
    EXPECT_EQ(MPI_Type_indexed(2, lengths.data(), places.data(), MPI_DOUBLE, &blocks_),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_commit(&none_), MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_commit(&blocks_), MPI_SUCCESS);
  }
  EmptyTypes(const EmptyTypes&) = delete;
  EmptyTypes(EmptyTypes&&) = delete;
  EmptyTypes& operator=(const EmptyTypes&) = delete;
  EmptyTypes& operator=(EmptyTypes&&) = delete;
  ~EmptyTypes() {
    EXPECT_EQ(MPI_Type_free(&none_), MPI_SUCCESS);
    EXPECT_EQ(MPI_Type_free(&blocks_), MPI_SUCCESS);
  }

  /// Counts and datatypes.
  [[nodiscard]] std::vector<std::pair<int, MPI_Datatype>> all() const {
    return {{0, MPI_LONG}, {0, MPI_BYTE}, {0, MPI_DOUBLE_INT},
            {1, none_},    {3, blocks_},  {0, none_}};
  }

 private:
  MPI_Datatype none_ = MPI_DATATYPE_NULL;
  MPI_Datatype blocks_ = MPI_DATATYPE_NULL;
};

class EmptyAccess : public WindowLayouts {};
INSTANTIATE_TEST_SUITE_P(Layouts, EmptyAccess, testing::ValuesIn(window_layouts()), name_of_layout);

// Nothing is read or written, so it does not matter what, where, or by which operation.
TEST_P(EmptyAccess, is_no_error_anywhere) {
  const auto [kind, endpoints] = GetParam();
  run_endpoints(std::max(endpoints, processes()), [kind = kind](const Comm& comm) {
    const TestWindow window(kind, comm, 2);
    const EmptyTypes types;
    const EP_Win win = window.get();
    check(EP_Win_lock_all(0, win));
    for (int rank = 0; rank < comm.size(); ++rank) {
      for (const MPI_Aint disp : {window.at(rank, 0), window.at(rank, 2), MPI_Aint{1} << 40,
                                  MPI_Aint{-3}, MPI_Aint{1} << 62}) {
        for (const auto& [n, type] : types.all()) {
          check(EP_Put(nullptr, n, type, rank, disp, n, type, win));
          check(EP_Get(nullptr, n, type, rank, disp, 0, MPI_INT, win));
          for (const MPI_Op op : {MPI_SUM, MPI_REPLACE, MPI_MAXLOC, MPI_BAND, MPI_NO_OP}) {
            if (op != MPI_NO_OP) {
              check(EP_Accumulate(nullptr, n, type, rank, disp, 0, MPI_LONG, op, win));
              check(EP_Accumulate(nullptr, 0, MPI_INT, rank, disp, n, type, op, win));
            }
            check(EP_Get_accumulate(nullptr, n, type, nullptr, n, type, rank, disp, n, type, op,
                                    win));
            EP_Request request = EP_REQUEST_NULL;
            check(EP_Rget_accumulate(nullptr, n, type, nullptr, 0, MPI_INT, rank, disp, n, type, op,
                                     win, &request));
            check(EP_Wait(&request, EP_STATUS_IGNORE));
          }
          EP_Request request = EP_REQUEST_NULL;
          check(EP_Rput(nullptr, n, type, rank, disp, n, type, win, &request));
          check(EP_Wait(&request, EP_STATUS_IGNORE));
        }
      }
      // What no program may accumulate with is still refused, and so is data without a place.
      const long one = 1;
      EXPECT_EQ(EP_Accumulate(&one, 0, MPI_LONG, rank, 0, 0, MPI_LONG, MPI_OP_NULL, win),
                EP_ERR_OP);
      EXPECT_EQ(EP_Accumulate(&one, 1, MPI_LONG, rank, 0, 0, MPI_LONG, MPI_SUM, win),
                EP_ERR_TRUNCATE);
    }
    check(EP_Win_unlock_all(win));
    check(EP_Barrier(comm.get()));
    EXPECT_EQ(window.word(0), 0);
    EXPECT_EQ(window.word(1), 0);
  });
}

}  // namespace
}  // namespace ep::test::attached_memory_test
