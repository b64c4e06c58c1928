// Ports and names, with three endpoints in each process.
#include <ep/ports.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ep/ep.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "start_endpoints.hpp"

namespace ep::test::ports_test {
namespace {

constexpr int endpoints = 3;
using Port = std::array<char, EP_MAX_PORT_NAME>;

int rank_in(EP_Comm comm) {
  int rank = -1;
  check(EP_Comm_rank(comm, &rank));
  return rank;
}
int size_of(EP_Comm comm) {
  int size = -1;
  check(EP_Comm_size(comm, &size));
  return size;
}
int remote_size_of(EP_Comm comm) {
  int size = -1;
  check(EP_Comm_remote_size(comm, &size));
  return size;
}

// Runs `body` at every endpoint of the process, then meets the others.
void on_all(const std::function<void(int endpoint)>& body) {
  const auto run = [&](int endpoint) {
    check(EP_Thread_attach(endpoint, EP_COMM_CLIQUE));
    for (const EP_Comm comm : {EP_COMM_SELF, EP_COMM_ENDPOINTS}) {
      check(EP_Comm_set_errhandler(comm, EP_ERRORS_RETURN));
    }
    body(endpoint);
    check(EP_Barrier(EP_COMM_ENDPOINTS));
  };
  std::vector<std::thread> others;
  for (int e = 1; e < endpoints; ++e) others.emplace_back(run, e);
  run(0);
  for (std::thread& other : others) other.join();
}

EP_Comm half_of_endpoints(int colour) {
  EP_Comm out = EP_COMM_NULL;
  check(EP_Comm_split(EP_COMM_ENDPOINTS, colour, 0, &out));
  check(EP_Comm_set_errhandler(out, EP_ERRORS_RETURN));
  return out;
}

void expect_connected(EP_Comm inter, int own, int other) {
  EXPECT_EQ(size_of(inter), own);
  EXPECT_EQ(remote_size_of(inter), other);
  const int mine = 1 + rank_in(inter);
  int sum = 0;
  check(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter));  // of the other side
  EXPECT_EQ(sum, other * (other + 1) / 2);
  EP_Comm merged = EP_COMM_NULL;
  check(EP_Intercomm_merge(inter, 0, &merged));
  EXPECT_EQ(size_of(merged), own + other);
  check(EP_Barrier(merged));
  check(EP_Comm_free(&merged));
}

TEST(Ports, endpoints_of_one_process_find_each_other) {
  Port port{};
  check(EP_Open_port(MPI_INFO_NULL, port.data()));
  on_all([&](int endpoint) {
    if (endpoint == 2) return;
    EP_Comm inter = EP_COMM_NULL;
    if (endpoint == 0) {
      check(EP_Comm_accept(port.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter));
    } else {
      check(EP_Comm_connect(port.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter));
    }
    expect_connected(inter, 1, 1);
    check(EP_Comm_disconnect(&inter));
  });
  check(EP_Close_port(port.data()));
}

TEST(Ports, groups_find_each_other_by_a_name) {
  on_all([](int /*endpoint*/) {
    const int rank = rank_in(EP_COMM_ENDPOINTS);
    const int size = size_of(EP_COMM_ENDPOINTS);
    const bool serves = rank % 2 == 0;
    const int own = serves ? (size + 1) / 2 : size / 2;
    EP_Comm half = half_of_endpoints(serves ? 0 : 1);
    const int root = size_of(half) - 1;
    Port port{};
    if (serves && rank_in(half) == root) {
      check(EP_Open_port(MPI_INFO_NULL, port.data()));
      check(EP_Publish_name("ocean", MPI_INFO_NULL, port.data()));
    }
    check(EP_Barrier(EP_COMM_ENDPOINTS));
    if (!serves && rank_in(half) == root) {
      check(EP_Lookup_name("ocean", MPI_INFO_NULL, port.data()));
    }
    EP_Comm inter = EP_COMM_NULL;
    const auto meet = serves ? EP_Comm_accept : EP_Comm_connect;
    check(meet(port.data(), MPI_INFO_NULL, root, half, &inter));
    expect_connected(inter, own, size - own);
    check(EP_Comm_disconnect(&inter));
    if (serves && rank_in(half) == root) {
      check(EP_Unpublish_name("ocean", MPI_INFO_NULL, port.data()));
      check(EP_Close_port(port.data()));
    }
    check(EP_Comm_free(&half));
  });
}

// All others call at once; each gets an answer of its own.
TEST(Ports, one_port_serves_many_callers) {
  on_all([](int /*endpoint*/) {
    const int rank = rank_in(EP_COMM_ENDPOINTS);
    const int size = size_of(EP_COMM_ENDPOINTS);
    Port port{};
    if (rank == 0) check(EP_Open_port(MPI_INFO_NULL, port.data()));
    check(EP_Bcast(port.data(), EP_MAX_PORT_NAME, MPI_CHAR, 0, EP_COMM_ENDPOINTS));
    EP_Comm inter = EP_COMM_NULL;
    if (rank > 0) {
      check(EP_Comm_connect(port.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter));
      check(EP_Send(&rank, 1, MPI_INT, 0, 3, inter));
      int answer = -1;
      check(EP_Recv(&answer, 1, MPI_INT, 0, 3, inter, EP_STATUS_IGNORE));
      EXPECT_EQ(answer, 10 * rank);
      check(EP_Comm_free(&inter));
      return;
    }
    int sum = 0;
    for (int caller = 1; caller < size; ++caller) {
      check(EP_Comm_accept(port.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter));
      int who = -1;
      check(EP_Recv(&who, 1, MPI_INT, 0, 3, inter, EP_STATUS_IGNORE));
      sum += who;
      const int answer = 10 * who;
      check(EP_Send(&answer, 1, MPI_INT, 0, 3, inter));
      check(EP_Comm_free(&inter));
    }
    EXPECT_EQ(sum, size * (size - 1) / 2);
    check(EP_Close_port(port.data()));
  });
}

TEST(Ports, names_that_nobody_published_are_errors) {
  on_all([](int endpoint) {
    if (endpoint != 1) return;
    Port port{};
    EXPECT_EQ(EP_Lookup_name("nobody's", MPI_INFO_NULL, port.data()), EP_ERR_NAME);
    EXPECT_STREQ(EP_Last_error(), "nobody has published service 'nobody's'.");
    const std::string mine = "service of process " + std::to_string(rank_in(EP_COMM_ENDPOINTS));
    check(EP_Open_port(MPI_INFO_NULL, port.data()));
    EXPECT_EQ(EP_Unpublish_name(mine.c_str(), MPI_INFO_NULL, port.data()), EP_ERR_SERVICE);
    check(EP_Publish_name(mine.c_str(), MPI_INFO_NULL, port.data()));
    EXPECT_EQ(EP_Publish_name(mine.c_str(), MPI_INFO_NULL, port.data()), EP_ERR_SERVICE);
    EXPECT_EQ(std::string(EP_Last_error()),
              "service '" + mine + "' is published already, for port '" + port.data() + "'.");
    Port wrong{};
    check(EP_Open_port(MPI_INFO_NULL, wrong.data()));
    EXPECT_EQ(EP_Unpublish_name(mine.c_str(), MPI_INFO_NULL, wrong.data()), EP_ERR_SERVICE);
    EXPECT_EQ(EP_Unpublish_name(mine.c_str(), MPI_INFO_NULL, "ep_port:1:0:0"), EP_ERR_PORT);
    check(EP_Close_port(wrong.data()));
    Port found{};
    check(EP_Lookup_name(mine.c_str(), MPI_INFO_NULL, found.data()));
    EXPECT_STREQ(found.data(), port.data());
    check(EP_Unpublish_name(mine.c_str(), MPI_INFO_NULL, port.data()));
    EXPECT_EQ(EP_Lookup_name(mine.c_str(), MPI_INFO_NULL, found.data()), EP_ERR_NAME);
    EXPECT_EQ(EP_Publish_name("", MPI_INFO_NULL, port.data()), EP_ERR_SERVICE);
    const std::string long_name(256, 'x');
    EXPECT_EQ(EP_Publish_name(long_name.c_str(), MPI_INFO_NULL, port.data()), EP_ERR_SERVICE);
    EXPECT_EQ(EP_Publish_name(nullptr, MPI_INFO_NULL, port.data()), EP_ERR_ARG);
    check(EP_Close_port(port.data()));
  });
}

TEST(Ports, that_are_not_open_are_errors_of_the_whole_group) {
  on_all([](int /*endpoint*/) {
    EP_Comm inter = EP_COMM_SELF;
    const int root = size_of(EP_COMM_ENDPOINTS) - 1;
    // What looks like one of this job, but is not open, or never was.
    Port model{};
    check(EP_Open_port(MPI_INFO_NULL, model.data()));
    check(EP_Close_port(model.data()));
    const std::string name = model.data();
    const std::string job = name.substr(0, name.rfind(':', name.rfind(':') - 1));
    const std::string never = job + ":0:77777";
    const std::string nowhere = job + ":99:0";
    for (const char* port : {"hello", "ep_port:", "ep_port:0:0:0", never.c_str(), nowhere.c_str(),
                             static_cast<const char*>(model.data())}) {
      EXPECT_EQ(EP_Comm_connect(port, MPI_INFO_NULL, root, EP_COMM_ENDPOINTS, &inter), EP_ERR_PORT)
          << port;
      EXPECT_EQ(inter, EP_COMM_NULL);
      EXPECT_EQ(EP_Comm_accept(port, MPI_INFO_NULL, root, EP_COMM_ENDPOINTS, &inter), EP_ERR_PORT)
          << port;
    }
    EXPECT_EQ(EP_Close_port("ep_port:0:77777"), EP_ERR_PORT);
    EXPECT_EQ(EP_Comm_connect("hello", MPI_INFO_NULL, 99, EP_COMM_ENDPOINTS, &inter), EP_ERR_ROOT);
  });
}

TEST(Ports, closing_answers_who_waits) {
  Port port{};
  check(EP_Open_port(MPI_INFO_NULL, port.data()));
  on_all([&](int endpoint) {
    EP_Comm inter = EP_COMM_NULL;
    if (endpoint == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      check(EP_Close_port(port.data()));
    } else if (endpoint == 1) {
      EXPECT_EQ(EP_Comm_connect(port.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter), EP_ERR_PORT);
    }
  });
  Port other{};
  check(EP_Open_port(MPI_INFO_NULL, other.data()));
  EXPECT_STRNE(port.data(), other.data());
  on_all([&](int endpoint) {
    EP_Comm inter = EP_COMM_NULL;
    if (endpoint == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      check(EP_Close_port(other.data()));
    } else if (endpoint == 1) {
      EXPECT_EQ(EP_Comm_accept(other.data(), MPI_INFO_NULL, 0, EP_COMM_SELF, &inter), EP_ERR_PORT);
    }
  });
}

TEST(Ports, sockets_join_two_endpoints) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  on_all([&](int endpoint) {
    if (endpoint == 0) return;
    EP_Comm inter = EP_COMM_NULL;
    check(EP_Comm_join(ends[static_cast<std::size_t>(endpoint) - 1], &inter));
    expect_connected(inter, 1, 1);
    check(EP_Comm_free(&inter));
  });
  // Whoever is at the other end is no endpoint of this job: something else, or one of another job.
  for (const std::string& card :
       {std::string(272, 'x'), std::string("ep_core joins 1\0ep_port:1:0:0", 30)}) {
    on_all([&](int endpoint) {
      if (endpoint == 2) {
        std::array<char, 272> bytes{};
        card.copy(bytes.data(), bytes.size());
        EXPECT_EQ(::send(ends[0], bytes.data(), bytes.size(), 0), 272);
        EXPECT_EQ(::recv(ends[0], bytes.data(), bytes.size(), MSG_WAITALL), 272);
      }
      if (endpoint != 1) return;
      EP_Comm inter = EP_COMM_NULL;
      EXPECT_EQ(EP_Comm_join(ends[1], &inter), EP_ERR_ARG);
      EXPECT_EQ(inter, EP_COMM_NULL);
    });
  }
  ::close(ends[0]);
  on_all([&](int endpoint) {
    if (endpoint != 1) return;
    EP_Comm inter = EP_COMM_NULL;
    EXPECT_EQ(EP_Comm_join(ends[1], &inter), EP_ERR_ARG);
    EXPECT_EQ(EP_Comm_join(-1, &inter), EP_ERR_ARG);
  });
  ::close(ends[1]);
}

}  // namespace
}  // namespace ep::test::ports_test

int main(int argc, char** argv) {
  return ep::test::run_tests_at(ep::test::ports_test::endpoints, MPI_THREAD_MULTIPLE, argc, argv);
}
