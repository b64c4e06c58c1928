// One job of a simulation that is cut into jobs (tests/client/cut_runs.hpp).
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "../client/cut_runs.hpp"

namespace {

namespace client = epios::client;

void run_client(const client::Session& session, int index, const client::Run& how) {
  try {
    client::Client client(session, index);
    client::run(client, how);
    client.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cut_model: client %d: %s\n", index, error.what());
    std::fflush(stderr);
    std::_Exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--iodef") {
    std::fputs(client::iodef, stdout);
    return 0;
  }
  if (argc != 7) {
    std::fprintf(stderr,
                 "usage: cut_model <begin> <end> <folder> <layout> <threads> <anew|append>\n");
    return 2;
  }
  const client::Run how{std::atoi(argv[1]), std::atoi(argv[2]), argv[3],
                        static_cast<unsigned>(std::atoi(argv[4])),
                        std::string(argv[6]) == "append"};
  const int count = std::atoi(argv[5]);
  try {
    client::Session::Options options;
    options.clients = count;
    client::Session session("model", options);
    std::vector<std::thread> threads;
    for (int t = 1; t < count; ++t) {
      threads.emplace_back([&, t] { run_client(session, t, how); });
    }
    run_client(session, 0, how);
    for (auto& thread : threads) thread.join();
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cut_model: %s\n", error.what());
    return 1;
  }
  return 0;
}
