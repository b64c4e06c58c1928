// Sessions, in a program that begins with nothing else: EP_NUM_ENDPOINTS endpoints in every process
// (tests/ep_core/CMakeLists.txt).
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <string>
#include <thread>
#include <vector>

namespace ep::test::session_test {
namespace {

int per_process() {
  const char* const text = std::getenv("EP_NUM_ENDPOINTS");
  return text != nullptr ? std::atoi(text) : 1;  // NOLINT(cert-err34-c): the test's own
}

int processes() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// A session as long as a test, of the calling thread's endpoint.
class OpenSession {
 public:
  explicit OpenSession(MPI_Info info = MPI_INFO_NULL) {
    check(EP_Session_init(info, EP_ERRORS_RETURN, &session_));
  }
  OpenSession(const OpenSession&) = delete;
  OpenSession(OpenSession&&) = delete;
  OpenSession& operator=(const OpenSession&) = delete;
  OpenSession& operator=(OpenSession&&) = delete;
  ~OpenSession() { EXPECT_EQ(EP_Session_finalize(&session_), EP_SUCCESS); }

  EP_Session get() const { return session_; }
  EP_Group group(const char* name) const {
    EP_Group group = EP_GROUP_NULL;
    check(EP_Group_from_session_pset(session_, name, &group));
    return group;
  }

 private:
  EP_Session session_ = EP_SESSION_NULL;
};

int size_of(EP_Group group) {
  int size = -1;
  check(EP_Group_size(group, &size));
  return size;
}

EP_Comm create(EP_Group group, const std::string& tag) {
  EP_Comm comm = EP_COMM_NULL;
  check(EP_Comm_create_from_group(group, tag.c_str(), MPI_INFO_NULL, EP_ERRORS_RETURN, &comm));
  return comm;
}

/// Runs `body` once per endpoint of this process, each with a thread and a session of its own.
template <class Body>
void at_all_endpoints(Body body) {
  std::vector<std::thread> threads;
  for (int e = 0; e < per_process(); ++e) {
    threads.emplace_back([&body, e] {
      try {
        check(EP_Thread_attach(e, EP_COMM_CLIQUE));
        const OpenSession session;
        body(session);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "endpoint " << e << ": " << error.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Sessions, know_their_process_sets) {
  at_all_endpoints([](const OpenSession& session) {
    int count = 0;
    check(EP_Session_get_num_psets(session.get(), MPI_INFO_NULL, &count));
    const std::vector<int> sizes{per_process() * processes(), 1, per_process(), processes()};
    const std::vector<std::string> names{"mpi://WORLD", "mpi://SELF", "ep://CLIQUE",
                                         "ep://PROCESSES"};
    ASSERT_EQ(count, 4);
    for (int n = 0; n < count; ++n) {
      int length = 0;
      check(EP_Session_get_nth_pset(session.get(), MPI_INFO_NULL, n, &length, nullptr));
      std::vector<char> name(static_cast<std::size_t>(length));
      check(EP_Session_get_nth_pset(session.get(), MPI_INFO_NULL, n, &length, name.data()));
      EXPECT_EQ(std::string(name.data()), names[static_cast<std::size_t>(n)]);
      EXPECT_EQ(length, static_cast<int>(name.size()));
      EP_Group group = session.group(name.data());
      EXPECT_EQ(size_of(group), sizes[static_cast<std::size_t>(n)]) << name.data();
      MPI_Info info = MPI_INFO_NULL;
      check(EP_Session_get_pset_info(session.get(), name.data(), &info));
      std::array<char, 16> value{};
      int flag = 0;
      ASSERT_EQ(MPI_Info_get(info, "mpi_size", 15, value.data(), &flag), MPI_SUCCESS);
      ASSERT_EQ(flag, 1);
      EXPECT_EQ(std::atoi(value.data()), size_of(group));  // NOLINT(cert-err34-c)
      ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
      check(EP_Group_free(&group));
    }
    std::array<char, 4> cut{'x', 'x', 'x', 'x'};
    int length = 3;
    check(EP_Session_get_nth_pset(session.get(), MPI_INFO_NULL, 0, &length, cut.data()));
    EXPECT_STREQ(cut.data(), "mp");
    EXPECT_EQ(cut[3], 'x');
    EXPECT_EQ(length, 12);
  });
}

TEST(Sessions, make_communicators_of_groups) {
  at_all_endpoints([](const OpenSession& session) {
    EP_Group world = session.group("mpi://WORLD");
    EP_Comm handle = create(world, "org.example.all");
    Comm all(handle);
    EXPECT_EQ(all.size(), per_process() * processes());
    int sum = 0;
    const int mine = all.rank();
    check(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all.get()));
    EXPECT_EQ(sum, all.size() * (all.size() - 1) / 2);
    // Others of the same members at the same time, each by a thread of its own: what tells them
    // apart are their tags, since every endpoint begins with another one.
    int attached = 0;
    check(EP_Thread_attached(&attached));
    std::array<EP_Comm, 3> more{};
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k) {
      const int n = (k + mine) % 3;
      threads.emplace_back([&more, world, attached, n] {
        EXPECT_EQ(EP_Thread_attach(attached, EP_COMM_CLIQUE), EP_SUCCESS);
        const std::string tag(1, static_cast<char>('a' + n));
        EXPECT_EQ(EP_Comm_create_from_group(world, tag.c_str(), MPI_INFO_NULL, EP_ERRORS_RETURN,
                                            &more[static_cast<std::size_t>(n)]),
                  EP_SUCCESS);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    for (std::thread& thread : threads) thread.join();
    for (int n = 0; n < 3; ++n) {
      const Comm one(more[static_cast<std::size_t>(n)]);
      int largest = -1;
      check(EP_Allreduce(&n, &largest, 1, MPI_INT, MPI_MAX, one.get()));
      EXPECT_EQ(largest, n) << "communicators of different tags were mixed";
    }
    EP_Group clique = session.group("ep://CLIQUE");
    const Comm here(create(clique, "here"));
    EXPECT_EQ(here.size(), per_process());
    check(EP_Barrier(here.get()));
    EP_Group self = session.group("MPI://self");  // URIs say nothing by the case of letters
    EXPECT_EQ(Comm(create(self, "me")).size(), 1);
    check(EP_Group_free(&self));
    check(EP_Group_free(&clique));
    check(EP_Group_free(&world));
  });
}

TEST(Sessions, make_intercommunicators_of_groups) {
  if (per_process() * processes() < 2) GTEST_SKIP() << "needs two";
  at_all_endpoints([](const OpenSession& session) {
    EP_Group world = session.group("mpi://WORLD");
    const int size = size_of(world);
    int rank = -1;
    check(EP_Group_rank(world, &rank));
    std::array<EP_Group, 2> halves{};
    for (int side = 0; side < 2; ++side) {
      std::vector<int> members;
      for (int r = side; r < size; r += 2) members.push_back(r);
      check(EP_Group_incl(world, static_cast<int>(members.size()), members.data(),
                          &halves[static_cast<std::size_t>(side)]));
    }
    const auto side = static_cast<std::size_t>(rank % 2);
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Intercomm_create_from_groups(halves[side], 0, halves[1 - side], 0, "odd and even",
                                          MPI_INFO_NULL, EP_ERRORS_RETURN, &handle));
    const Comm inter(handle);
    EXPECT_TRUE(inter.is_inter());
    EXPECT_EQ(inter.size(), size_of(halves[side]));
    EXPECT_EQ(inter.remote_size(), size_of(halves[1 - side]));
    int sum = 0;
    check(EP_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter.get()));
    int expected = 0;
    for (int r = side == 0 ? 1 : 0; r < size; r += 2) expected += r;
    EXPECT_EQ(sum, expected);
    for (EP_Group& half : halves) check(EP_Group_free(&half));
    check(EP_Group_free(&world));
  });
}

/// Two halves of the world, and what one endpoint gets when leaders are wrong.
struct Halves {
  explicit Halves(EP_Group world) {
    for (int side = 0; side < 2; ++side) {
      std::vector<int> members;
      for (int r = side; r < size_of(world); r += 2) members.push_back(r);
      check(EP_Group_incl(world, static_cast<int>(members.size()), members.data(),
                          &groups[static_cast<std::size_t>(side)]));
    }
    int rank = -1;
    check(EP_Group_rank(world, &rank));
    mine = static_cast<std::size_t>(rank % 2);
  }
  Halves(const Halves&) = delete;
  Halves(Halves&&) = delete;
  Halves& operator=(const Halves&) = delete;
  Halves& operator=(Halves&&) = delete;
  ~Halves() {
    for (EP_Group& group : groups) EP_Group_free(&group);
  }

  int connect(int local_leader, int remote_leader, EP_Comm* out) const {
    return EP_Intercomm_create_from_groups(groups[mine], local_leader, groups[1 - mine],
                                           remote_leader, "halves", MPI_INFO_NULL, EP_ERRORS_RETURN,
                                           out);
  }

  std::array<EP_Group, 2> groups{};
  std::size_t mine = 0;
};

TEST(Sessions, wrong_leader_of_one_side_is_an_error_on_both) {
  at_all_endpoints([](const OpenSession& session) {
    EP_Group world = session.group("mpi://WORLD");
    const Halves halves(world);
    EP_Comm comm = EP_COMM_NULL;
    const bool is_wrong = halves.mine == 0;
    EXPECT_EQ(halves.connect(0, is_wrong ? 99 : 0, &comm), EP_ERR_RANK);
    const std::string text = EP_Last_error();
    if (is_wrong) {
      EXPECT_TRUE(text.find("remote leader 99") != std::string::npos ||
                  text.find("Its error says why") != std::string::npos)
          << text;
    } else {
      EXPECT_EQ(text,
                "EP_Intercomm_create_from_groups: a leader given at the other side, rank 0 of "
                "mpi://WORLD, is wrong. The error there says why.");
    }
    EXPECT_EQ(halves.connect(is_wrong ? 0 : -3, 0, &comm), EP_ERR_RANK);
    EXPECT_EQ(halves.connect(0, 77, &comm), EP_ERR_RANK) << "both";
    EXPECT_EQ(halves.connect(is_wrong ? 99 : 0, is_wrong ? 99 : -1, &comm), EP_ERR_RANK);
    // Nothing of that is left.
    ASSERT_EQ(halves.connect(0, 0, &comm), EP_SUCCESS) << EP_Last_error();
    const Comm inter(comm);
    EXPECT_EQ(inter.size(), size_of(halves.groups[halves.mine]));
    check(EP_Barrier(inter.get()));
    check(EP_Group_free(&world));
  });
}

TEST(Sessions, say_which_thread_level_they_have) {
  const OpenSession session;
  MPI_Info info = MPI_INFO_NULL;
  check(EP_Session_get_info(session.get(), &info));
  std::array<char, 32> value{};
  int flag = 0;
  ASSERT_EQ(MPI_Info_get(info, "thread_level", 31, value.data(), &flag), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  EXPECT_STREQ(value.data(), "MPI_THREAD_MULTIPLE");
  ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
}

TEST(Sessions, mistakes_are_errors) {
  const OpenSession session;
  int count = 0;
  EXPECT_EQ(EP_Session_get_num_psets(EP_SESSION_NULL, MPI_INFO_NULL, &count), EP_ERR_SESSION);
  EXPECT_EQ(EP_Session_get_num_psets(session.get(), MPI_INFO_NULL, nullptr), EP_ERR_ARG);
  EXPECT_EQ(EP_Session_get_nth_pset(session.get(), MPI_INFO_NULL, 4, &count, nullptr), EP_ERR_ARG);
  EP_Group group = EP_GROUP_NULL;
  EXPECT_EQ(EP_Group_from_session_pset(session.get(), "mpi://MOON", &group), EP_ERR_ARG);
  EXPECT_EQ(std::string(EP_Last_error()),
            "process set 'mpi://MOON' (known: mpi://WORLD, mpi://SELF, ep://CLIQUE, "
            "ep://PROCESSES).");
  EP_Comm comm = EP_COMM_NULL;
  group = session.group("Mpi://self");
  EXPECT_EQ(EP_Comm_create_from_group(group, nullptr, MPI_INFO_NULL, EP_ERRORS_RETURN, &comm),
            EP_ERR_ARG);
  const std::string long_tag(EP_MAX_STRINGTAG_LEN, 'x');
  EXPECT_EQ(
      EP_Comm_create_from_group(group, long_tag.c_str(), MPI_INFO_NULL, EP_ERRORS_RETURN, &comm),
      EP_ERR_ARG);
  check(EP_Comm_create_from_group(EP_GROUP_EMPTY, "", MPI_INFO_NULL, EP_ERRORS_RETURN, &comm));
  EXPECT_EQ(comm, EP_COMM_NULL) << "of nobody";
  check(EP_Intercomm_create_from_groups(group, 0, EP_GROUP_EMPTY, 0, "", MPI_INFO_NULL,
                                        EP_ERRORS_RETURN, &comm));
  EXPECT_EQ(comm, EP_COMM_NULL) << "with nobody";
  EXPECT_EQ(EP_Intercomm_create_from_groups(group, 0, group, 5, "", MPI_INFO_NULL, EP_ERRORS_RETURN,
                                            &comm),
            EP_ERR_RANK);
  EXPECT_EQ(comm, EP_COMM_NULL);
  check(EP_Group_free(&group));
  EP_Session other = EP_SESSION_NULL;
  MPI_Info info = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  ASSERT_EQ(MPI_Info_set(info, "thread_level", "some"), MPI_SUCCESS);
  EXPECT_EQ(EP_Session_init(info, EP_ERRORS_RETURN, &other), EP_ERR_INFO_VALUE);
  EXPECT_EQ(other, EP_SESSION_NULL);
  ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  char text[EP_MAX_ERROR_STRING];  // NOLINT(modernize-avoid-c-arrays): as C programs have it
  int length = 0;
  check(EP_Error_string(EP_ERR_SESSION, text, &length));
  EXPECT_GT(length, 0);
}

int told_code = EP_SUCCESS;
EP_Session told_session = EP_SESSION_NULL;
extern "C" void tell(EP_Session* session, int* code, ...) {
  told_session = *session;
  told_code = *code;
}

TEST(Sessions, have_error_handlers_of_their_own) {
  const OpenSession session;
  EP_Errhandler handler = EP_ERRHANDLER_NULL;
  check(EP_Session_create_errhandler(tell, &handler));
  check(EP_Session_set_errhandler(session.get(), handler));
  int count = 0;
  EXPECT_EQ(EP_Session_get_nth_pset(session.get(), MPI_INFO_NULL, -1, &count, nullptr), EP_ERR_ARG);
  EXPECT_EQ(told_code, EP_ERR_ARG);
  EXPECT_EQ(told_session, session.get());
  check(EP_Session_call_errhandler(session.get(), EP_ERR_OTHER));
  EXPECT_EQ(told_code, EP_ERR_OTHER);
  EP_Errhandler found = EP_ERRHANDLER_NULL;
  check(EP_Session_get_errhandler(session.get(), &found));
  EXPECT_EQ(found, handler);
  check(EP_Errhandler_free(&found));
  EXPECT_EQ(EP_Comm_set_errhandler(EP_COMM_SELF, handler), EP_ERR_ARG) << "made for sessions";
  check(EP_Errhandler_free(&handler));
}

TEST(Sessions, have_numbers_for_fortran) {
  const OpenSession session;
  EXPECT_EQ(EP_Session_f2c(EP_Session_c2f(session.get())), session.get());
  EXPECT_EQ(EP_Session_f2c(0), EP_SESSION_NULL);
}

}  // namespace
}  // namespace ep::test::session_test

// The first session begins the library, the last one ends it.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  EP_Session first = EP_SESSION_NULL;
  if (EP_Session_init(MPI_INFO_NULL, EP_ERRORS_RETURN, &first) != EP_SUCCESS) return 2;
  EP_Comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN);
  int failed = RUN_ALL_TESTS();
  int ended = 0;
  if (EP_Session_finalize(&first) != EP_SUCCESS || first != EP_SESSION_NULL) failed = 2;
  if (MPI_Finalized(&ended) != MPI_SUCCESS || ended == 0) failed = 2;
  EP_Session late = EP_SESSION_NULL;
  if (EP_Session_init(MPI_INFO_NULL, EP_ERRORS_RETURN, &late) != EP_ERR_OTHER) failed = 2;
  return failed;
}
