// Slots and pages that go from one thread to the next: the slot of a blocked receiver, the page of
// a copy by two processes, the last of those that meet, the lock of a client.
#include "model.hpp"

namespace epios::memory_model {

namespace {

using std::vector;

constexpr std::string_view slot_file = "ep_core/src/cliques/mailbox.cpp";
constexpr std::string_view slot_header = "ep_core/src/cliques/mailbox.hpp";
constexpr std::string_view page_header = "ep_core/src/shm/copy_page.hpp";
constexpr std::string_view copy_file = "ep_core/src/shm/joint_copy.cpp";
constexpr std::string_view operation_file = "ep_core/src/schedules/operation.cpp";
constexpr std::string_view lock_header = "client/src/context/client_lock.hpp";

/// How the first receive ends: with a message in the slot, by its receiver, by a sender that serves
/// it and has no use for the slot.
enum class Ending { filled, withdrawn, served };

/// Two threads receive at one endpoint, one after the other, each from one sender; either may take
/// its offer back.
struct Slot {
  enum {
    store_source,
    store_open,
    load_state,
    load_source,
    claim,
    fill_source,
    store_filled,
    is_filled,
    take,
    load_free,
    load_taken,
    withdraw
  };
  enum Code : Value { closed, open, claimed, filled, codes };
  static Value code(Value state) { return state % codes; }

  Atomic state;
  Atomic source;
  Atomic taken;
  Atomic served;
  Plain receive;
  Plain data;
  vector<Order> orders;

  Slot(Program& program, vector<Order> its)
      : state(program.atomic("state", closed)),
        source(program.atomic("source")),
        taken(program.atomic("taken", 1)),
        served(program.atomic("served")),
        receive(program.plain("receive")),
        data(program.plain("data")),
        orders(std::move(its)) {}

  void set(Thread& me, Code next) const {
    const Value now = me.load(state, Order::relaxed);
    me.store(state, now - code(now) + next, orders[store_filled]);
  }

  Value offer(Thread& me, Value from) const {
    me.store(source, from, orders[store_source]);
    me.write(receive, from);
    const Value before = me.load(state, Order::relaxed);
    const Value generation = before - code(before) + codes;
    me.store(state, generation + open, orders[store_open]);
    return generation;
  }

  void receive_message(Thread& me, Value from, Ending ending) const {
    const Value generation = offer(me, from);
    if (ending == Ending::served) {
      me.await(served, Order::acquire, [](Value is_done) { return is_done != 0; });
      return;
    }
    if (ending == Ending::withdrawn) {
      Value now = me.load(state, orders[load_state]);
      if (code(now) == open && me.read(receive) == from &&
          me.compare_exchange(state, now, now - open + closed, orders[withdraw])) {
        return;
      }
    }
    me.await(state, orders[is_filled], [=](Value now) { return now == generation + filled; });
    Thread::require(me.load(source, Order::relaxed) == 10 * from, "a message of another source");
    Thread::require(me.read(data) == from, "a message for another receive");
    me.store(taken, generation, orders[take]);
  }

  void wait_until_free(Thread& me) const {
    const Value now = me.await(state, orders[load_free], [](Value s) {
      return s >= codes && code(s) != open && code(s) != claimed;
    });
    if (code(now) != filled) return;
    me.await(taken, orders[load_taken],
             [=](Value generation) { return generation == now - filled; });
  }

  void send(Thread& me, Value from, Value generation, Ending ending) const {
    // (Who finds no offer takes the lock of the mailbox: that is not looked at.)
    Value now =
        me.await(state, orders[load_state], [=](Value s) { return s >= generation + open; });
    if (code(now) != open) return;
    if (me.load(source, orders[load_source]) != from) return;
    if (!me.compare_exchange(state, now, now - open + claimed, orders[claim])) return;
    Thread::require(me.read(receive) == from, "a receive of another source was claimed");
    if (ending == Ending::served) {
      set(me, closed);
      me.store(served, 1, Order::release);
      return;
    }
    me.store(source, 10 * from, orders[fill_source]);
    me.write(data, from);
    set(me, filled);
  }
};

Model direct_receive(Ending ending) {
  const bool is_filled_only = ending == Ending::filled;
  const bool is_served = ending == Ending::served;
  constexpr std::string_view unfilled = "the slot was not filled before";
  constexpr std::string_view by_lock = "receivers take turns under the lock of the mailbox";
  constexpr std::string_view by_claim = "the claim comes first, whose exchange reads this offer";
  return {
      ending == Ending::filled      ? "direct receive"
      : ending == Ending::withdrawn ? "direct receive, withdrawn"
                                    : "direct receive, served",
      {{Use::store, slot_file, "source_.store(receive.source, std::memory_order_relaxed)",
        Order::relaxed, Order::relaxed},
       {Use::store, slot_file, "state_.store(generation + open, std::memory_order_release)",
        Order::release, Order::release},
       {Use::load, slot_file,
        "claim(int source, int tag) noexcept { std::uint32_t state = "
        "state_.load(std::memory_order_acquire)",
        Order::acquire, Order::acquire},
       {Use::load, slot_header, "source_.load(std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::update, slot_file,
        "state_.compare_exchange_strong(state, state - open + claimed, std::memory_order_acq_rel)",
        Order::acq_rel, Order::relaxed, by_claim},
       {Use::store, slot_file, "source_.store(source, std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::store, slot_file,
        "state_.store(state - code(state) + next, std::memory_order_seq_cst)", Order::seq_cst,
        Order::release, "who sleeps is told by a fence"},
       {Use::load, slot_header, "state_.load(std::memory_order_seq_cst) == generation + filled",
        Order::seq_cst, Order::acquire, "who sleeps is told by a fence"},
       {Use::store, slot_header, "taken_.store(generation, std::memory_order_release)",
        Order::release, is_served ? Order::relaxed : Order::release, unfilled},
       {Use::load, slot_file,
        "is_free() const noexcept { const std::uint32_t state = "
        "state_.load(std::memory_order_acquire)",
        Order::acquire, is_filled_only ? Order::relaxed : Order::acquire, "taken_ orders it"},
       {Use::load, slot_file, "taken_.load(std::memory_order_acquire) == state - filled",
        Order::acquire, is_served ? Order::relaxed : Order::acquire, unfilled},
       {Use::update, slot_file,
        "state_.compare_exchange_strong(state, state - open + closed, std::memory_order_acq_rel)",
        Order::acq_rel, ending == Ending::withdrawn ? Order::release : Order::relaxed, by_lock}},
      [ending](Program& program, const vector<Order>& orders) {
        const Slot slot(program, orders);
        program.thread("receiver 1", [=](Thread& me) { slot.receive_message(me, 1, ending); });
        program.thread("receiver 2", [=](Thread& me) {
          slot.wait_until_free(me);
          slot.receive_message(me, 2, Ending::filled);
        });
        program.thread("sender 1", [=](Thread& me) { slot.send(me, 1, Slot::codes, ending); });
        program.thread("sender 2",
                       [=](Thread& me) { slot.send(me, 2, 2 * Slot::codes, Ending::filled); });
      }};
}

/// A body of two chunks that a receiver and a sender copy together; then the page serves a copy
/// that the sender does not know of, while it may still be looking.
struct Page {
  enum { begin_done, begin_taken, take_load, take_exchange, add_done, load_done, is_at };
  static constexpr Value chunks = 2;
  static constexpr Value per_turn = 16;  ///< taken from the front count 4 each, from the back 1

  Atomic taken;
  Atomic done;
  Atomic call;
  vector<Plain> from;
  vector<Plain> into;
  vector<Order> orders;

  Page(Program& program, vector<Order> its)
      : taken(program.atomic("taken")),
        done(program.atomic("done")),
        call(program.atomic("call")),
        from{program.plain("from 0", 7), program.plain("from 1", 8)},
        into{program.plain("into 0"), program.plain("into 1")},
        orders(std::move(its)) {}

  Value take(Thread& me, Value turn, Value one) const {
    Value now = me.load(taken, orders[take_load]);
    do {
      if (now / per_turn != turn || now % per_turn / 4 + now % 4 >= chunks) return -1;
    } while (!me.compare_exchange(taken, now, now + one, orders[take_exchange]));
    return now % per_turn;
  }

  void copy(Thread& me, Value chunk) const {
    const auto at = static_cast<std::size_t>(chunk);
    me.write(into[at], me.read(from[at]));
    me.fetch_add(done, 1, orders[add_done]);
  }

  void begin(Thread& me, Value turn) const {
    me.store(done, 0, orders[begin_done]);
    me.store(taken, turn * per_turn, orders[begin_taken]);
  }

  void receive(Thread& me) const {
    begin(me, 1);
    me.store(call, 1, Order::release);
    for (Value at = 0; (at = take(me, 1, 4)) >= 0;) copy(me, at / 4);
    me.await(done, orders[load_done], [](Value n) { return n == chunks; });
    Thread::require(me.read(into[0]) == 7 && me.read(into[1]) == 8, "a body is not whole");
    begin(me, 2);
    for (int chunk = 0; chunk < chunks; ++chunk) me.fetch_add(done, 1, orders[add_done]);
  }

  void help(Thread& me) const {
    me.await(call, Order::acquire, [](Value come) { return come != 0; });
    for (Value at = 0; (at = take(me, 1, 1)) >= 0;) copy(me, chunks - 1 - at % 4);
    for (int look = 0; look < 2; ++look) {
      const bool is_complete = me.load(done, orders[load_done]) == chunks;
      const bool is_ours = me.load(taken, orders[is_at]) / per_turn == 1;
      if (!is_complete && is_ours) continue;
      if (is_complete && is_ours) {
        for (const Plain chunk : from) me.write(chunk, 0);  // the body is free
      }
      return;
    }
    Thread::give_up();
  }
};

Model copy_page() {
  return {
      "page of a copy",
      {{Use::store, page_header, "done.store(0, std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::store, page_header,
        "word->store(std::uint64_t{turn} << 32, std::memory_order_release)", Order::release,
        Order::relaxed, "the call comes behind the page"},
       {Use::load, page_header, "now = taken.load(std::memory_order_acquire)", Order::acquire,
        Order::relaxed, "the call comes behind the page"},
       {Use::update, page_header,
        "taken.compare_exchange_weak(now, now + one, std::memory_order_acq_rel)", Order::acq_rel,
        Order::relaxed, "a chunk belongs to whoever counted it"},
       {Use::update, copy_file, "page_.done.fetch_add(1, std::memory_order_seq_cst)",
        Order::seq_cst, Order::release, "nobody waits for it and for something else"},
       {Use::load, page_header, "done.load(std::memory_order_seq_cst) == count", Order::seq_cst,
        Order::acquire, "nobody waits for it and for something else"},
       {Use::load, page_header, "taken.load(std::memory_order_acquire) >> 32 == turn",
        Order::acquire, Order::relaxed, "whoever reads `done` of a later turn knows of the turn"}},
      [](Program& program, const vector<Order>& orders) {
        const Page page(program, orders);
        program.thread("receiver", [page](Thread& me) { page.receive(me); });
        program.thread("sender", [page](Thread& me) { page.help(me); });
      }};
}

/// Three threads bring something; the last one combines it, and the last that has read it frees it.
Model rendezvous() {
  return {"rendezvous",
          {{Use::update, operation_file,
            "arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == slot_count()", Order::acq_rel,
            Order::acq_rel},
           {Use::store, operation_file, "over_.store(true, std::memory_order_seq_cst)",
            Order::seq_cst, Order::release, "who sleeps is told by a fence"},
           {Use::update, operation_file, "users_.fetch_sub(1, std::memory_order_acq_rel) == 1",
            Order::acq_rel, Order::acq_rel}},
          [](Program& program, const vector<Order>& orders) {
            constexpr std::size_t slots = 3;
            const Atomic arrived = program.atomic("arrived");
            const Atomic over = program.atomic("over");
            const Atomic users = program.atomic("users", slots);
            const Plain result = program.plain("result");
            vector<Plain> brought;
            for (std::size_t slot = 0; slot < slots; ++slot) {
              brought.push_back(program.plain("slot " + std::to_string(slot)));
            }
            for (std::size_t slot = 0; slot < slots; ++slot) {
              program.thread("thread " + std::to_string(slot), [=](Thread& me) {
                me.write(brought[slot], 1);
                if (me.fetch_add(arrived, 1, orders[0]) + 1 == static_cast<Value>(slots)) {
                  Value sum = 0;
                  for (const Plain one : brought) sum += me.read(one);
                  me.write(result, sum);
                  me.store(over, 1, orders[1]);
                } else {
                  me.await(over, Order::acquire, [](Value is_over) { return is_over != 0; });
                }
                Thread::require(me.read(result) == static_cast<Value>(slots),
                                "something is missing");
                if (me.fetch_add(users, -1, orders[2]) == 1) me.write(result, 0);
              });
            }
          }};
}

Model client_lock() {
  return {
      "lock of a client",
      {{Use::update, lock_header, "tickets.fetch_add(1, std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::load, lock_header, "served.load(std::memory_order_acquire) != ticket_", Order::acquire,
        Order::acquire},
       {Use::load, "client/src/context/client_lock.cpp",
        "lock_->served.load(std::memory_order_acquire) != ticket_", Order::acquire, Order::acquire},
       {Use::store, lock_header, "served.store(ticket_ + 1, std::memory_order_release)",
        Order::release, Order::release}},
      [](Program& program, const vector<Order>& orders) {
        const Atomic tickets = program.atomic("tickets");
        const Atomic served = program.atomic("served");
        const Plain guarded = program.plain("guarded");
        for (const char* name : {"one", "another", "third"}) {
          program.thread(name, [=](Thread& me) {
            const Value ticket = me.fetch_add(tickets, 1, orders[0]);
            if (me.load(served, orders[1]) != ticket) {
              me.await(served, orders[2], [=](Value now) { return now == ticket; });
            }
            me.write(guarded, me.read(guarded) + 1);
            me.store(served, ticket + 1, orders[3]);
          });
        }
        program.at_end(
            [=](Thread& me) { Thread::require(me.read(guarded) == 3, "two were inside at once"); });
      }};
}

}  // namespace

vector<Model> hand_over_models() {
  return {direct_receive(Ending::filled),
          direct_receive(Ending::withdrawn),
          direct_receive(Ending::served),
          copy_page(),
          rendezvous(),
          client_lock()};
}

}  // namespace epios::memory_model
