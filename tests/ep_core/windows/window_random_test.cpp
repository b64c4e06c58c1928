// Random epochs in windows of all kinds. Every endpoint draws the accesses of all, so that it can
// recompute the memory of all, and compares its own.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include "windows/window_layouts.hpp"

namespace ep::test::window_random_test {
namespace {

using Kind = TestWindow::Kind;

class RandomEpochs : public WindowLayouts {};
INSTANTIATE_TEST_SUITE_P(Kinds, RandomEpochs, testing::ValuesIn(window_layouts()), name_of_layout);

// A segment: words that all add to, then a region for each origin, in chunks of which an epoch uses
// each at most once.
constexpr int shared_words = 4;
constexpr int chunks = 6;
constexpr int chunk_words = 12;

enum class What { put, get, replace, add_to_shared, largest_of_shared, fetch };

struct Step {
  What what;
  int target;
  int chunk;
  int count;
  bool strided;  ///< every second word at the target
  long value;
};

enum class Sync { fence, lock_all, locks, groups };

class Model {
 public:
  explicit Model(int endpoints)
      : endpoints_(endpoints),
        words_(static_cast<std::size_t>(endpoints),
               std::vector<long>(static_cast<std::size_t>(words(endpoints)), 0)) {}

  static int words(int endpoints) { return shared_words + endpoints * chunks * chunk_words; }
  static int first_word(const Step& step, int origin) {
    return shared_words + (origin * chunks + step.chunk) * chunk_words;
  }
  std::vector<long>& segment(int rank) { return words_[static_cast<std::size_t>(rank)]; }

  /// What an origin reads is what was there before the epoch.
  std::vector<long> read(const Step& step, int origin) {
    std::vector<long> out;
    for (int i = 0; i < step.count; ++i) out.push_back(at(step, origin, i));
    return out;
  }

  void apply(const Step& step, int origin) {
    long& shared = segment(step.target)[static_cast<std::size_t>(step.chunk % shared_words)];
    for (int i = 0; i < step.count; ++i) {
      switch (step.what) {
        case What::put:
        case What::replace:
          at(step, origin, i) = step.value + i;
          break;
        case What::fetch:
          at(step, origin, i) += step.value + i;
          break;
        case What::add_to_shared:
          shared += step.value;
          return;
        case What::largest_of_shared:
          shared = std::max(shared, step.value);
          return;
        case What::get:
          return;
      }
    }
  }

  [[nodiscard]] int endpoints() const { return endpoints_; }

 private:
  long& at(const Step& step, int origin, int i) {
    const int word = first_word(step, origin) + (step.strided ? 2 * i : i);
    return segment(step.target)[static_cast<std::size_t>(word)];
  }

  int endpoints_;
  std::vector<std::vector<long>> words_;
};

/// The accesses of one origin in one epoch. Sums and maxima of one epoch go to different words.
std::vector<Step> draw(unsigned seed, int round, int origin, int endpoints) {
  std::mt19937 random(seed * 1000003U + static_cast<unsigned>(round * 131 + origin));
  const auto upto = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  std::vector<Step> steps;
  for (int target = 0; target < endpoints; ++target) {
    for (int chunk = 0; chunk < chunks; ++chunk) {
      if (upto(2) == 0) continue;
      Step step{static_cast<What>(upto(6)),         target, chunk, 1 + upto(6), upto(2) == 0,
                1000L * round + 10 * origin + chunk};
      if (step.what == What::add_to_shared) step.chunk = upto(2);
      if (step.what == What::largest_of_shared) step.chunk = 2 + upto(2);
      steps.push_back(step);
    }
  }
  std::shuffle(steps.begin(), steps.end(), random);
  return steps;
}

/// One origin's accesses with the buffers that they need until the epoch ends.
class Origin {
 public:
  Origin(const TestWindow& window, int rank) : window_(window), rank_(rank) {}

  void access(const Step& step) {
    std::vector<long>& values = buffers_.emplace_back(static_cast<std::size_t>(step.count));
    std::iota(values.begin(), values.end(), step.value);
    std::vector<long>& result = results_.emplace_back(static_cast<std::size_t>(step.count), -1);
    EP_Win const win = window_.get();
    MPI_Datatype type = MPI_LONG;
    int count = step.count;
    if (step.strided) {
      MPI_Type_vector(step.count, 1, 2, MPI_LONG, &type);
      MPI_Type_commit(&type);
      count = 1;
    }
    const MPI_Aint own = window_.at(step.target, Model::first_word(step, rank_));
    const MPI_Aint shared = window_.at(step.target, step.chunk % shared_words);
    switch (step.what) {
      case What::put:
        check(EP_Put(values.data(), step.count, MPI_LONG, step.target, own, count, type, win));
        break;
      case What::get:
        check(EP_Get(result.data(), step.count, MPI_LONG, step.target, own, count, type, win));
        break;
      case What::replace:
        check(EP_Accumulate(values.data(), step.count, MPI_LONG, step.target, own, count, type,
                            MPI_REPLACE, win));
        break;
      case What::fetch:
        check(EP_Get_accumulate(values.data(), step.count, MPI_LONG, result.data(), step.count,
                                MPI_LONG, step.target, own, count, type, MPI_SUM, win));
        break;
      case What::add_to_shared:
        check(
            EP_Accumulate(&values[0], 1, MPI_LONG, step.target, shared, 1, MPI_LONG, MPI_SUM, win));
        break;
      case What::largest_of_shared:
        check(
            EP_Accumulate(&values[0], 1, MPI_LONG, step.target, shared, 1, MPI_LONG, MPI_MAX, win));
        break;
    }
    if (step.strided) MPI_Type_free(&type);
  }
  const std::vector<long>& result(std::size_t i) const { return results_[i]; }

 private:
  const TestWindow& window_;
  int rank_;
  std::vector<std::vector<long>> buffers_;
  std::vector<std::vector<long>> results_;
};

void make_accesses(Sync sync, const std::vector<Step>& steps, Origin& origin, EP_Win win,
                   int endpoints) {
  EP_Group all = EP_GROUP_NULL;
  switch (sync) {
    case Sync::fence:
      check(EP_Win_fence(0, win));
      for (const Step& step : steps) origin.access(step);
      check(EP_Win_fence(EP_MODE_NOSUCCEED, win));
      break;
    case Sync::lock_all:
      check(EP_Win_lock_all(0, win));
      for (std::size_t i = 0; i < steps.size(); ++i) {
        origin.access(steps[i]);
        if (i % 5 == 0) check(EP_Win_flush(steps[i].target, win));
        if (i % 7 == 0) check(EP_Win_flush_local_all(win));
      }
      check(EP_Win_unlock_all(win));
      break;
    case Sync::locks:
      for (int target = 0; target < endpoints; ++target) {
        const int type = target % 2 == 0 ? EP_LOCK_SHARED : EP_LOCK_EXCLUSIVE;
        check(EP_Win_lock(type, target, 0, win));
        for (const Step& step : steps) {
          if (step.target == target) origin.access(step);
        }
        check(EP_Win_unlock(target, win));
      }
      break;
    case Sync::groups:
      check(EP_Win_get_group(win, &all));
      check(EP_Win_post(all, 0, win));
      check(EP_Win_start(all, 0, win));
      for (const Step& step : steps) origin.access(step);
      check(EP_Win_complete(win));
      check(EP_Win_wait(win));
      check(EP_Group_free(&all));
      break;
  }
}

unsigned chosen_seed() {
  const char* const chosen = std::getenv("EP_TEST_SEED");
  return chosen != nullptr ? static_cast<unsigned>(std::atoi(chosen)) : 17U;
}

TEST_P(RandomEpochs, have_the_memory_that_random_epochs_leave) {
  const auto [kind, least] = GetParam();
  const int endpoints = std::max(least, processes());
  const unsigned seed = chosen_seed();
  run_endpoints(endpoints, [kind = kind, endpoints, seed](const Comm& comm) {
    const TestWindow window(kind, comm, Model::words(endpoints));
    Model model(endpoints);
    constexpr int rounds = 24;
    for (int round = 0; round < rounds; ++round) {
      const auto sync = static_cast<Sync>((seed + static_cast<unsigned>(round)) % 4);
      std::vector<Step> mine = draw(seed, round, comm.rank(), endpoints);
      if (sync == Sync::locks) {
        std::stable_sort(mine.begin(), mine.end(),
                         [](const Step& a, const Step& b) { return a.target < b.target; });
      }
      Origin origin(window, comm.rank());
      make_accesses(sync, mine, origin, window.get(), endpoints);
      check(EP_Barrier(comm.get()));
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (mine[i].what != What::get && mine[i].what != What::fetch) continue;
        ASSERT_EQ(origin.result(i), model.read(mine[i], comm.rank())) << "round " << round;
      }
      for (int rank = 0; rank < endpoints; ++rank) {
        for (const Step& step : draw(seed, round, rank, endpoints)) model.apply(step, rank);
      }
      const std::vector<long> now(window.words(), window.words() + Model::words(endpoints));
      ASSERT_EQ(now, model.segment(comm.rank())) << "round " << round << ", seed " << seed;
      check(EP_Barrier(comm.get()));
    }
  });
}

}  // namespace
}  // namespace ep::test::window_random_test
