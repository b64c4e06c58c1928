// Communicators by locality, on an invented machine: what endpoints tell of their processors.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::locality_test {
namespace {

/// 2 packages, each with its memory and a third-level cache, of 2 cores with caches of their own
/// and 2 threads each: 8 processors. Read by the library at its first question.
class Invented : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_EQ(::setenv("HWLOC_SYNTHETIC", "pack:2 [numa] l3:1 l2:2 core:1 pu:2", 1), 0);
  }
};
const testing::Environment* const invented = testing::AddGlobalTestEnvironment(new Invented);

using Hints = std::map<std::string, std::string>;

/// An info object as long as a call.
class Info {
 public:
  explicit Info(const Hints& hints) {
    EXPECT_EQ(MPI_Info_create(&info_), MPI_SUCCESS);
    for (const auto& [key, value] : hints) {
      EXPECT_EQ(MPI_Info_set(info_, key.c_str(), value.c_str()), MPI_SUCCESS);
    }
  }
  Info(const Info&) = delete;
  Info(Info&&) = delete;
  Info& operator=(const Info&) = delete;
  Info& operator=(Info&&) = delete;
  ~Info() { EXPECT_EQ(MPI_Info_free(&info_), MPI_SUCCESS); }
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

using Levels = std::array<EP_Comm, EP_SHMEM_LEVELS>;

Levels create(const Comm& comm, const Hints& hints) {
  Levels levels{};
  check(EP_Shmem_comm_create(comm.get(), Info(hints).get(), levels.data()));
  return levels;
}

void free_all(Levels& levels) {
  for (EP_Comm& level : levels) {
    if (level != EP_COMM_NULL) check(EP_Comm_free(&level));
  }
}

/// Ranks in `comm` of the members of `level`, in its order; none for a null handle.
std::vector<int> members(const Comm& comm, EP_Comm level) {
  if (level == EP_COMM_NULL) return {};
  int size = 0;
  check(EP_Comm_size(level, &size));
  std::vector<int> all(static_cast<std::size_t>(size));
  const int mine = comm.rank();
  check(EP_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, level));
  return all;
}

std::vector<int> everyone(const Comm& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

TEST(Locality, levels_widen_from_the_core_to_the_node) {
  EXPECT_NE(invented, nullptr);
  run_endpoints(6, [](const Comm& comm) {
    // Ranks 0 and 1 on one core, 2 on the other core of that package, 3 to 5 in the other package.
    const std::array<const char*, 6> cpus{"0", "1", "2,3", "4", "6", "7"};
    const auto me = static_cast<std::size_t>(comm.rank());
    Levels levels = create(comm, {{"ep_shmem_cpus", cpus[me]}});
    const std::array<std::vector<int>, 6> cores{{{0, 1}, {0, 1}, {2}, {3}, {4, 5}, {4, 5}}};
    const std::vector<int> package = me < 3 ? std::vector<int>{0, 1, 2} : std::vector<int>{3, 4, 5};
    EXPECT_EQ(members(comm, levels[EP_SHMEM_CORE]), cores[me]) << "rank " << me;
    EXPECT_EQ(members(comm, levels[EP_SHMEM_L2]), cores[me]) << "rank " << me;
    EXPECT_EQ(members(comm, levels[EP_SHMEM_L3]), package) << "rank " << me;
    EXPECT_EQ(members(comm, levels[EP_SHMEM_NUMA]), package) << "rank " << me;
    EXPECT_EQ(members(comm, levels[EP_SHMEM_PACKAGE]), package) << "rank " << me;
    EXPECT_EQ(members(comm, levels[EP_SHMEM_NODE]), everyone(comm)) << "rank " << me;
    free_all(levels);
  });
}

TEST(Locality, unbound_endpoints_are_at_the_level_of_what_they_may_use) {
  run_endpoints(4, [](const Comm& comm) {
    // hwloc says of threads on an invented machine that they may run everywhere.
    const bool bound = comm.rank() == 3;
    Levels levels = create(comm, bound ? Hints{{"ep_shmem_cpus", "5"}} : Hints{});
    const std::vector<int> alike = bound ? std::vector<int>{3} : std::vector<int>{0, 1, 2};
    for (int level = EP_SHMEM_CORE; level < EP_SHMEM_NODE; ++level) {
      EXPECT_EQ(members(comm, levels[static_cast<std::size_t>(level)]), alike) << "level " << level;
    }
    EXPECT_EQ(members(comm, levels[EP_SHMEM_NODE]), everyone(comm));
    free_all(levels);
  });
}

TEST(Locality, infos_choose_levels) {
  run_endpoints(3, [](const Comm& comm) {
    const std::string cpu = std::to_string(2 * comm.rank());
    Levels some = create(comm, {{"ep_shmem_cpus", cpu}, {"ep_shmem_levels", "node,core"}});
    EXPECT_EQ(members(comm, some[EP_SHMEM_CORE]), std::vector<int>{comm.rank()});
    EXPECT_EQ(members(comm, some[EP_SHMEM_NODE]), everyone(comm));
    for (const int level : {EP_SHMEM_L2, EP_SHMEM_L3, EP_SHMEM_NUMA, EP_SHMEM_PACKAGE}) {
      EXPECT_EQ(some[static_cast<std::size_t>(level)], EP_COMM_NULL) << "level " << level;
    }
    free_all(some);
    // Alone on its package, rank 2 has no more company before the node.
    Levels distinct = create(comm, {{"ep_shmem_cpus", cpu}, {"ep_shmem_distinct", "true"}});
    const bool alone = comm.rank() == 2;
    EXPECT_EQ(members(comm, distinct[EP_SHMEM_CORE]), std::vector<int>{comm.rank()});
    EXPECT_EQ(members(comm, distinct[EP_SHMEM_L3]),
              alone ? std::vector<int>{} : (std::vector<int>{0, 1}));
    for (const int level : {EP_SHMEM_L2, EP_SHMEM_NUMA, EP_SHMEM_PACKAGE}) {
      EXPECT_EQ(distinct[static_cast<std::size_t>(level)], EP_COMM_NULL) << "level " << level;
    }
    EXPECT_EQ(members(comm, distinct[EP_SHMEM_NODE]), everyone(comm));
    free_all(distinct);
  });
}

TEST(Locality, an_attribute_tells_where_memory_can_be_shared) {
  run_endpoints(3, [](const Comm& comm) {
    Levels levels = create(comm, {});
    for (const EP_Comm level : levels) {
      int* shares = nullptr;
      int found = 0;
      check(EP_Comm_get_attr(level, EP_COMM_SHARES_MEMORY, &shares, &found));
      ASSERT_EQ(found, 1);
      EXPECT_EQ(*shares, 1);
    }
    free_all(levels);
    // A read-only attribute, like the other predefined ones.
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    EXPECT_EQ(EP_Comm_set_attr(comm.get(), EP_COMM_SHARES_MEMORY, nullptr), EP_ERR_KEYVAL);
  });
}

// A mistake of one endpoint is an error of all, which name it; nobody is left waiting.
TEST(Locality, mistakes_are_errors_of_all) {
  run_endpoints(3, [](const Comm& comm) {
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    const auto expect_error = [&](const Hints& of_rank_1, const std::string& text) {
      Levels levels{};
      const Hints hints = comm.rank() == 1 ? of_rank_1 : Hints{};
      EXPECT_EQ(EP_Shmem_comm_create(comm.get(), Info(hints).get(), levels.data()),
                MPI_ERR_INFO_VALUE);
      EXPECT_EQ(std::string(EP_Last_error()), "EP_Shmem_comm_create: " + text);
      EXPECT_EQ(levels, Levels{});
    };
    expect_error({{"ep_shmem_levels", "core,drawer"}},
                 "rank 1 names an unknown level in info key ep_shmem_levels (known: core, l2, l3, "
                 "numa, package, node).");
    expect_error({{"ep_shmem_distinct", "perhaps"}},
                 "rank 1 gives info key ep_shmem_distinct an unknown value (known: true, false).");
    expect_error({{"ep_shmem_cpus", "1000"}},
                 "rank 1 is on no processors of its node (info key ep_shmem_cpus is a list as "
                 "0-3,8). See lstopo for their numbers?");
    expect_error({{"ep_shmem_levels", "core"}},
                 "ranks 0 and 1 want different levels (info keys ep_shmem_levels and "
                 "ep_shmem_distinct are the same at all).");
    EXPECT_EQ(EP_Shmem_comm_create(comm.get(), MPI_INFO_NULL, nullptr), EP_ERR_ARG);
    Levels levels{};
    EXPECT_EQ(EP_Shmem_comm_create(EP_COMM_NULL, MPI_INFO_NULL, levels.data()), EP_ERR_COMM);
  });
}

EP_Comm split(const Comm& comm, int type, const Hints& hints) {
  EP_Comm out = EP_COMM_NULL;
  check(EP_Comm_split_type(comm.get(), type, comm.rank(), Info(hints).get(), &out));
  return out;
}

std::string resource_of(EP_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  check(EP_Comm_get_info(comm, &info));
  std::array<char, 32> value{};
  int flag = 0;
  EXPECT_EQ(MPI_Info_get(info, "mpi_hw_resource_type", 31, value.data(), &flag), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  return flag != 0 ? value.data() : "";
}

TEST(Locality, split_by_a_kind_of_hardware_that_the_program_names) {
  run_endpoints(6, [](const Comm& comm) {
    // Rank 2 may run on both cores of the first package.
    const std::array<const char*, 6> cpus{"0", "1", "1,2", "4", "6", "7"};
    const auto me = static_cast<std::size_t>(comm.rank());
    const auto ask = [&](const std::string& kind) {
      return split(comm, EP_COMM_TYPE_HW_GUIDED,
                   {{"ep_shmem_cpus", cpus[me]}, {"mpi_hw_resource_type", kind}});
    };
    const std::array<std::vector<int>, 6> cores{{{0, 1}, {0, 1}, {}, {3}, {4, 5}, {4, 5}}};
    const std::vector<int> package = me < 3 ? std::vector<int>{0, 1, 2} : std::vector<int>{3, 4, 5};
    for (const auto& [kind, expected] :
         std::map<std::string, std::vector<int>>{{"core", cores[me]},
                                                 {"L2Cache", cores[me]},
                                                 {"NUMANode", package},
                                                 {"Package", package},
                                                 {"mpi_shared_memory", everyone(comm)},
                                                 {"drawer", {}}}) {
      EP_Comm made = ask(kind);
      EXPECT_EQ(members(comm, made), expected) << kind << ", rank " << me;
      if (made != EP_COMM_NULL) check(EP_Comm_free(&made));
    }
    EP_Comm none = split(comm, EP_COMM_TYPE_HW_GUIDED, {});
    EXPECT_EQ(none, EP_COMM_NULL) << "no kind is named";
  });
}

TEST(Locality, split_by_the_next_kind_of_hardware_until_all_are_together) {
  run_endpoints(6, [](const Comm& comm) {
    const std::array<const char*, 6> cpus{"0", "1", "3", "4", "6", "7"};
    const auto me = static_cast<std::size_t>(comm.rank());
    const Hints hints{{"ep_shmem_cpus", cpus[me]}};
    // On several nodes the first step would lead there; here there is one.
    EP_Comm handle = split(comm, EP_COMM_TYPE_HW_UNGUIDED, hints);
    ASSERT_NE(handle, EP_COMM_NULL);
    const Comm package(handle);
    EXPECT_EQ(members(comm, package.get()),
              me < 3 ? (std::vector<int>{0, 1, 2}) : (std::vector<int>{3, 4, 5}));
    EXPECT_EQ(resource_of(package.get()), "package");
    handle = split(package, EP_COMM_TYPE_HW_UNGUIDED, hints);
    ASSERT_NE(handle, EP_COMM_NULL);
    const Comm core(handle);
    const std::array<std::vector<int>, 6> cores{{{0, 1}, {0, 1}, {2}, {3}, {4, 5}, {4, 5}}};
    EXPECT_EQ(members(comm, core.get()), cores[me]);
    EXPECT_EQ(resource_of(core.get()), "l2");
    EXPECT_EQ(split(core, EP_COMM_TYPE_HW_UNGUIDED, hints), EP_COMM_NULL) << "not to be split";
  });
}

TEST(Locality, who_gives_no_type_gets_nothing_and_others_their_group) {
  run_endpoints(4, [](const Comm& comm) {
    const bool out_of_it = comm.rank() == 1;
    const std::string cpu = std::to_string(2 * comm.rank());
    EP_Comm made = split(comm, out_of_it ? EP_UNDEFINED : EP_COMM_TYPE_HW_GUIDED,
                         {{"ep_shmem_cpus", cpu}, {"mpi_hw_resource_type", "package"}});
    const std::vector<int> expected = comm.rank() == 0   ? std::vector<int>{0}
                                      : comm.rank() == 1 ? std::vector<int>{}
                                                         : std::vector<int>{2, 3};
    EXPECT_EQ(members(comm, made), expected);
    if (made != EP_COMM_NULL) check(EP_Comm_free(&made));
  });
}

TEST(Locality, different_types_are_errors_of_all) {
  run_endpoints(3, [](const Comm& comm) {
    check(EP_Comm_set_errhandler(comm.get(), EP_ERRORS_RETURN));
    EP_Comm made = EP_COMM_NULL;
    const bool odd = comm.rank() == 1;
    EXPECT_EQ(EP_Comm_split_type(comm.get(), odd ? EP_COMM_TYPE_SHARED : EP_COMM_TYPE_HW_UNGUIDED,
                                 0, MPI_INFO_NULL, &made),
              EP_ERR_ARG);
    EXPECT_NE(std::string(EP_Last_error()).find("rank 1 asks for another kind"), std::string::npos)
        << EP_Last_error();
    EXPECT_EQ(
        EP_Comm_split_type(comm.get(), odd ? 4711 : EP_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made),
        EP_ERR_ARG);
    EXPECT_NE(std::string(EP_Last_error()).find("rank 1 gives type 4711"), std::string::npos)
        << EP_Last_error();
  });
}

}  // namespace
}  // namespace ep::test::locality_test
