// Records what an endpoint does in a communicator, for the trace and the statistics. Endpoints have
// an account only on request, so that others pay one check. In order: texts, waits, messages,
// collectives, places in the job, and the scope of a call.
#include "traces/account.hpp"

#include <cstring>
#include <vector>

#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// "the receiver of a message (EP_Send)" -> "EP_Send".
std::string_view name_of_call(std::string_view what) {
  const std::size_t open = what.rfind('(');
  if (open == std::string_view::npos || !what.ends_with(')')) return what;
  return what.substr(open + 1, what.size() - open - 2);
}

double seconds(Account::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

std::string text(const char* key, std::string_view value) {
  return std::string(",\"") + key + "\":\"" + json_text(value) + "\"";
}

std::string microseconds(double time_s) { return ",\"waited_us\":" + std::to_string(1e6 * time_s); }

std::vector<std::string> awaited_by(const HeardWait& wait) {
  if (wait.spec.peer < 0) return wait.absent;
  return {"rank " + std::to_string(wait.spec.peer)};
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : "; ") + name;
  return out;
}

std::string waited_for(const std::string& whom) {
  return whom.empty() ? std::string() : text("waited_for", whom);
}

/// Communicators of one process have no number on a wire.
struct CommunicatorInside final : Extension {
  static constexpr Room room = Room::traces;
  const std::uint64_t number = process().next_uid();
};

// A moment that viewers show.
constexpr std::chrono::nanoseconds moment{1};

}  // namespace

Account::Account(Observation& observation, Clique& clique, const Ears& ears)
    : observation_(observation),
      trace_(observation.trace()),
      clique_(clique),
      point_(clique.slot(ears.slot)),
      ears_(ears) {
  totals_.communicators = ears.rank == 0 ? 1 : 0;
  observation_.enter(*this);
}

Account::~Account() { observation_.leave(*this); }

void Account::hear_end(const HeardWait& wait) noexcept {
  static_cast<void>(guarded([&] {
    const double waited_s = seconds(wait.end - wait.begin);
    const std::vector<std::string> whom = awaited_by(wait);
    {
      const std::lock_guard lock(mutex_);
      totals_.add_wait(waited_s, whom);
    }
    if (trace_ == nullptr) return;
    if (HeardCall* const call = HeardCall::innermost(); call != nullptr && call->account_ == this) {
      call->open_->waited_s += waited_s;
      if (!whom.empty()) call->open_->waited_for = joined(whom);
      return;
    }
    CallFacts facts;
    facts.what = wait.spec.reason;
    facts.peer = wait.spec.peer;
    line(facts, "wait", wait.begin, wait.end, microseconds(waited_s) + waited_for(joined(whom)));
  }));
}

// Records a long wait before the job is killed for it, so that the file has it.
void Account::hear_still(const HeardWait& wait) noexcept {
  if (trace_ == nullptr) return;
  static_cast<void>(guarded([&] {
    CallFacts facts;
    facts.peer = wait.spec.peer;
    const std::string name = json_text(std::string("still waits for ") + wait.spec.reason);
    trace_->add(ears_.id, wait.end,
                R"("name":")" + name + R"(","cat":"wait","ph":"i","s":"t","args":{)" +
                    common(facts) + microseconds(seconds(wait.end - wait.begin)) +
                    waited_for(joined(awaited_by(wait))) + "}");
    trace_->flush();
  }));
}

void Account::send(int peer, int tag, std::int64_t bytes, Clock::time_point time) {
  const std::lock_guard lock(mutex_);
  ++totals_.messages;
  totals_.message_bytes += bytes;
  if (trace_ == nullptr) return;
  const std::uint64_t number = ++sent_[{peer, tag}];
  trace_->add(ears_.id, time,
              R"("name":"message","cat":"message","ph":"s","id":")" + place_of(peer) +
                  flow(ears_.rank, tag, number) + "\"");
}

void Account::receive(int source, int tag, std::int64_t bytes) noexcept {
  if (trace_ == nullptr) return;
  static_cast<void>(guarded([&] {
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = ++received_[{source, tag}];
    CallFacts facts;
    facts.what = "received";
    facts.bytes = bytes;
    facts.peer = source;
    facts.tag = tag;
    line(facts, "message", now, now + moment, {});
    trace_->add(ears_.id, now,
                R"("name":"message","cat":"message","ph":"f","bp":"e","id":")" + own_place() +
                    flow(source, tag, number) + "\"");
  }));
}

void Account::end_collective(const CallFacts& facts,
                             std::optional<Clock::time_point> begin) noexcept {
  static_cast<void>(guarded([&] {
    const std::lock_guard lock(mutex_);
    ++totals_.collectives;
    totals_.collective_bytes += facts.bytes;
    if (!facts.algorithm.empty()) {
      ++totals_.algorithms[std::string(facts.what) + " " + std::string(facts.algorithm)];
    }
    if (trace_ == nullptr || !begin) return;
    // Others may overlap with it: a track of its own.
    const std::string id = own_place() + ":" + std::to_string(totals_.collectives);
    const std::string name =
        R"("name":")" + std::string(facts.what) + R"(","cat":"collective","id":")" + id + "\"";
    trace_->add(ears_.id, *begin, name + R"(,"ph":"b","args":{)" + common(facts) + "}");
    trace_->add(ears_.id, Clock::now(), name + R"(,"ph":"e")");
  }));
}

void Account::give(Statistics& statistics) {
  const std::lock_guard lock(mutex_);
  if (!observation_.counts()) return;
  statistics.add(registry().name_of(point_), point_.size, totals_);
  totals_ = {};
}

void Account::line(const CallFacts& facts, const char* category, Clock::time_point begin,
                   Clock::time_point end, std::string_view more) {
  if (trace_ == nullptr) return;
  const bool is_wait = std::strcmp(category, "wait") == 0;
  const std::string name =
      is_wait ? std::string("waits for ") + facts.what : std::string(name_of_call(facts.what));
  trace_->add(ears_.id, begin, end,
              R"("name":")" + json_text(name) + R"(","cat":")" + category +
                  R"(","ph":"X","args":{)" + common(facts) + std::string(more) + "}");
}

std::string Account::common(const CallFacts& facts) const {
  const std::string name = registry().name_of(point_);
  std::string out = R"("comm":")" + (name.empty() ? "(unnamed)" : json_text(name)) +
                    R"(","rank":)" + std::to_string(ears_.rank);
  if (facts.bytes >= 0) out += ",\"bytes\":" + std::to_string(facts.bytes);
  if (facts.peer >= 0) out += ",\"peer\":" + std::to_string(facts.peer);
  if (facts.tag >= 0) out += ",\"tag\":" + std::to_string(facts.tag);
  if (!facts.algorithm.empty()) out += text("algorithm", facts.algorithm);
  return out;
}

std::string Account::flow(int source, int tag, std::uint64_t number) const {
  return ":" + std::to_string(source) + ":" + std::to_string(tag) + ":" + std::to_string(number);
}

// Sender and receiver say the same.
std::string Account::place_in_job(int world_rank, std::uint32_t context, int slot) const {
  const std::uint64_t number =
      clique_.wire() ? context : clique_.extensions().get<CommunicatorInside>().number;
  return std::to_string(world_rank) + (clique_.wire() ? "." : ".inside.") + std::to_string(number) +
         "." + std::to_string(slot);
}

std::string Account::own_place() const {
  return place_in_job(observation_.world_rank(), clique_.context(), ears_.slot);
}

std::string Account::place_of(int peer) const {
  const Place place = clique_.remote_group(ears_.side).place(peer);
  const ProcessRef& process = clique_.process(place.process);
  return place_in_job(process.world_rank, process.context, place.slot);
}

HeardCall*& HeardCall::innermost() noexcept {
  struct Innermost {
    HeardCall* call = nullptr;
  };
  thread_local Innermost innermost;
  return innermost.call;
}

void HeardCall::begin(Kind kind, const CallFacts& facts) {
  open_.emplace(Open{kind, facts, Account::Clock::now(), 0, {}, innermost()});
  innermost() = this;
  if (kind == Kind::send && facts.peer != EP_PROC_NULL) {
    // The message is sent even if it cannot be recorded.
    static_cast<void>(
        guarded([&] { account_->send(facts.peer, facts.tag, facts.bytes, open_->begin); }));
  }
}

void HeardCall::end() noexcept {
  innermost() = open_->outer;
  static_cast<void>(guarded([this] {
    const std::string more = microseconds(open_->waited_s) + waited_for(open_->waited_for);
    account_->line(open_->facts, open_->kind == Kind::collective ? "collective" : "message",
                   open_->begin, Account::Clock::now(), more);
  }));
}

}  // namespace ep
