// Teams of helper threads: joining, helping while waiting to leave, and the rounds of both models.
// In order: the thread's own state, opening and closing, joining, leaving and the end of a round,
// helping, and the table of all teams, which offers work to them.
#include "teams/team.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// Time to wait for threads that join just after others have begun to leave.
constexpr std::chrono::milliseconds latecomers_time{1};
constexpr std::chrono::milliseconds pause_after_traffic_error{1};

/// The team the calling thread is in; breaks out of it when the thread ends.
struct JoinedTeam {
  Team* team = nullptr;
  JoinedTeam() = default;
  JoinedTeam(const JoinedTeam&) = delete;
  JoinedTeam(JoinedTeam&&) = delete;
  JoinedTeam& operator=(const JoinedTeam&) = delete;
  JoinedTeam& operator=(JoinedTeam&&) = delete;
  ~JoinedTeam() {
    if (team != nullptr) team->lose_thread();
  }
};

JoinedTeam& this_thread() {
  thread_local JoinedTeam joined;
  return joined;
}

}  // namespace

void Team::open(int size, bool synchronous) {
  const std::lock_guard lock(mutex_);
  size_ = size;
  synchronous_ = synchronous;
  join_reason_ = "all " + std::to_string(size) + " threads of a synchronous team (EP_Team_join)";
  leave_reason_ = "the other threads of its team (EP_Team_leave)";
  is_open_.store(true, std::memory_order_release);
}

void Team::close() {
  const std::lock_guard lock(mutex_);
  if (in_ > 0) {
    fail(EP_ERR_OTHER, "EP_Team_free of a team with ", in_, in_ == 1 ? " thread" : " threads",
         " in it (each leaves or breaks out first).");
  }
  if (has_helpers()) {
    fail(EP_ERR_OTHER,
         "EP_Team_free of a team that threads help (EP_Team_help_until). Have they "
         "returned?");
  }
  is_open_.store(false, std::memory_order_release);
}

Team::Round Team::enter() {
  const std::lock_guard lock(mutex_);
  if (in_ == size_) {
    fail(EP_ERR_OTHER, "EP_Team_join of a team that is full (", size_,
         size_ == 1 ? " thread" : " threads", "). Create a larger one?");
  }
  const Round round = round_.load();
  ++in_;
  ++came_;
  update_settled();
  if (came_ == size_) gathered_.store(round + 1, std::memory_order_seq_cst);
  return round;
}

void Team::join() {
  JoinedTeam& me = this_thread();
  if (me.team == this) {
    fail(EP_ERR_OTHER, "EP_Team_join by a thread that is in this team. Leave it first?");
  }
  if (me.team != nullptr) {
    fail(EP_ERR_OTHER,
         "EP_Team_join by a thread that is in another team (one at a time). Leave that first?");
  }
  const Round round = enter();
  me.team = this;
  registry().notify(point_);
  if (!synchronous_) return;
  help_until(join_reason_.c_str(), 0,
             [&] { return gathered_.load(std::memory_order_seq_cst) > round; });
}

// Under the lock, as the following ones.
void Team::update_settled() noexcept {
  is_settled_.store(in_ > 0 && leaving_ == in_, std::memory_order_seq_cst);
}

void Team::end_round() noexcept {
  in_ = 0;
  leaving_ = 0;
  came_ = 0;
  update_settled();
  round_.fetch_add(1, std::memory_order_seq_cst);
}

void Team::remove_one() noexcept {
  --in_;
  if (leaving_ == in_) {
    end_round();
  } else {
    update_settled();
  }
}

Team::Round Team::begin_to_leave(const char* call) {
  JoinedTeam& me = this_thread();
  if (me.team != this) {
    fail(EP_ERR_OTHER, call, " by a thread that is in ", me.team == nullptr ? "no" : "another",
         " team. Join first?");
  }
  const std::lock_guard lock(mutex_);
  const Round round = round_.load();
  ++leaving_;
  update_settled();
  if (leaving_ == in_ && came_ >= size_) end_round();
  me.team = nullptr;
  return round;
}

void Team::leave() {
  const Round round = begin_to_leave("EP_Team_leave");
  if (!is_over(round) && !synchronous_) wait_for_latecomers(round);
  registry().notify(point_);
  if (!is_over(round)) help_until(leave_reason_.c_str(), 0, [&] { return is_over(round); });
  if (torn_.load(std::memory_order_seq_cst) == round + 1) {
    fail(EP_ERR_OTHER,
         "a thread ended inside a synchronous team (all of its threads leave together). Call "
         "EP_Team_leave in each?");
  }
}

// The last of the joined threads ends the round, but not at once: a team is of little use if its
// threads leave before the thread with the work has joined.
void Team::wait_for_latecomers(Round round) {
  using Clock = WaitRegistry::Clock;
  const auto someone_came = [&] { return !is_settled_.load(std::memory_order_seq_cst); };
  if (someone_came()) return;
  const Clock::time_point end = Clock::now() + latecomers_time;
  help_until(leave_reason_.c_str(), std::chrono::duration<double>(latecomers_time).count(),
             [&] { return is_over(round) || someone_came() || Clock::now() >= end; });
  const std::lock_guard lock(mutex_);
  if (!is_over(round) && leaving_ == in_) end_round();
}

void Team::break_out() {
  JoinedTeam& me = this_thread();
  if (me.team != this) {
    fail(EP_ERR_OTHER, "EP_Team_break by a thread that is in ",
         me.team == nullptr ? "no" : "another", " team. Join first?");
  }
  if (synchronous_) {
    fail(EP_ERR_OTHER,
         "EP_Team_break of a synchronous team (all of its threads leave together). Call "
         "EP_Team_leave?");
  }
  {
    const std::lock_guard lock(mutex_);
    remove_one();
  }
  me.team = nullptr;
  registry().notify(point_);
}

void Team::lose_thread() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (synchronous_) torn_.store(round_.load() + 1, std::memory_order_seq_cst);
    remove_one();
  }
  registry().notify(point_);
}

// The thread that communicates gets errors of the communication; a helper stays with its team.
void Team::help_until(const char* reason, double max_sleep_s, Condition ready) {
  WaitSpec spec{reason, -1, max_sleep_s};
  spec.drives = process().thread_level() == MPI_THREAD_MULTIPLE;
  const auto look = [&] {
    while (board_.help_once()) {
      if (ready()) return true;
    }
    if (spec.drives) engine().progress();
    return ready();
  };
  helpers_.fetch_add(1, std::memory_order_seq_cst);
  teams().count_helper(1);
  while (guarded([&] { registry().wait(point_, spec, look); }) != EP_SUCCESS) {
    std::this_thread::sleep_for(pause_after_traffic_error);
  }
  teams().count_helper(-1);
  helpers_.fetch_sub(1, std::memory_order_seq_cst);
}

ep_team& Teams::make(int size, bool synchronous) {
  ep_team& team = *handles_.take();
  team.open(size, synchronous);
  use_helpers(*this);
  const std::lock_guard lock(mutex_);
  all_.push_back(&team);
  return team;
}

ep_team& Teams::find(EP_Team handle) const {
  if (handle == EP_TEAM_NULL || !handles_.contains(handle) || !handle->is_open()) {
    fail(EP_ERR_ARG, "the team is not valid (EP_TEAM_NULL, freed, or not a team).");
  }
  return *handle;
}

void Teams::free(ep_team& team) {
  team.close();
  {
    const std::lock_guard lock(mutex_);
    std::erase(all_, &team);
  }
  handles_.give(&team);
}

Team* Teams::find_helpers() {
  if (!has_helpers()) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(all_.begin(), all_.end(), [](const Team* team) { return team->has_helpers(); });
  return found != all_.end() ? *found : nullptr;
}

void Teams::wake() noexcept {
  if (!has_helpers()) return;
  const std::lock_guard lock(mutex_);
  for (Team* const team : all_) {
    if (team->has_helpers()) registry().notify(team->point());
  }
}

bool Teams::are_available() const noexcept {
  const Team* const team = this_thread().team;
  return team != nullptr ? team->has_others() : has_helpers();
}

WorkBoard::Place* Teams::offer(SharedWork& work) noexcept {
  if (!are_available()) return nullptr;
  Team* const joined = this_thread().team;
  Team* const team = joined != nullptr ? joined : find_helpers();
  if (team == nullptr) return nullptr;
  WorkBoard::Place* const place = team->board().hang_out(work);
  if (place != nullptr) registry().notify(team->point());
  return place;
}

Teams& teams() { return process().extension<Teams>(); }

}  // namespace ep
