// Contexts on communicators that are parts of a component, several at a time: halves of it that do
// not know of each other, one that overlaps both, one on all, and each process by itself.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "shared_scratch.hpp"

namespace epios::client::sub_contexts_test {
namespace {

constexpr std::int64_t points = 7;

std::string context_xml(const std::string& id) {
  return "<context id=\"" + id +
         "\"><calendar type=\"NoLeap\" timestep=\"1h\" start_date=\"2000-01-01\"/>"
         "<axis_definition><axis id=\"a\" n_glo=\"7\"/></axis_definition>"
         "<field_definition><field id=\"f\" axis_ref=\"a\" operation=\"instant\" prec=\"8\"/>"
         "</field_definition><file_definition><file id=\"out\" output_freq=\"1h\">"
         "<field field_ref=\"f\"/></file></file_definition></context>";
}

double value_of(std::int64_t step, std::int64_t point, int mark) {
  return 100.0 * static_cast<double>(step) + static_cast<double>(point) + 1000.0 * mark;
}

/// One context on some clients, which have points of its axis in the order of their ranks.
class Part {
 public:
  Part(Context context, const std::vector<int>& members, int rank, const std::string& file,
       int mark)
      : context_(std::move(context)), mark_(mark) {
    const auto size = static_cast<std::int64_t>(members.size());
    const auto place = std::find(members.begin(), members.end(), rank) - members.begin();
    first_ = points * place / size;
    count_ = points * (place + 1) / size - first_;
    context_.set("axis", "a", "begin", first_);
    context_.set("axis", "a", "n", count_);
    context_.set("file", "out", "name", file);
    context_.close_definition();
  }
  void take_step(std::int64_t step) {
    std::vector<double> data;
    for (std::int64_t p = first_; p < first_ + count_; ++p)
      data.push_back(value_of(step, p, mark_));
    context_.update_calendar(step);
    context_.send("f", data);
  }
  void finalize() { context_.finalize(); }

 private:
  Context context_;
  int mark_;
  std::int64_t first_ = 0, count_ = 0;
};

void expect_values(const std::string& file, std::int64_t steps, int mark) {
  std::vector<double> expected;
  for (std::int64_t step = 1; step <= steps; ++step) {
    for (std::int64_t p = 0; p < points; ++p) expected.push_back(value_of(step, p, mark));
  }
  EXPECT_EQ(toy::NetcdfFile(file + ".nc").values("f"), expected) << file;
}

struct Place {
  int rank = 0, size = 0;
};

std::vector<int> half(int parity, int size) {
  std::vector<int> out;
  for (int r = parity; r < size; r += 2) out.push_back(r);
  return out;
}

std::vector<int> up_to(int size) {
  std::vector<int> out;
  for (int r = 0; r < size; ++r) out.push_back(r);
  return out;
}

void run(Client& client, MPI_Comm component, const Place& own) {
  const int parity = own.rank % 2;
  MPI_Comm half_comm = MPI_COMM_NULL;  // its ranks are in another order than the component's
  ASSERT_EQ(MPI_Comm_split(component, parity, -own.rank, &half_comm), MPI_SUCCESS);
  Part whole(client.open_context("whole"), up_to(own.size), own.rank, "whole", 0);
  {
    // Contexts of one id, on clients of their own, of which one has fewer steps.
    Part part(client.open_context("part", half_comm), half(parity, own.size), own.rank,
              parity == 0 ? "even" : "odd", 1 + parity);
    const std::vector<int> front = up_to(std::max(1, own.size - 1));
    std::vector<int> in_any_order(front.rbegin(), front.rend());
    const bool is_in_front = own.rank < static_cast<int>(front.size());
    std::vector<Part> overlapping;
    if (is_in_front) {
      overlapping.emplace_back(client.open_context("front", in_any_order), front, own.rank, "front",
                               3);
    }
    for (std::int64_t step = 1; step <= 2; ++step) {
      whole.take_step(step);
      if (step == 1 || parity == 0) part.take_step(step);
      for (Part& its : overlapping) its.take_step(step);
    }
    part.finalize();
    for (Part& its : overlapping) its.finalize();
  }
  // The id is free again, here on each process by itself.
  Part alone(client.open_context("part", MPI_COMM_SELF), {own.rank}, own.rank,
             "alone_" + std::to_string(own.rank), 4 + own.rank);
  whole.take_step(3);
  alone.take_step(1);
  alone.finalize();
  whole.finalize();
  MPI_Comm_free(&half_comm);
}

TEST(SubContexts, OfAnyPartsOfAComponentWriteTheirFiles) {
  Place own;
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.size);
  const SharedScratch scratch("<simulation>" + context_xml("whole") + context_xml("part") +
                              context_xml("front") + "</simulation>");
  Session session("model");
  Client client(session);
  run(client, session.comm(), own);
  client.close();
  session.close();
  MPI_Barrier(MPI_COMM_WORLD);
  if (own.rank == 0) {
    expect_values("whole", 3, 0);
    expect_values("even", 2, 1);
    if (own.size > 1) expect_values("odd", 1, 2);
    expect_values("front", 2, 3);
    for (int r = 0; r < own.size; ++r) expect_values("alone_" + std::to_string(r), 1, 4 + r);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // the folder is there until it has been looked at
}

}  // namespace
}  // namespace epios::client::sub_contexts_test
