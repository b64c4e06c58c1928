/// @file
/// Runs of a few clients whose files are looked at.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <epios/epios.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../client/dumped.hpp"
#include "../client/shared_scratch.hpp"

namespace epios::client::test {

inline std::string dumped(const std::string& file) { return client::dumped("-p 9,17 " + file); }

inline std::string context(const std::string& id, const std::string& definitions) {
  return "<context id=\"" + id + R"("><calendar type="NoLeap" timestep="1h"
    start_date="2000-01-01"/>)" +
         definitions + "</context>";
}

/// Of a variable; NaN where it is missing.
inline std::vector<double> values(const std::string& text, const std::string& name) {
  std::vector<double> out;
  const std::string begin = " " + name + " =";
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return out;
  std::string numbers = text.substr(at + begin.size(), text.find(';', at) - at - begin.size());
  std::replace(numbers.begin(), numbers.end(), ',', ' ');
  std::istringstream in(numbers);
  for (std::string word; in >> word;) {
    out.push_back(word == "_" ? std::nan("") : std::strtod(word.c_str(), nullptr));
  }
  return out;
}

/// `clients` of them in one process, with a server of its own; in several, one in the first process
/// and the others in the second, if there are three. The first process looks at the files.
inline void run_clients(const std::string& iodef, int clients,
                        const std::function<void(Client&)>& run,
                        const std::function<void()>& look) {
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const SharedScratch scratch(iodef);
  const int here = size == 1                ? clients
                   : rank == 0              ? std::max(1, size == 2 ? clients : 1)
                   : rank == 1 && size == 3 ? clients - 1
                                            : 0;
  if (here == 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session::Options options;
  options.clients = here;
  Session session("c", options);
  const auto run_one = [&](int index) {
    Client client(session, index);
    run(client);
    client.close();
  };
  std::vector<std::thread> others;
  for (int index = 1; index < here; ++index) others.emplace_back(run_one, index);
  run_one(0);
  for (std::thread& other : others) other.join();
  session.close();
  if (rank == 0) look();
}

/// Three clients, and one alone beside a process that serves.
inline void run_three_or_one(const std::string& iodef, const std::function<void(Client&)>& run,
                             const std::function<void()>& look) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  run_clients(iodef, size == 2 ? 1 : 3, run, look);
}

}  // namespace epios::client::test
