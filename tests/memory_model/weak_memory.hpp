/// @file
/// Small programs of threads on a weak memory, of which every execution is tried. A load may return
/// any value that the C++ memory model lets it return: views of promise-free operational semantics
/// (release/acquire, release sequences, fences, sequentially consistent operations), which allow
/// all that x86-TSO does, and what arm64 does but for one thing: no store overtakes an earlier load
/// of its thread. (Where that matters, the two threads race for plain data, which is found as a
/// race.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace epios::memory_model {

enum class Order : std::uint8_t { none, relaxed, acquire, release, acq_rel, seq_cst };

using Value = std::int64_t;
using Condition = std::function<bool(Value)>;

struct Atomic {
  int place;
};
/// Data that is not atomic: two accesses of which one writes and neither happens before the other
/// are a mistake.
struct Plain {
  int place;
};

struct Operation {
  enum class Kind : std::uint8_t {
    load,
    await,
    store,
    exchange,
    add,
    with,
    without,
    compare_exchange,
    fence,
    sleep,
    wake,
    read,
    write
  };
  Kind kind = Kind::load;
  int place = 0;
  Order order = Order::seq_cst;
  Value value = 0;
  Value expected = 0;
  Condition wanted{};
};

/// What a thread of a program calls. Its body is run again from the start for each of its steps, so
/// it has no effect but through these functions and depends on nothing else.
class Thread {
 public:
  explicit Thread(std::span<const Value> history) : history_(history) {}

  Value load(Atomic a, Order order);
  /// Loads until the value is wanted. Whoever waits for ever is found. The condition is asked after
  /// the body was left: it has copies of what it compares with.
  Value await(Atomic a, Order order, Condition wanted);
  void store(Atomic a, Value value, Order order);
  Value exchange(Atomic a, Value value, Order order);
  Value fetch_add(Atomic a, Value value, Order order);
  Value fetch_or(Atomic a, Value value, Order order);
  Value fetch_and_not(Atomic a, Value value, Order order);
  /// Fails with the acquiring half of the order, as C++ says.
  bool compare_exchange(Atomic a, Value& expected, Value value, Order order);
  void fence(Order order);
  /// Sleeps as a futex does: not at all if the word is another, until wake() otherwise.
  void sleep(Atomic word, Value expected);
  void wake(Atomic word);
  Value read(Plain p);
  void write(Plain p, Value value);

  static void require(bool law, const char* broken);
  /// Ends an execution that is not looked at further: one that tries again without end.
  [[noreturn]] static void give_up();

 private:
  Value perform(Operation operation);

  std::span<const Value> history_;
};

struct Program {
  using Body = std::function<void(Thread&)>;
  struct Named {
    std::string name;
    Value initial = 0;
  };
  struct Part {
    std::string name;
    Body body;
  };

  Atomic atomic(std::string name, Value initial = 0);
  Plain plain(std::string name, Value initial = 0);
  void thread(std::string name, Body body) {
    threads.push_back({std::move(name), std::move(body)});
  }
  /// Runs when all threads have ended, and knows what they knew.
  void at_end(Body body) { end = std::move(body); }

  std::vector<Named> atomics;
  std::vector<Named> plains;
  std::vector<Part> threads;
  Body end;
};

struct Verdict {
  std::string mistake;  ///< empty if there is none
  std::string steps;    ///< of the execution that ends in the mistake
  std::size_t states = 0;
};

/// Tries all executions, up to the first mistake.
Verdict explore(const Program& program);

}  // namespace epios::memory_model
