// Rings in shared memory: that of a channel, with one writer, and the inbox of a process, with
// many.
#include "model.hpp"

namespace epios::memory_model {

namespace {

using std::vector;

constexpr std::string_view ring_file = "io/transport/src/ring.cpp";

/// A ring of two places that each hold one part; three parts pass.
struct Ring {
  enum { load_released, store_written, load_written, store_released };
  static constexpr Value size = 2;
  static constexpr Value parts = 3;

  Atomic written;
  Atomic released;
  Plain restart_from;
  Plain restart_to;
  vector<Plain> data;
  vector<Order> orders;

  Ring(Program& program, vector<Order> its)
      : written(program.atomic("written")),
        released(program.atomic("released")),
        restart_from(program.plain("restart_from", -1)),
        restart_to(program.plain("restart_to")),
        data{program.plain("data 0"), program.plain("data 1")},
        orders(std::move(its)) {}

  Plain at(Value position) const { return data[static_cast<std::size_t>(position % size)]; }

  void write(Thread& me) const {
    Value end = 0;
    Value floor = 0;
    for (Value part = 1; part <= parts; ++part) {
      const Value freed = me.await(released, orders[load_released], [=](Value r) {
        return (r == end && end % size != 0) || end + 1 - std::max(r, floor) <= size;
      });
      Value start = end;
      Value live = std::max(freed, floor);
      if (freed == end && end % size != 0) {
        start += size - end % size;
        live = start;
        me.write(restart_from, end);
        me.write(restart_to, start);
      }
      me.write(at(start), part);
      floor = live;
      end = start + 1;
      me.store(written, end, orders[store_written]);
    }
  }

  void read(Thread& me) const {
    Value position = 0;
    for (Value part = 1; part <= parts; ++part) {
      me.await(written, orders[load_written], [=](Value w) { return w != position; });
      if (me.read(restart_from) == position) position = me.read(restart_to);
      Thread::require(me.read(at(position)) == part, "a part is not what was written");
      me.store(released, ++position, orders[store_released]);
    }
  }
};

Model ring() {
  return {"ring",
          {{Use::load, ring_file, "released = control_->released.load(std::memory_order_acquire)",
            Order::acquire, Order::acquire},
           {Use::store, ring_file, "control_->written.store(written_, std::memory_order_release)",
            Order::release, Order::release},
           {Use::load, ring_file, "written = control_->written.load(std::memory_order_acquire)",
            Order::acquire, Order::acquire},
           {Use::store, ring_file, "control_->released.store(position_, std::memory_order_release)",
            Order::release, Order::release}},
          [](Program& program, const vector<Order>& orders) {
            const Ring ring(program, orders);
            program.thread("writer", [ring](Thread& me) { ring.write(me); });
            program.thread("reader", [ring](Thread& me) { ring.read(me); });
          }};
}

/// Two who open the same offer: one of them is refused.
Model claim() {
  return {"claim of a ring",
          {{Use::update, ring_file, "control->has_sender.exchange(1, std::memory_order_acq_rel)",
            Order::acq_rel, Order::relaxed,
            "who claims a ring has its memory from the message that offers it"}},
          [](Program& program, const vector<Order>& orders) {
            const Atomic has_sender = program.atomic("has_sender");
            const Plain sender = program.plain("sender");
            for (const char* name : {"one", "another"}) {
              program.thread(name, [=](Thread& me) {
                if (me.exchange(has_sender, 1, orders[0]) == 0) me.write(sender, 1);
              });
            }
            program.at_end(
                [=](Thread& me) { Thread::require(me.read(sender) == 1, "nobody has the ring"); });
          }};
}

/// An inbox of two lines; two threads of one process put messages of one line.
struct Lines {
  enum {
    load_tail,
    load_seen,
    load_head,
    store_seen,
    claim_tail,
    store_lines,
    load_lines,
    clear_lines,
    store_head
  };
  static constexpr Value capacity = 2;

  Atomic tail;
  Atomic head;
  Atomic seen;
  vector<Atomic> lines;
  vector<Plain> data;
  vector<Order> orders;

  Lines(Program& program, vector<Order> its)
      : tail(program.atomic("tail")),
        head(program.atomic("head")),
        seen(program.atomic("seen_head")),
        lines{program.atomic("lines 0"), program.atomic("lines 1")},
        data{program.plain("data 0"), program.plain("data 1")},
        orders(std::move(its)) {}

  void put(Thread& me, Value what) const {
    Value at = me.load(tail, orders[load_tail]);
    do {
      const auto has_room = [=](Value freed) { return at + 1 <= freed + capacity; };
      if (!has_room(me.load(seen, orders[load_seen]))) {
        // (Who finds none comes again: the looks that find none are left out.)
        const Value freed = me.await(head, orders[load_head], has_room);
        me.store(seen, freed, orders[store_seen]);
      }
    } while (!me.compare_exchange(tail, at, at + 1, orders[claim_tail]));
    const auto line = static_cast<std::size_t>(at % capacity);
    me.write(data[line], what);
    me.store(lines[line], 1, orders[store_lines]);
  }

  void take_all(Thread& me, Value messages) const {
    Value last = 0;
    for (Value at = 0; at < messages; ++at) {
      const auto line = static_cast<std::size_t>(at % capacity);
      me.await(lines[line], orders[load_lines], [](Value ready) { return ready != 0; });
      const Value what = me.read(data[line]);
      if (what < 10) {
        Thread::require(what == last + 1, "messages of one thread out of order");
        last = what;
      }
      me.store(lines[line], 0, orders[clear_lines]);
      me.store(head, at + 1, orders[store_head]);
    }
  }
};

Model inbox() {
  return {
      "inbox",
      {{Use::load, inbox_file, "tail = page.tail.load(std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::load, inbox_file, "has_room(seen_head_.load(std::memory_order_acquire))",
        Order::acquire, Order::acquire},
       {Use::load, inbox_file, "head = page.head.load(std::memory_order_acquire)", Order::acquire,
        Order::acquire},
       {Use::store, inbox_file, "seen_head_.store(head, std::memory_order_release)", Order::release,
        Order::release},
       {Use::update, inbox_file,
        "page.tail.compare_exchange_weak(tail, tail + skipped + lines, std::memory_order_relaxed)",
        Order::relaxed, Order::relaxed},
       {Use::store, inbox_file,
        "record.lines.store(static_cast<std::uint32_t>(lines), std::memory_order_release)",
        Order::release, Order::release},
       {Use::load, inbox_file, "lines = record.lines.load(std::memory_order_acquire)",
        Order::acquire, Order::acquire},
       {Use::store, inbox_file, "lines.store(0, std::memory_order_relaxed)", Order::relaxed,
        Order::relaxed},
       {Use::store, inbox_file, "page().head.store(head_, std::memory_order_release)",
        Order::release, Order::release}},
      [](Program& program, const vector<Order>& orders) {
        const Lines inbox(program, orders);
        program.thread("first", [inbox](Thread& me) {
          for (Value what = 1; what <= 3; ++what) inbox.put(me, what);
        });
        program.thread("second", [inbox](Thread& me) { inbox.put(me, 10); });
        program.thread("reader", [inbox](Thread& me) { inbox.take_all(me, 4); });
      }};
}

}  // namespace

vector<Model> ring_models() { return {ring(), claim(), inbox()}; }

}  // namespace epios::memory_model
