/// @file
/// Whole runs in one test: some processes have clients, one serves; the first looks at the files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../client/shared_scratch.hpp"

namespace epios::client {

inline std::string dumped(const std::string& file) {
  std::string out;
  FILE* const pipe = ::popen(("ncdump -p 9,17 " + file).c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) {
    out += chunk.data();
  }
  ::pclose(pipe);
  return out;
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

/// Of a process: clients, or a server.
inline int clients_of(int rank, int size) {
  if (size == 1) return 3;
  if (size == 2) return rank == 0 ? 1 : 0;
  return rank == 0 ? 1 : rank == 1 ? 2 : 0;
}

inline void in_clients(const std::string& iodef, const std::function<void(Client&)>& body,
                       const std::function<void()>& check) {
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const SharedScratch scratch(iodef);
  const int clients = clients_of(rank, size);
  if (clients == 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session::Options options;
  options.clients = clients;
  Session session("c", options);
  const auto run = [&](int index) {
    Client client(session, index);
    body(client);
    client.close();
  };
  std::vector<std::thread> others;
  for (int index = 1; index < clients; ++index) others.emplace_back(run, index);
  run(0);
  for (std::thread& other : others) other.join();
  session.close();
  if (rank == 0) check();
}

}  // namespace epios::client
