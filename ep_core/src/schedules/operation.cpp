// A pending collective operation, as drawn in the header: endpoints arrive, any thread drives
// stages of work items and transfers, all leave. In order: arrival, the steps, work items,
// transfers, the end and giving up, errors, and the two ways to run one.
#include "schedules/operation.hpp"

#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "schedules/collective_rendezvous.hpp"
#include "schedules/kept_types.hpp"
#include "traces/account.hpp"

namespace ep {

namespace {

// If MPI fails to deliver so often, which takes about a second, the failure is permanent.
constexpr int most_traffic_errors = 1000;
constexpr std::chrono::milliseconds pause_after_traffic_error{1};

}  // namespace

TypedView Blocks::block(int index) const {
  const auto i = static_cast<std::size_t>(index);
  if (types != nullptr) {
    return {static_cast<std::byte*>(base) + displacements[i], count(i), types[i]};
  }
  const std::int64_t elements = displacements ? displacements[i] : index * uniform;
  if (elements == 0) return {base, count(i), type};
  return {element_address(base, elements, type), count(i), type};
}

void Recipe::run_item(Operation& operation, int stage, int item) const {
  static_cast<void>(operation);
  fail(EP_ERR_INTERN, "stage ", stage, " of a collective has no item ", item, ".");
}

Operation::Operation(CollectiveRendezvous& rendezvous, int slots)
    : rendezvous_(rendezvous), contributions_(static_cast<std::size_t>(slots)) {}

const RankTable& Operation::opposite_group(int side) const { return clique_->remote_group(side); }

Participants Operation::all_processes() const noexcept {
  return {clique_->process_count(), clique_->my_process(), nullptr};
}

void Operation::unpin() noexcept {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) rendezvous_.recycle(*this);
}

void Operation::arrive(const Member& member, const Call& call, Request* request) {
  Contribution& mine = contribution(member.slot);
  mine.call = call;
  mine.side = member.side;
  mine.rank = member.rank;
  mine.request = request;
  if (account_at(member.place()) != nullptr) {
    heard_.store(true, std::memory_order_relaxed);
    if (request != nullptr) mine.begin = std::chrono::steady_clock::now();
  }
  mine.has_come.store(true, std::memory_order_release);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == slot_count()) advance();
}

// Advances the operation along the states drawn in the header.
bool Operation::advance() {
  bool moved = false;
  do {
    moved = run_items() || moved;
    turn_.step_or_leave_word([&] { moved = step() || moved; });
  } while (run_items());
  return moved;
}

// Takes several steps at once, until another thread or process is needed.
bool Operation::step() {
  const std::uint64_t rounds = run_.rounds_begun();
  bool moved = false;
  while (true) {
    switch (phase_) {
      case Phase::arrivals:
        if (arrived_.load(std::memory_order_acquire) < slot_count()) return moved;
        attempt([this] { check_same_call(); });
        phase_ = Phase::begin;
        break;
      case Phase::begin:
        begin_stage();
        break;
      case Phase::items:
        if (!items_.are_done()) return moved;
        run_.lose(spoiled_.load());
        phase_ = Phase::transfers;
        break;
      case Phase::transfers: {
        bool complete = true;
        attempt([&] { complete = run_.advance(schedule_, clique_); });
        if (!complete) {
          let_others_help();
          return moved || run_.rounds_begun() != rounds;
        }
        end_transfers();
        phase_ = Phase::begin;
        break;
      }
      case Phase::over:
        return moved;
    }
    moved = true;
  }
}

void Operation::begin_stage() {
  ++stage_;
  schedule_.clear();
  now_ = {};
  now_.over = true;  // unless the recipe says more
  if (contributions_.front().error == EP_SUCCESS || stage_ > 1) {
    attempt([this] { now_ = contributions_.front().call.recipe->begin(*this, stage_); });
  }
  if (now_.over) {
    phase_ = Phase::over;
    finish();
    return;
  }
  run_.begin(rendezvous_.tag_of(number_), what());
  run_.lose(spoiled_.load());
  if (now_.communicates_first) attempt([this] { run_.advance(schedule_, clique_); });
  phase_ = Phase::items;
  const bool alone = slot_count() == 1 || !StageItems::can_hold(now_.items);
  if (!now_.heavy || alone) {
    for (int item = 0; item < now_.items; ++item) run_item(stage_, item);
    return;
  }
  items_.open(stage_, now_.items);
  let_others_help();
  notify_endpoints();
  wake_helpers();
}

bool Operation::run_items() {
  return items_.run([this](int stage, int item) { run_item(stage, item); });
}

void Operation::run_item(int stage, int item) noexcept {
  if (is_spoiled()) return;
  attempt([&] { contributions_.front().call.recipe->run_item(*this, stage, item); });
}

void Operation::end_transfers() {
  if (run_.error() != EP_SUCCESS) fail_all(run_.error(), run_.error_text());
}

// Registered at most once, with a pin of the engine's.
void Operation::let_others_help() {
  if (watched_) return;
  watched_ = true;
  pin();
  engine().watch(*this);
}

void Operation::check_same_call() {
  const Contribution& first = contributions_.front();
  for (const Contribution& other : contributions_) {
    if (std::strcmp(other.call.what, first.call.what) == 0) continue;
    fail(EP_ERR_OTHER, "endpoints of one process call ", first.call.what, " and ", other.call.what,
         " at the same time (collective operations must be called in one order).");
  }
}

// Once it is over, blocking participants may leave: the caller holds a pin of its own.
void Operation::finish() {
  kept_.reset();
  if (heard_.load(std::memory_order_relaxed)) tell_listeners();
  int requests = 0;
  for (Contribution& c : contributions_) {
    if (c.request == nullptr) continue;
    for (std::vector<MPI_Datatype>* const types : {&c.send_types, &c.receive_types}) {
      for (const MPI_Datatype type : *types) drop_type(type);
      types->clear();
    }
    c.topology.reset();
    complete_collective(*std::exchange(c.request, nullptr), c.error, c.error_text);
    ++requests;
  }
  over_.store(true, std::memory_order_seq_cst);
  // A single endpoint is notified, too, since a thread that waits for something else may have
  // driven its operation.
  notify_endpoints();
  for (; requests > 0; --requests) unpin();
}

// Ends an operation that only waits for other processes, when MPI delivers nothing any more.
bool Operation::give_up(int code, const std::string& text) {
  turn_.take();
  const bool waits_for_others = phase_ == Phase::transfers;
  if (waits_for_others) {
    fail_all(code, text);
    run_.withdraw();
    phase_ = Phase::over;
    finish();
  }
  turn_.give_back();
  return waits_for_others;
}

void Operation::notify_endpoints() {
  registry().notify_all(slot_count(),
                        [this](int slot) -> WaitPoint& { return clique_->slot(slot); });
}

template <class Work>
void Operation::attempt(Work&& work) noexcept {
  const int code = guarded(std::forward<Work>(work));
  if (code != EP_SUCCESS) fail_all(code, last_error());
}

void Operation::fail_slot(int slot, int code, const std::string& text) {
  const std::lock_guard lock(error_mutex_);
  Contribution& c = contribution(slot);
  if (c.error != EP_SUCCESS) return;
  c.error = code;
  c.error_text = text;
}

void Operation::fail_all(int code, const std::string& text) {
  int none = 0;
  spoiled_.compare_exchange_strong(none, code, std::memory_order_acq_rel);
  for (int slot = 0; slot < slot_count(); ++slot) fail_slot(slot, code, text);
}

// Other endpoints of the process read this caller's buffers. So an error of the communication,
// which may belong to any operation, does not let the caller leave before the end.
void wait_until_over(Endpoint& endpoint, Operation& operation, const char* what) {
  const WaitSpec spec{.reason = what, .awaited = &operation};
  const auto ready = [&operation] {
    if (!operation.is_over()) operation.advance();
    return operation.is_over();
  };
  int first = EP_SUCCESS;
  std::string text;
  for (int errors = 1; !operation.is_over(); ++errors) {
    const int code = guarded([&] { registry().wait(endpoint.place(), spec, ready); });
    if (code == EP_SUCCESS) break;
    if (first == EP_SUCCESS) {
      first = code;
      text = last_error();
    }
    if (errors >= most_traffic_errors && operation.give_up(code, text)) break;
    std::this_thread::sleep_for(pause_after_traffic_error);
  }
  // The error is recorded only here, since an error recorded at the beginning would prevent the
  // whole operation.
  if (first != EP_SUCCESS) operation.fail_slot(endpoint.slot, first, text);
}

void run(Endpoint& endpoint, const Call& call) {
  const std::shared_ptr<Clique> clique = endpoint.clique;
  HeardCall heard(endpoint.place(), HeardCall::Kind::collective, {call.what, -1, -1, -1, {}});
  Operation& operation = rendezvous_of(*clique).join(++endpoint.operations, clique);
  operation.arrive(endpoint, call, nullptr);
  if (!operation.is_over()) wait_until_over(endpoint, operation, call.what);
  if (heard) heard.facts() = operation.facts(endpoint.slot);
  const Contribution& mine = operation.contribution(endpoint.slot);
  const int code = mine.error;
  const std::string text = code != EP_SUCCESS ? mine.error_text : std::string();
  operation.unpin();
  if (code != EP_SUCCESS) throw Error(code, text);
}

EP_Request start(Endpoint& endpoint, const Call& call, std::shared_ptr<void> kept_alive) {
  const std::shared_ptr<Clique> clique = endpoint.clique;
  // Everything that may fail happens before other endpoints see the call.
  Call kept = call;
  KeptTypes send_types(kept.send, kept.out.count);
  KeptTypes receive_types(kept.receive, kept.in.count);
  ep_request* const request = request_arena().take();
  prepare(*request, endpoint, MappedView{}, call.what);
  request->kept = std::move(kept_alive);
  request->alive.store(request_alive);
  Operation& operation = rendezvous_of(*clique).join(++endpoint.operations, clique);
  request->awaited = &operation;
  Contribution& mine = operation.contribution(endpoint.slot);
  mine.topology = endpoint.topology;
  send_types.give(mine.send_types);
  receive_types.give(mine.receive_types);
  operation.pin();
  operation.arrive(endpoint, kept, request);
  operation.unpin();
  return request;
}

}  // namespace ep
