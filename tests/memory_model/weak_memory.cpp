// The states of a program and the steps between them. A thread is what it has read so far, so that
// a state is a value, and states that were seen before are not tried again. In order: what threads
// know, states, the operations of threads, steps, the search.
#include "weak_memory.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace epios::memory_model {

namespace {

using Kind = Operation::Kind;

constexpr std::size_t most_atomics = 12;
constexpr std::size_t most_threads = 5;

/// For each atomic the oldest of its values that may still be read, and for each thread how many of
/// its accesses to plain data happened before.
struct Knowledge {
  std::array<std::uint8_t, most_atomics> seen{};
  std::array<std::uint8_t, most_threads> clock{};

  void join(const Knowledge& other) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = std::max(seen[i], other.seen[i]);
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other.clock[i]);
  }
};

/// One value of an atomic. They stand in the order of modification.
struct Message {
  Value value = 0;
  Knowledge released;      ///< what who acquires the value learns
  bool is_update = false;  ///< nothing comes between it and the one before
};

struct PlainState {
  Value value = 0;
  std::size_t writer = 0;
  std::uint8_t written = 0;
  std::array<std::uint8_t, most_threads> read{};
};

struct ThreadState {
  Knowledge now;
  Knowledge to_acquire;  ///< by the next fence
  Knowledge released;    ///< by the last fence
  std::vector<Value> history;
  bool is_over = false;
  bool sleeps = false;
  std::optional<Operation> next;
};

struct State {
  std::vector<std::vector<Message>> atomics;
  std::vector<PlainState> plains;
  std::vector<ThreadState> threads;
  Knowledge agreed;  ///< by sequentially consistent operations
};

struct Paused {
  Operation next;
};
struct GivenUp {};

bool acquires(Order order) {
  return order == Order::acquire || order == Order::acq_rel || order == Order::seq_cst;
}
bool releases(Order order) {
  return order == Order::release || order == Order::acq_rel || order == Order::seq_cst;
}

/// A hash of 128 bits, so that two states are never taken for one in practice.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    first_ = (first_ ^ word) * 0x9E3779B97F4A7C15ULL;
    first_ ^= first_ >> 29U;
    second_ = (second_ + word) * 0xC2B2AE3D27D4EB4FULL;
    second_ ^= second_ >> 31U;
  }
  void add(const Knowledge& knowledge) {
    std::array<std::uint64_t, 3> words{};
    static_assert(sizeof knowledge <= sizeof words);
    std::memcpy(words.data(), &knowledge, sizeof knowledge);
    for (const std::uint64_t word : words) add(word);
  }
  std::string text() const { return std::to_string(first_) + " " + std::to_string(second_); }

 private:
  std::uint64_t first_ = 1;
  std::uint64_t second_ = 2;
};

std::string fingerprint(const State& state) {
  Fingerprint out;
  out.add(state.agreed);
  for (const auto& messages : state.atomics) {
    out.add(messages.size());
    for (const Message& m : messages) {
      out.add(static_cast<std::uint64_t>(m.value) * 2 + (m.is_update ? 1U : 0U));
      out.add(m.released);
    }
  }
  for (const PlainState& plain : state.plains) {
    out.add(static_cast<std::uint64_t>(plain.value));
    out.add(plain.writer * 256 + plain.written);
    for (const std::uint8_t read : plain.read) out.add(read);
  }
  for (const ThreadState& thread : state.threads) {
    out.add(thread.now);
    out.add(thread.to_acquire);
    out.add(thread.released);
    out.add((thread.is_over ? 1U : 0U) + (thread.sleeps ? 2U : 0U) + 4 * thread.history.size());
    for (const Value value : thread.history) out.add(static_cast<std::uint64_t>(value));
  }
  return out.text();
}

/// What a step may read: a message of an atomic, by its position.
using Choice = std::size_t;

class Step {
 public:
  Step(State& state, std::size_t thread)
      : state_(state), index_(thread), me_(state.threads[thread]), op_(*me_.next) {}

  std::vector<Choice> choices() const;
  /// Takes the step; the thread has one more result.
  void take(Choice choice);

 private:
  std::size_t place() const { return static_cast<std::size_t>(op_.place); }
  std::vector<Message>& messages() const { return state_.atomics[place()]; }
  std::size_t oldest() const {
    const std::size_t own = me_.now.seen[place()];
    return op_.order == Order::seq_cst ? std::max<std::size_t>(own, state_.agreed.seen[place()])
                                       : own;
  }
  bool is_free_behind(Choice at) const {
    return at + 1 == messages().size() || !messages()[at + 1].is_update;
  }
  bool may_read(Choice at) const;
  void see(Choice at, Order order);
  void put(Choice behind, Value value, Order order, bool is_update);
  void fence(Order order);
  Value new_value(Value old) const;
  void access(bool is_write);
  void end(Value result) { me_.history.push_back(result); }

  State& state_;
  std::size_t index_;
  ThreadState& me_;
  Operation op_;
};

bool Step::may_read(Choice at) const {
  const Value value = messages()[at].value;
  switch (op_.kind) {
    case Kind::load:
      return true;
    case Kind::await:
      return op_.wanted(value);
    case Kind::compare_exchange:
      return value != op_.expected || is_free_behind(at);
    default:
      return is_free_behind(at);
  }
}

std::vector<Choice> Step::choices() const {
  switch (op_.kind) {
    case Kind::fence:
    case Kind::wake:
    case Kind::read:
    case Kind::write:
      return {0};
    case Kind::sleep:
      if (me_.sleeps) return {};
      return {0};
    default:
      break;
  }
  std::vector<Choice> out;
  for (Choice at = oldest(); at < messages().size(); ++at) {
    if (may_read(at)) out.push_back(at);
  }
  return out;
}

void Step::see(Choice at, Order order) {
  std::uint8_t& seen = me_.now.seen[place()];
  seen = std::max(seen, static_cast<std::uint8_t>(at));
  me_.to_acquire.join(messages()[at].released);
  if (acquires(order)) me_.now.join(messages()[at].released);
  if (order == Order::seq_cst) {
    std::uint8_t& agreed = state_.agreed.seen[place()];
    agreed = std::max(agreed, static_cast<std::uint8_t>(at));
  }
}

/// Puts a value behind another one; all positions from there on move up.
void Step::put(Choice behind, Value value, Order order, bool is_update) {
  const std::size_t at = behind + 1;
  const auto shift = [&](Knowledge& knowledge) {
    if (knowledge.seen[place()] >= at) ++knowledge.seen[place()];
  };
  shift(state_.agreed);
  for (ThreadState& thread : state_.threads) {
    shift(thread.now);
    shift(thread.to_acquire);
    shift(thread.released);
  }
  for (auto& all : state_.atomics) {
    for (Message& message : all) shift(message.released);
  }
  me_.now.seen[place()] = static_cast<std::uint8_t>(at);
  Message message;
  message.value = value;
  message.is_update = is_update;
  message.released = releases(order) ? me_.now : me_.released;
  message.released.seen[place()] = static_cast<std::uint8_t>(at);
  if (is_update) message.released.join(messages()[behind].released);  // a release sequence
  messages().insert(messages().begin() + static_cast<std::ptrdiff_t>(at), message);
  if (order == Order::seq_cst) {
    std::uint8_t& agreed = state_.agreed.seen[place()];
    agreed = std::max(agreed, static_cast<std::uint8_t>(at));
  }
}

void Step::fence(Order order) {
  if (acquires(order)) me_.now.join(me_.to_acquire);
  if (order == Order::seq_cst) {
    me_.now.join(state_.agreed);
    state_.agreed.seen = me_.now.seen;
  }
  if (releases(order)) me_.released = me_.now;
}

Value Step::new_value(Value old) const {
  switch (op_.kind) {
    case Kind::add:
      return old + op_.value;
    case Kind::with:
      return old | op_.value;
    case Kind::without:
      return old & ~op_.value;
    default:
      return op_.value;
  }
}

void Step::access(bool is_write) {
  PlainState& plain = state_.plains[place()];
  bool is_race = plain.written > me_.now.clock[plain.writer];
  for (std::size_t t = 0; is_write && t < most_threads; ++t) {
    is_race = is_race || plain.read[t] > me_.now.clock[t];
  }
  if (is_race) throw std::logic_error("a race for plain data");
  const std::uint8_t now = ++me_.now.clock[index_];
  if (is_write) {
    plain.value = op_.value;
    plain.writer = index_;
    plain.written = now;
  } else {
    plain.read[index_] = now;
  }
}

void Step::take(Choice choice) {
  switch (op_.kind) {
    case Kind::load:
    case Kind::await: {
      const Value value = messages()[choice].value;
      see(choice, op_.order);
      return end(value);
    }
    case Kind::store:
      put(choice, op_.value, op_.order, false);
      return end(0);
    case Kind::fence:
      fence(op_.order);
      return end(0);
    case Kind::sleep:  // the kernel compares under a lock that who wakes takes, too
      fence(Order::seq_cst);
      if (messages().back().value == op_.expected) {
        me_.sleeps = true;
        return;
      }
      return end(0);
    case Kind::wake:
      fence(Order::seq_cst);
      for (ThreadState& thread : state_.threads) {
        if (!thread.sleeps || thread.next->place != op_.place) continue;
        thread.sleeps = false;
        thread.now.join(state_.agreed);
        thread.history.push_back(0);
        thread.next.reset();
      }
      return end(0);
    case Kind::read:
      access(false);
      return end(state_.plains[place()].value);
    case Kind::write:
      access(true);
      return end(0);
    default:
      break;
  }
  const Value old = messages()[choice].value;
  if (op_.kind == Kind::compare_exchange && old != op_.expected) {
    see(choice, op_.order == Order::release   ? Order::relaxed
                : op_.order == Order::acq_rel ? Order::acquire
                                              : op_.order);
    end(0);
    return end(old);
  }
  see(choice, op_.order);
  put(choice, new_value(old), op_.order, true);
  if (op_.kind == Kind::compare_exchange) end(1);
  end(old);
}

class Search {
 public:
  explicit Search(const Program& program) : program_(program) {}

  Verdict run() {
    State first;
    for (const auto& [name, initial] : program_.atomics)
      first.atomics.push_back({{initial, {}, {}}});
    for (const auto& [name, initial] : program_.plains) first.plains.push_back({initial, 0, 0, {}});
    first.threads.resize(program_.threads.size());
    if (first.atomics.size() > most_atomics || first.threads.size() >= most_threads) {
      throw std::length_error("a program of too many parts");
    }
    try {
      look(std::move(first));
    } catch (const std::logic_error& mistake) {
      verdict_.mistake = mistake.what();
      verdict_.steps = steps_;
    }
    verdict_.states = seen_.size();
    return verdict_;
  }

 private:
  /// Runs the body up to what it does next. Returns false if the execution is given up.
  bool run_body(State& state, std::size_t index);
  bool settle(State& state);
  void look(State state);
  void look_at_end(State& state);
  void note(const State& before, const State& after, std::size_t thread, const Operation& op);

  const Program& program_;
  std::unordered_set<std::string> seen_;
  std::string steps_;
  Verdict verdict_;
};

bool Search::run_body(State& state, std::size_t index) {
  ThreadState& thread = state.threads[index];
  Thread self(thread.history);
  try {
    (index < program_.threads.size() ? program_.threads[index].body : program_.end)(self);
    thread.is_over = true;
  } catch (const Paused& paused) {
    thread.next = paused.next;
  } catch (const GivenUp&) {
    return false;
  }
  return true;
}

// Plain data need no order of their own: whoever accesses them in another order has raced.
bool Search::settle(State& state) {
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    while (!state.threads[t].is_over) {
      if (!state.threads[t].next && !run_body(state, t)) return false;
      if (!state.threads[t].next) break;
      const Operation next = *state.threads[t].next;
      if (next.kind != Kind::read && next.kind != Kind::write) break;
      note(state, state, t, next);
      Step(state, t).take(0);
      state.threads[t].next.reset();
    }
  }
  return true;
}

void Search::note(const State& before, const State& after, std::size_t thread,
                  const Operation& op) {
  static constexpr std::array names{"load", "await",   "store",   "exchange", "add",
                                    "or",   "and not", "compare", "fence",    "sleep",
                                    "wake", "read",    "write"};
  const bool is_plain = op.kind == Kind::read || op.kind == Kind::write;
  const auto& places = is_plain ? program_.plains : program_.atomics;
  steps_ += thread < program_.threads.size() ? program_.threads[thread].name : "end";
  steps_ += std::string(": ") + names.at(static_cast<std::size_t>(op.kind));
  if (op.kind != Kind::fence) steps_ += " " + places[static_cast<std::size_t>(op.place)].name;
  if (after.threads[thread].history.size() > before.threads[thread].history.size()) {
    steps_ += " = " + std::to_string(after.threads[thread].history.back());
  }
  steps_ += "\n";
}

void Search::look(State state) {
  const std::size_t depth = steps_.size();
  if (!settle(state) || !seen_.insert(fingerprint(state)).second) return steps_.resize(depth);
  bool moves = false;
  bool is_over = true;
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    if (state.threads[t].is_over) continue;
    is_over = false;
    for (const Choice choice : Step(state, t).choices()) {
      moves = true;
      State after = state;
      const std::size_t here = steps_.size();
      Step(after, t).take(choice);
      if (!after.threads[t].sleeps) after.threads[t].next.reset();
      note(state, after, t, *state.threads[t].next);
      look(std::move(after));
      steps_.resize(here);
    }
  }
  if (!moves && !is_over) throw std::logic_error("a thread waits for ever");
  if (is_over && state.threads.size() == program_.threads.size() && program_.end) {
    look_at_end(state);
  }
  steps_.resize(depth);
}

void Search::look_at_end(State& state) {
  ThreadState last;
  for (const ThreadState& thread : state.threads) last.now.join(thread.now);
  state.threads.push_back(std::move(last));
  look(std::move(state));
}

}  // namespace

Value Thread::perform(Operation operation) {
  if (history_.empty()) throw Paused{std::move(operation)};
  const Value out = history_.front();
  history_ = history_.subspan(1);
  return out;
}

Value Thread::load(Atomic a, Order order) { return perform({Kind::load, a.place, order}); }
Value Thread::await(Atomic a, Order order, Condition wanted) {
  return perform({Kind::await, a.place, order, 0, 0, std::move(wanted)});
}
void Thread::store(Atomic a, Value value, Order order) {
  perform({Kind::store, a.place, order, value});
}
Value Thread::exchange(Atomic a, Value value, Order order) {
  return perform({Kind::exchange, a.place, order, value});
}
Value Thread::fetch_add(Atomic a, Value value, Order order) {
  return perform({Kind::add, a.place, order, value});
}
Value Thread::fetch_or(Atomic a, Value value, Order order) {
  return perform({Kind::with, a.place, order, value});
}
Value Thread::fetch_and_not(Atomic a, Value value, Order order) {
  return perform({Kind::without, a.place, order, value});
}
bool Thread::compare_exchange(Atomic a, Value& expected, Value value, Order order) {
  const bool is_done = perform({Kind::compare_exchange, a.place, order, value, expected}) != 0;
  expected = perform({Kind::compare_exchange, a.place, order, value, expected});
  return is_done;
}
void Thread::fence(Order order) { perform({Kind::fence, 0, order}); }
void Thread::sleep(Atomic word, Value expected) {
  perform({Kind::sleep, word.place, Order::seq_cst, 0, expected});
}
void Thread::wake(Atomic word) { perform({Kind::wake, word.place}); }
Value Thread::read(Plain p) { return perform({Kind::read, p.place}); }
void Thread::write(Plain p, Value value) { perform({Kind::write, p.place, Order::relaxed, value}); }
void Thread::require(bool law, const char* broken) {
  if (!law) throw std::logic_error(broken);
}
void Thread::give_up() { throw GivenUp{}; }

Atomic Program::atomic(std::string name, Value initial) {
  atomics.push_back({std::move(name), initial});
  return {static_cast<int>(atomics.size()) - 1};
}
Plain Program::plain(std::string name, Value initial) {
  plains.push_back({std::move(name), initial});
  return {static_cast<int>(plains.size()) - 1};
}

Verdict explore(const Program& program) { return Search(program).run(); }

}  // namespace epios::memory_model
