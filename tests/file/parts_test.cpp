// The parts behind a file: chunks, ledger, file thread.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <tuple>
#include <vector>

#include "chunks/chunk_grid.hpp"
#include "contract/record_ledger.hpp"
#include "file/file_thread.hpp"

namespace epios::io::test::parts_test {
namespace {

using Piece = std::tuple<std::int64_t, std::int64_t, std::size_t>;  // chunk, offset, bytes

std::vector<Piece> runs(const ChunkGrid& grid, std::int64_t record, const Box& box) {
  const std::vector<std::byte> data(static_cast<std::size_t>(box.volume() * grid.value_bytes()));
  std::vector<Piece> out;
  grid.cut(record, box, data,
           [&](std::int64_t chunk, std::int64_t offset, std::span<const std::byte> bytes) {
             out.emplace_back(chunk, offset, bytes.size());
           });
  return out;
}

TEST(ChunkGrid, whole_rows_of_chunks_are_single_runs) {
  const ChunkGrid grid({6, 4}, {2, 4}, 1, 8);
  EXPECT_EQ(grid.chunks_per_row(), 3);
  EXPECT_EQ(runs(grid, 0, whole({6, 4})), (std::vector<Piece>{{0, 0, 64}, {1, 0, 64}, {2, 0, 64}}));
  EXPECT_EQ(runs(grid, 2, {{2, 0}, {3, 4}}), (std::vector<Piece>{{7, 0, 64}, {8, 0, 32}}));
}

TEST(ChunkGrid, chunks_cut_in_fast_dimensions_are_assembled) {
  const ChunkGrid grid({2, 6}, {2, 3}, 1, 4);
  EXPECT_EQ(runs(grid, 0, whole({2, 6})), (std::vector<Piece>{{0, 0, 24}, {1, 0, 24}}));
  // A part of a chunk goes row by row.
  EXPECT_EQ(runs(grid, 0, {{0, 1}, {2, 2}}), (std::vector<Piece>{{0, 4, 8}, {0, 16, 8}}));
}

TEST(ChunkGrid, the_padding_of_edge_chunks_is_theirs) {
  const ChunkGrid grid({3, 3}, {2, 2}, 1, 1);
  EXPECT_EQ(runs(grid, 0, whole({3, 3})),
            (std::vector<Piece>{{0, 0, 4}, {1, 0, 4}, {2, 0, 2}, {3, 0, 1}}));
}

TEST(ChunkGrid, short_records_share_chunks) {
  const ChunkGrid grid({}, {}, 512, 8);
  EXPECT_EQ(grid.rows(0), 0);
  EXPECT_EQ(grid.rows(512), 1);
  EXPECT_EQ(grid.rows(513), 2);
  EXPECT_EQ(runs(grid, 513, {}), (std::vector<Piece>{{1, 8, 8}}));
}

TEST(ChunkGrid, an_empty_box_writes_nothing) {
  const ChunkGrid grid({3}, {3}, 1, 4);
  EXPECT_TRUE(runs(grid, 0, {{0}, {0}}).empty());
}

TEST(RecordLedger, complete_from_the_start_and_gaps) {
  const Agreement alone(nullptr);
  RecordLedger ledger({{4, false}, {1, false}});
  ledger.note(0, 0, 4);
  ledger.note(0, 1, 3);
  ledger.note(0, 2, 4);
  ledger.note(1, 1, 1);
  auto gaps = ledger.settle(alone, 3);
  ASSERT_EQ(gaps.size(), 3U);
  EXPECT_EQ(gaps[0].record, 1);
  EXPECT_EQ(gaps[0].written, 3);
  EXPECT_EQ(gaps[0].points, 4);
  EXPECT_TRUE(gaps[0].is_passed) << "record 2 is complete";
  EXPECT_EQ(gaps[1].variable, 1U);
  EXPECT_EQ(gaps[1].record, 0);
  EXPECT_EQ(gaps[2].record, 2);
  EXPECT_TRUE(gaps[1].is_passed);
  EXPECT_FALSE(gaps[2].is_passed);
  EXPECT_EQ(ledger.complete(0), 1);
  EXPECT_EQ(ledger.complete(1), 0);
  ledger.note(0, 1, 1);
  ledger.note(1, 0, 1);
  ledger.note(1, 2, 1);
  EXPECT_TRUE(ledger.settle(alone, 3).empty());
  EXPECT_EQ(journal_text({"a", "b c"}, ledger), "epios records 1\n3 a\n3 b c\n");
}

TEST(RecordLedger, what_is_written_once_has_one_record) {
  const Agreement alone(nullptr);
  RecordLedger ledger({{2, true}, {1, false}});
  auto gaps = ledger.settle(alone, 0);
  ASSERT_EQ(gaps.size(), 1U) << "it is due whatever the number of records";
  EXPECT_EQ(gaps[0].record, 0);
  ledger.note(0, 0, 2);
  ledger.note(1, 0, 1);
  EXPECT_TRUE(ledger.settle(alone, 1).empty());
  EXPECT_EQ(ledger.settle(alone, 3).size(), 2U);
  EXPECT_EQ(journal_text({"mask", "t"}, ledger), "epios records 1\n1 mask\n1 t\n");
}

TEST(FileThread, runs_jobs_in_order_and_rings_after_each) {
  std::vector<int> order;
  std::atomic<int> rings = 0;
  std::promise<void> gate;
  {
    FileThread thread([&] { ++rings; });
    std::thread::id id;
    thread.submit([&] {
      gate.get_future().wait();
      id = std::this_thread::get_id();
    });
    for (int job = 0; job < 100; ++job) {
      thread.submit([&order, job] { order.push_back(job); });
    }
    EXPECT_EQ(thread.pending(), 101);
    gate.set_value();
    std::promise<void> last;
    thread.submit([&] {
      EXPECT_EQ(id, std::this_thread::get_id());
      EXPECT_NE(id, std::thread::id());
      last.set_value();
    });
    last.get_future().wait();
    thread.submit([&order] { order.push_back(100); });
  }
  EXPECT_EQ(order.size(), 101U);
  for (int job = 0; job <= 100; ++job) EXPECT_EQ(order[static_cast<std::size_t>(job)], job);
  EXPECT_EQ(rings, 103);
}

// Servers of one process write in turn: who waits for the other is not busy.
TEST(FileThread, does_not_count_the_turns_of_others) {
  double others_s = 0;
  std::promise<void> begun;
  FileThread other([] {});
  FileThread thread([] {});
  other.submit([&] {
    begun.set_value();
    const auto start = std::chrono::steady_clock::now();
    while (thread.pending() == 0) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    others_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  begun.get_future().wait();
  std::promise<void> done;
  thread.submit([&] { done.set_value(); });
  done.get_future().wait();
  while (thread.pending() > 0) std::this_thread::yield();
  EXPECT_LT(thread.busy_s(), others_s / 2);
}

TEST(FileThread, a_finished_job_is_not_pending_when_it_rings) {
  std::promise<int> pending;
  FileThread* self = nullptr;
  FileThread thread([&] { pending.set_value(self->pending()); });
  self = &thread;
  thread.submit([] {});
  EXPECT_EQ(pending.get_future().get(), 0);
}

}  // namespace
}  // namespace epios::io::test::parts_test
