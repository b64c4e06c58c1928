// Who sleeps and who wakes: the doorbell of a process, the threads that wait in it, and the board
// of work that threads help with.
#include "model.hpp"

namespace epios::memory_model {

namespace {

using std::vector;

constexpr std::string_view bell_file = "ep_core/src/progress/doorbell.cpp";
constexpr std::string_view waiting_file = "ep_core/src/progress/waiting.cpp";
constexpr std::string_view waiting_header = "ep_core/src/progress/waiting.hpp";
constexpr std::string_view board_file = "ep_core/src/progress/work_board.cpp";
constexpr std::string_view work_file = "ep_core/src/progress/shared_work.cpp";
constexpr std::string_view work_header = "ep_core/src/progress/shared_work.hpp";

constexpr std::string_view sleep_compares = "the fence behind it orders it, and the sleep compares";
constexpr std::string_view fence_orders = "the fence before it orders it";

/// A thread polls for the messages of two peers, and sleeps.
Model doorbell() {
  enum {
    send,
    ring_fence,
    load_asleep,
    add_bell,
    store_asleep,
    load_bell,
    park_fence,
    look,
    awake
  };
  return {"doorbell",
          {{Use::store, inbox_file,
            "record.lines.store(static_cast<std::uint32_t>(lines), std::memory_order_release)",
            Order::release, Order::release},
           {Use::fence, bell_file, "std::atomic_thread_fence(std::memory_order_seq_cst)",
            Order::seq_cst, Order::seq_cst},
           {Use::load, bell_file, "page.poller_asleep.load(std::memory_order_seq_cst) == 0",
            Order::seq_cst, Order::relaxed, fence_orders},
           {Use::update, bell_file, "page.bell.fetch_add(1, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "the kernel orders it before it wakes"},
           {Use::store, waiting_file, "page.poller_asleep.store(1, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "the fence behind it orders it"},
           {Use::load, waiting_file, "token = page.bell.load(std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, sleep_compares},
           {Use::fence, waiting_file, "full_fence();  // before all looks", Order::seq_cst,
            Order::seq_cst},
           {Use::load, inbox_file, "lines = record.lines.load(std::memory_order_acquire)",
            Order::acquire, Order::acquire},
           {Use::store, waiting_file, "page.poller_asleep.store(0, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "a ring too many only wakes"}},
          [](Program& program, const vector<Order>& orders) {
            const vector<Atomic> lines{program.atomic("lines 0"), program.atomic("lines 1")};
            const vector<Plain> data{program.plain("data 0"), program.plain("data 1")};
            const Atomic asleep = program.atomic("poller_asleep");
            const Atomic bell = program.atomic("bell");
            for (std::size_t peer = 0; peer < 2; ++peer) {
              program.thread(peer == 0 ? "one" : "another", [=](Thread& me) {
                me.write(data[peer], 1);
                me.store(lines[peer], 1, orders[send]);
                me.fence(orders[ring_fence]);
                if (me.load(asleep, orders[load_asleep]) == 0) return;
                me.fetch_add(bell, 1, orders[add_bell]);
                me.wake(bell);
              });
            }
            program.thread("poller", [=](Thread& me) {
              std::size_t come = 0;
              for (int round = 0; round < 4; ++round) {
                me.store(asleep, 1, orders[store_asleep]);
                const Value token = me.load(bell, orders[load_bell]);
                me.fence(orders[park_fence]);
                while (come < 2 && me.load(lines[come], orders[look]) != 0) me.read(data[come++]);
                if (come == 2) return;
                me.sleep(bell, token);
                me.store(asleep, 0, orders[awake]);
              }
              Thread::give_up();
            });
          }};
}

/// A thread waits for what another one of its process makes true.
Model notification() {
  enum { make_true, notify_fence, load_waits, store_word, add_waits, clear_word, park_fence, look };
  return {"notification",
          {{Use::store, "ep_core/src/schedules/operation.cpp",
            "mine.has_come.store(true, std::memory_order_release)", Order::release, Order::release},
           {Use::fence, waiting_file, "void WaitRegistry::notify(WaitPoint& point) { full_fence();",
            Order::seq_cst, Order::seq_cst},
           {Use::load, waiting_header, "sleeper->waits.load(std::memory_order_seq_cst) != 0",
            Order::seq_cst, Order::relaxed, fence_orders},
           {Use::store, waiting_file, "parked.word.store(1, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "the kernel orders it before it wakes"},
           {Use::update, waiting_file, "waits.fetch_add(1, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "the fence behind it orders it"},
           {Use::store, waiting_file, "self.word.store(0, std::memory_order_seq_cst)",
            Order::seq_cst, Order::relaxed, "the fence behind it orders it"},
           {Use::fence, waiting_file, "full_fence();  // before all looks", Order::seq_cst,
            Order::seq_cst},
           {Use::load, "ep_core/src/schedules/missing.cpp",
            "contribution(slot).has_come.load(std::memory_order_acquire)", Order::acquire,
            Order::acquire}},
          [](Program& program, const vector<Order>& orders) {
            const Atomic is_true = program.atomic("condition");
            const Atomic waits = program.atomic("waits");
            const Atomic word = program.atomic("word");
            const Atomic mutex = program.atomic("mutex");
            const Plain data = program.plain("data");
            const Plain parked = program.plain("parked");
            const auto lock = [=](Thread& me) {
              Value is_free = 0;
              me.await(mutex, Order::relaxed, [](Value taken) { return taken == 0; });
              if (!me.compare_exchange(mutex, is_free, 1, Order::acquire)) Thread::give_up();
            };
            program.thread("notifier", [=](Thread& me) {
              me.write(data, 1);
              me.store(is_true, 1, orders[make_true]);
              me.fence(orders[notify_fence]);
              if (me.load(waits, orders[load_waits]) == 0) return;
              lock(me);
              if (me.read(parked) != 0) {
                me.store(word, 1, orders[store_word]);
                me.wake(word);
              }
              me.store(mutex, 0, Order::release);
            });
            program.thread("waiter", [=](Thread& me) {
              lock(me);
              me.write(parked, 1);
              me.store(mutex, 0, Order::release);
              me.fetch_add(waits, 1, orders[add_waits]);
              for (int round = 0; round < 3; ++round) {
                me.store(word, 0, orders[clear_word]);
                me.fence(orders[park_fence]);
                if (me.load(is_true, orders[look]) != 0) {
                  me.read(data);
                  return;
                }
                me.sleep(word, 0);
              }
              Thread::give_up();
            });
          }};
}

/// Work of two items that hangs at a place of the board; two threads look whether they can help.
struct Board {
  enum {
    take_place,
    hang,
    take_down,
    no_visitors,
    free_place,
    look,
    visit,
    get_work,
    leave,
    open,
    is_opened,
    all_done,
    item_done
  };

  Atomic is_taken;
  Atomic work;
  Atomic visitors;
  Atomic is_open;
  Atomic next;
  Atomic left;
  Plain items;
  vector<Plain> results;
  vector<Order> orders;

  Board(Program& program, vector<Order> its)
      : is_taken(program.atomic("is_taken")),
        work(program.atomic("work")),
        visitors(program.atomic("visitors")),
        is_open(program.atomic("is_open")),
        next(program.atomic("next")),
        left(program.atomic("left")),
        items(program.plain("items")),
        results{program.plain("result 0"), program.plain("result 1")},
        orders(std::move(its)) {}

  bool take_item(Thread& me) const {
    const Value item = me.fetch_add(next, 1, Order::relaxed);
    if (item >= me.read(items)) return false;
    me.write(results[static_cast<std::size_t>(item)], 1);
    me.fetch_add(left, -1, orders[item_done]);
    return true;
  }

  void own(Thread& me) const {
    me.write(items, 2);
    me.store(left, 2, Order::relaxed);
    me.store(next, 0, Order::relaxed);
    me.store(is_open, 1, orders[open]);
    if (me.exchange(is_taken, 1, orders[take_place]) != 0) Thread::give_up();
    me.store(work, 1, orders[hang]);
    while (take_item(me)) {
    }
    me.await(left, orders[all_done], [](Value n) { return n == 0; });
    Thread::require(me.read(results[0]) + me.read(results[1]) == 2, "an item was not worked on");
    me.store(work, 0, orders[take_down]);
    me.await(visitors, orders[no_visitors], [](Value n) { return n == 0; });
    me.store(is_taken, 0, orders[free_place]);
    me.write(items, -1);  // the work is destroyed
  }

  void help(Thread& me) const {
    if (me.load(work, orders[look]) == 0) return;
    me.fetch_add(visitors, 1, orders[visit]);
    if (me.load(work, orders[get_work]) != 0 && me.load(is_open, orders[is_opened]) != 0) {
      take_item(me);
    }
    me.fetch_add(visitors, -1, orders[leave]);
  }
};

Model work_board() {
  constexpr std::string_view alone = "one owner: a place goes to the next one with nothing in it";
  return {
      "work board",
      {{Use::update, board_file, "place.is_taken.exchange(true, std::memory_order_acquire)",
        Order::acquire, Order::relaxed, alone},
       {Use::store, board_file, "place.work.store(&work, std::memory_order_seq_cst)",
        Order::seq_cst, Order::relaxed, "who sees it late helps late, and is_open_ orders it, too"},
       {Use::store, board_file, "place.work.store(nullptr, std::memory_order_seq_cst)",
        Order::seq_cst, Order::seq_cst},
       {Use::load, board_file, "place.visitors.load(std::memory_order_seq_cst) > 0", Order::seq_cst,
        Order::seq_cst},
       {Use::store, board_file, "place.is_taken.store(false, std::memory_order_release)",
        Order::release, Order::relaxed, alone},
       {Use::load, board_file, "place.work.load(std::memory_order_relaxed) == nullptr",
        Order::relaxed, Order::relaxed},
       {Use::update, board_file, "place.visitors.fetch_add(1, std::memory_order_seq_cst)",
        Order::seq_cst, Order::seq_cst},
       {Use::load, board_file, "work = place.work.load(std::memory_order_seq_cst)", Order::seq_cst,
        Order::seq_cst},
       {Use::update, board_file, "place.visitors.fetch_sub(1, std::memory_order_release)",
        Order::release, Order::release},
       {Use::store, work_file, "is_open_.store(true, std::memory_order_seq_cst)", Order::seq_cst,
        Order::relaxed, "the board orders it"},
       {Use::load, work_header, "is_open_.load(std::memory_order_acquire) && take_item()",
        Order::acquire, Order::relaxed, "the board orders it"},
       {Use::load, work_file, "left_.load(std::memory_order_acquire) > 0", Order::acquire,
        Order::acquire},
       {Use::update, work_file, "left_.fetch_sub(1, std::memory_order_release)", Order::release,
        Order::release}},
      [](Program& program, const vector<Order>& orders) {
        const Board board(program, orders);
        program.thread("owner", [board](Thread& me) { board.own(me); });
        program.thread("helper", [board](Thread& me) { board.help(me); });
      }};
}

}  // namespace

vector<Model> waiting_models() { return {doorbell(), notification(), work_board()}; }

}  // namespace epios::memory_model
