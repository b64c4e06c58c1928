#include "event/job.hpp"

#include <gtest/gtest.h>

#include <ep/bytes.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::io::job_test {
namespace {

/// Runs with two processes.
int process() { return ep::Comm::from_mpi(MPI_COMM_WORLD).rank(); }

std::string refusal(const JobMember& self, int thread_level, ErrorCode code) {
  try {
    const Job job(MPI_COMM_WORLD, self, thread_level);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "none";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Job, ProcessOfAnotherVersionIsRefused) {
  if (process() == 0) {
    const std::string text = refusal({"model", 1, false}, MPI_THREAD_MULTIPLE, ErrorCode::protocol);
    EXPECT_TRUE(contains(text,
                         "different versions of EPIOS. Are models and epios_server from the "
                         "same installation?"))
        << text;
    return;
  }
  // What a job of another version begins with: bytes of all processes on each.
  const ep::Comm comm = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::ByteWriter writer;
  writer.put(wire_version + 1);
  ep::gather_bytes(comm, 0, writer.take());
  ep::broadcast_bytes(comm, 0, {});
}

TEST(Job, ServersAloneAreRefused) {
  const std::string text = refusal({"", 0, true}, MPI_THREAD_SINGLE, ErrorCode::call_order);
  EXPECT_TRUE(contains(text, "this job has servers but no model")) << text;
}

/// All processes hear of the one whose thread level is too low, and why it needs threads.
TEST(Job, ThreadLevelIsChecked) {
  const int level = process() == 1 ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
  std::string text = refusal({"model", 1, false}, level, ErrorCode::resource);
  EXPECT_TRUE(contains(text,
                       "process 1 needs MPI_THREAD_MULTIPLE (no server was started, so it "
                       "writes its files itself)"))
      << text;
  text = refusal({"model", 1, true}, level, ErrorCode::resource);
  EXPECT_TRUE(contains(text, "process 1 needs MPI_THREAD_MULTIPLE (it has a client and a server)"))
      << text;
  text = refusal({"model", process() == 1 ? 2 : 1, process() == 0}, level, ErrorCode::resource);
  EXPECT_TRUE(contains(text, "process 1 needs MPI_THREAD_MULTIPLE (it has 2 clients)")) << text;
}

/// One process of a component knows what it wants; nobody else is asked.
TEST(Job, AComponentMayAskForServersInItsProcesses) {
  int questions = 0;
  const auto yes = [&] {
    ++questions;
    return true;
  };
  {
    const Job job(MPI_COMM_WORLD, {"model", 2, false, {}, yes}, MPI_THREAD_MULTIPLE);
    EXPECT_EQ(questions, process() == 0 ? 1 : 0);
    EXPECT_FALSE(job.is_attached());
    EXPECT_TRUE(job.serves());
    EXPECT_EQ(job.servers().size(), 2);
    EXPECT_EQ(job.own_process().server, process());
  }
  // One of two components: its server serves both.
  const bool is_ocean = process() == 0;
  const Job job(MPI_COMM_WORLD,
                {is_ocean ? "ocean" : "ice", 1, false, {}, [&] { return is_ocean; }},
                MPI_THREAD_MULTIPLE);
  EXPECT_FALSE(job.is_attached());
  EXPECT_EQ(job.serves(), is_ocean);
  EXPECT_EQ(job.components().size(), is_ocean ? 2U : 1U);
}

TEST(Job, WhatAComponentCannotSayIsNo) {
  const auto fails = []() -> bool { throw Error(ErrorCode::configuration, "no XML"); };
  const Job job(MPI_COMM_WORLD, {"model", 1, false, {}, fails}, MPI_THREAD_MULTIPLE);
  EXPECT_TRUE(job.is_attached());
}

TEST(Job, ThreadLevelOfServersThatAreAskedForIsChecked) {
  const auto yes = [] { return true; };
  std::string text =
      refusal({"model", 1, false, {}, yes}, MPI_THREAD_FUNNELED, ErrorCode::resource);
  EXPECT_TRUE(contains(
      text,
      "process 0 needs MPI_THREAD_MULTIPLE (variable servers_per_process gives it a server beside "
      "its client), but MPI was initialised with a lower level. Call MPI_Init_thread(..., "
      "MPI_THREAD_MULTIPLE, ...), or start epios_server processes and use one client per process?"))
      << text;
  text = refusal({"model", 3, false, {}, yes}, MPI_THREAD_FUNNELED, ErrorCode::resource);
  EXPECT_TRUE(contains(text, "a server beside its 3 clients)")) << text;
}

/// Models that split the job and gave each part the same name.
TEST(Job, TwoComponentsOfOneNameAreRefused) {
  JobMember self{"model", 1, true, {process(), 1}};
  EXPECT_EQ(refusal(self, MPI_THREAD_MULTIPLE, ErrorCode::call_order),
            "component 'model' is several: local_comm of process 0 has 1 process of the job, from "
            "0 on, and that of process 1 has 1, from 1 on (all that give one name are one "
            "component). Give each a name of its own, or number them by EPIOS_MEMBER as members of "
            "an ensemble?");
  // One of them has not said what it takes for the component.
  if (process() == 1) self.group = {};
  EXPECT_EQ(refusal(self, MPI_THREAD_MULTIPLE, ErrorCode::call_order),
            "component 'model' has 2 processes, and local_comm of process 0 has 1 (all that give "
            "one name are one component). Give each a name of its own, or number them by "
            "EPIOS_MEMBER as members of an ensemble?");
  self.group = {0, 2};
  EXPECT_EQ(Job(MPI_COMM_WORLD, self, MPI_THREAD_MULTIPLE).processes().size(), 2);
}

/// Two components, of two clients and of one: clients count within theirs.
TEST(Job, ClientsOfProcesses) {
  const JobMember self{process() == 0 ? "ocean" : "ice", 2 - process(), process() == 0};
  const Job job(MPI_COMM_WORLD, self, MPI_THREAD_MULTIPLE);
  const std::vector<int> own{process()};
  EXPECT_EQ(job.clients_of(own), process() == 0 ? (std::vector<int>{0, 1}) : std::vector<int>{0});
  for (const int foreign : {1 - process(), -1, 2}) {
    try {
      static_cast<void>(job.clients_of(std::vector<int>{process(), foreign}));
      ADD_FAILURE() << foreign;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::argument);
      EXPECT_TRUE(contains(error.what(), process() == 0 ? "of component 'ocean'" : "'ice'"));
    }
  }
}

}  // namespace
}  // namespace epios::io::job_test
