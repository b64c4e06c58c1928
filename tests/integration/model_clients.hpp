// A model whose clients are threads of a process.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

/// Says why and ends the process, and with it the job: others may wait for ever for this one.
[[noreturn]] inline void end_job(const std::string& code_id, const std::exception& error) {
  std::fprintf(stderr, "%s: error: %s\n", code_id.c_str(), error.what());
  std::fflush(stderr);
  std::_Exit(1);
}

/// Opens a session and runs `run_client` on a thread for each client.
inline void run_clients(const std::string& code_id, const std::string& iodef, int clients,
                        const std::function<void(const epios::client::Session&, int)>& run_client) {
  try {
    epios::client::Session::Options options;
    options.iodef = iodef;
    options.clients = clients;
    epios::client::Session session(code_id, options);
    const auto body = [&](int index) {
      try {
        run_client(session, index);
      } catch (const std::exception& error) {
        end_job(code_id, error);
      }
    };
    std::vector<std::thread> threads;
    for (int index = 1; index < clients; ++index) threads.emplace_back(body, index);
    body(0);
    for (std::thread& thread : threads) thread.join();
    session.close();
  } catch (const std::exception& error) {
    end_job(code_id, error);
  }
}
