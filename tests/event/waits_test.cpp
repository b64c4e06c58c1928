#include "event/waits.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"

namespace epios::io::waits_test {
namespace {

using Kind = Actor::Kind;

/// Processes 0 and 1 have two clients each of 'ocean', 2 one of 'ice', 3 and 4 a server.
ProcessTable sample() {
  ProcessTable out;
  out.components = {"ice", "ocean"};
  out.processes = {{1, 0, 2, -1}, {1, 2, 2, -1}, {0, 0, 1, -1}, {-1, 0, 0, 0}, {-1, 0, 0, 1}};
  return out;
}

Actor ocean(int rank) { return {Kind::client, 1, rank, -1}; }
Actor ice() { return {Kind::client, 0, 0, -1}; }
Actor server(int rank, std::int64_t context = 7) { return {Kind::server, -1, rank, context}; }

std::vector<ProcessWaits> answers(std::vector<std::vector<Wait>> waits) {
  std::vector<ProcessWaits> out;
  for (auto& of_process : waits) out.push_back({true, std::move(of_process)});
  return out;
}

TEST(Waits, come_back) {
  const ProcessWaits wanted{true,
                            {{ocean(2), "room", {server(0), server(1)}, 1.5}, {ice(), "", {}, 0}}};
  const ProcessWaits got = decode_waits(encode(wanted));
  EXPECT_TRUE(got.has_answered);
  ASSERT_EQ(got.waits.size(), 2);
  EXPECT_EQ(got.waits[0].who, ocean(2));
  EXPECT_EQ(got.waits[0].what, "room");
  EXPECT_EQ(got.waits[0].whom, wanted.waits[0].whom);
  EXPECT_EQ(got.waits[0].seconds, 1.5);
  EXPECT_TRUE(got.waits[1].whom.empty());
  std::vector<std::byte> damaged = encode(wanted);
  damaged[8] = std::byte{3};  // the kind of an actor
  EXPECT_THROW(decode_waits(damaged), Error);
  EXPECT_THROW(decode_waits(std::span(damaged).first(20)), Error);
}

TEST(Waits, of_several_for_the_same_are_one_line_the_longest_first) {
  const std::string room = "room for field 'tos'";
  const auto job = answers({{{ocean(0), room, {server(0)}, 3}, {ocean(1), room, {server(0)}, 5}},
                            {{ocean(2), room, {server(0)}, 4}},
                            {},
                            {{server(0), "event 3", {ocean(3), ice()}, 9}},
                            {}});
  EXPECT_EQ(
      waits_text(sample(), job, "client 1 of 'ocean' has waited for 5.0 s"),
      "epios: waiting: client 1 of 'ocean' has waited for 5.0 s; who waits for whom in this job:\n"
      "epios: waiting:   server 0: 9.0 s for client 0 of 'ice', client 3 of 'ocean': event 3\n"
      "epios: waiting:   clients 0-2 of 'ocean': 5.0 s for server 0: room for field 'tos'\n"
      "epios: waiting:   client 0 of 'ice', client 3 of 'ocean': not waiting in EPIOS\n"
      "epios: waiting:   server 1: nothing to do\n");
}

TEST(Waits, who_does_not_answer_is_named) {
  auto job = answers({{}, {}, {}, {{server(0), "event 3", {ocean(2)}, 9}}, {}});
  job[1] = {};
  job[4] = {};
  const std::string text = waits_text(sample(), job, "why");
  EXPECT_NE(text.find("clients 2, 3 of 'ocean', server 1: no answer: busy, or waiting outside of "
                      "EPIOS, or stopped\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("circle"), std::string::npos);
}

TEST(Waits, servers_of_a_component_say_whose_they_are) {
  ProcessTable process_table = sample();
  process_table.is_attached = true;
  EXPECT_EQ(process_table.name(process_table.server(1, 2)), "server 2 of 'ocean'");
  EXPECT_EQ(sample().name(sample().server(1, 2)), "server 2");
}

TEST(Waits, a_circle_is_found_and_told) {
  // Both clients send two contexts, in different orders.
  const auto job =
      answers({{{ocean(0), "room", {server(0, 1)}, 3}},
               {{ocean(2), "room", {server(0, 2)}, 3}},
               {{ice(), "room", {server(0, 1)}, 3}},
               {{server(0, 1), "event 3", {ocean(2)}, 3}, {server(0, 2), "event 5", {ocean(0)}, 3}},
               {}});
  const std::vector<Wait> circle = circle_of(job);
  ASSERT_EQ(circle.size(), 4);
  for (std::size_t i = 0; i < circle.size(); ++i) {
    EXPECT_EQ(circle[i].whom.front(), circle[(i + 1) % circle.size()].who);
  }
  const std::string text = waits_text(sample(), job, "why");
  EXPECT_NE(
      text.find("epios: waiting: a circle, which nobody can leave: client 0 of 'ocean' waits "
                "for server 0, which waits for client 2 of 'ocean', which waits for server 0, "
                "which waits for client 0 of 'ocean' again. Do all clients"),
      std::string::npos)
      << text;
}

TEST(Waits, a_circle_through_the_second_wait_of_somebody_is_found) {
  // Server 0 waits twice; the first of these leads nowhere.
  const auto job = answers({{{ocean(0), "room", {server(0)}, 3}},
                            {{ocean(3), "records", {}, 3}},
                            {},
                            {{server(0), "event 3", {ocean(3), ice()}, 3},
                             {server(0), "its file thread", {ocean(0)}, 3}},
                            {}});
  const std::vector<Wait> circle = circle_of(job);
  ASSERT_EQ(circle.size(), 2);
  EXPECT_EQ(circle[0].who, ocean(0));
  EXPECT_EQ(circle[1].what, "its file thread");
}

// A server that waits for one context goes on with others.
TEST(Waits, of_different_contexts_make_no_circle) {
  EXPECT_TRUE(circle_of(answers({{{ocean(0), "room", {server(0, 1)}, 3}},
                                 {},
                                 {},
                                 {{server(0, 2), "event 5", {ocean(0)}, 3}},
                                 {}}))
                  .empty());
}

TEST(Waits, one_of_several_is_enough_for_a_circle) {
  const auto job = answers({{{ocean(0), "the end", {server(0), server(1)}, 3}},
                            {},
                            {},
                            {},
                            {{server(1), "event 5", {ocean(3), ocean(0)}, 3}}});
  EXPECT_EQ(circle_of(job).size(), 2);
}

TEST(Waits, very_many_lines_and_ranks_are_counted) {
  ProcessTable process_table;
  process_table.components = {"ocean"};
  std::vector<ProcessWaits> job;
  for (int p = 0; p < 300; ++p) {
    process_table.processes.push_back({0, p, 1, -1});
    job.push_back({true, {}});
    // Every second one waits, each for another thing; then all for one.
    if (p % 2 == 0) {
      job.back().waits = {
          {{Kind::client, 0, p, -1}, "thing " + std::to_string(p / 2 % 100), {}, 1}};
    }
  }
  std::string text = waits_text(process_table, job, "why");
  EXPECT_NE(text.find("epios: waiting:   and 41 lines more\n"), std::string::npos) << text;
  for (auto& process : job) {
    if (!process.waits.empty()) process.waits.front().what = "thing";
  }
  text = waits_text(process_table, job, "why");
  EXPECT_NE(text.find("clients 0, 2, 4, 6, 8, 10, 12, 14 and 142 more of 'ocean': 1.0 s: thing\n"),
            std::string::npos)
      << text;
}

TEST(WaitsText, who_is_gone_is_named_with_its_place) {
  ProcessTable process_table;
  process_table.components = {"atm", "ocean"};
  process_table.processes = {{1, 0, 2, -1}, {0, 0, 1, -1}, {-1, 0, 0, 0}};
  process_table.nodes = {"n1"};
  process_table.processes[1].pid = 4711;
  process_table.processes[1].node = 0;
  std::vector<ProcessWaits> job(3);
  job[0].has_answered = true;
  job[1].is_gone = true;
  const std::string text = waits_text(process_table, job, "client 0 of 'ocean' has waited");
  EXPECT_NE(
      text.find("client 0 of 'atm': gone: process 1 (PID 4711 on node 'n1') was killed, or has "
                "ended without a word\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("server 0: no answer"), std::string::npos) << text;
}

}  // namespace
}  // namespace epios::io::waits_test
