// Each lock-free part with the orders of its source has no mistake; with any of them weaker it has
// one, and the checker finds it. The source has these orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "model.hpp"

namespace epios::memory_model {

namespace {

std::vector<Model> models() {
  std::vector<Model> out = ring_models();
  for (auto* const more : {&waiting_models, &hand_over_models}) {
    for (Model& model : more()) out.push_back(std::move(model));
  }
  return out;
}

std::vector<Order> orders_of(const Model& model) {
  std::vector<Order> out;
  for (const Site& site : model.sites) out.push_back(site.order);
  return out;
}

Verdict verdict(const Model& model, const std::vector<Order>& orders) {
  Program program;
  model.build(program, orders);
  return explore(program);
}

/// The next weaker orders of a use.
std::vector<Order> weaker(Use use, Order order) {
  switch (order) {
    case Order::seq_cst:
      if (use == Use::load) return {Order::acquire};
      return {use == Use::store ? Order::release : Order::acq_rel};
    case Order::acq_rel:
      if (use == Use::fence) return {Order::none};
      return {Order::acquire, Order::release};
    case Order::acquire:
    case Order::release:
      return {Order::relaxed};
    default:
      return {};
  }
}

std::string without_space(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](unsigned char c) { return std::isspace(c) == 0; });
  return out;
}

std::string source(std::string_view file) {
  std::ifstream in(std::string(EPIOS_SOURCES) + "/" + std::string(file));
  return without_space(std::string(std::istreambuf_iterator<char>(in), {}));
}

class LockFree : public testing::TestWithParam<Model> {};

TEST_P(LockFree, HasNoMistakeWithTheOrdersOfItsSource) {
  const Verdict found = verdict(GetParam(), orders_of(GetParam()));
  EXPECT_EQ(found.mistake, "") << found.steps;
  RecordProperty("states", static_cast<int>(found.states));
}

TEST_P(LockFree, HasAMistakeWithEachOrderWeaker) {
  for (std::size_t s = 0; s < GetParam().sites.size(); ++s) {
    const Site& site = GetParam().sites[s];
    std::vector<Order> orders = orders_of(GetParam());
    if (site.enough != site.order) {
      EXPECT_NE(site.why, "") << site.text;
      orders[s] = site.enough;
      const Verdict found = verdict(GetParam(), orders);
      EXPECT_EQ(found.mistake, "") << site.text << "\n" << found.steps;
    }
    for (const Order order : weaker(site.use, site.enough)) {
      orders[s] = order;
      EXPECT_NE(verdict(GetParam(), orders).mistake, "")
          << site.text << " may be of order " << static_cast<int>(order);
    }
  }
}

TEST_P(LockFree, HasTheOrdersOfItsSource) {
  for (const Site& site : GetParam().sites) {
    EXPECT_NE(source(site.file).find(without_space(site.text)), std::string::npos)
        << site.file << " has no longer: " << site.text << ". Change the model with it?";
  }
}

std::string name_of(const testing::TestParamInfo<Model>& info) {
  std::string out;
  for (const char c : info.param.name) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) out += c;
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Parts, LockFree, testing::ValuesIn(models()), name_of);

/// Runs two threads and returns whether both loads can return 0.
bool may_both_read_nothing(Order store, Order load, Order fence) {
  Program program;
  const Atomic x = program.atomic("x");
  const Atomic y = program.atomic("y");
  const Plain a = program.plain("a");
  const Plain b = program.plain("b");
  const auto body = [=](Atomic mine, Atomic other, Plain result) {
    return [=](Thread& me) {
      me.store(mine, 1, store);
      me.fence(fence);
      me.write(result, me.load(other, load));
    };
  };
  program.thread("one", body(x, y, a));
  program.thread("two", body(y, x, b));
  program.at_end([=](Thread& me) { Thread::require(me.read(a) + me.read(b) > 0, "both"); });
  return explore(program).mistake == "both";
}

// As in C++ and on hardware: stores are seen late unless both sides are sequentially consistent.
TEST(WeakMemory, SeesStoresLate) {
  EXPECT_TRUE(may_both_read_nothing(Order::relaxed, Order::relaxed, Order::none));
  EXPECT_TRUE(may_both_read_nothing(Order::release, Order::acquire, Order::acq_rel));
  EXPECT_TRUE(may_both_read_nothing(Order::seq_cst, Order::acquire, Order::none));
  EXPECT_FALSE(may_both_read_nothing(Order::seq_cst, Order::seq_cst, Order::none));
  EXPECT_FALSE(may_both_read_nothing(Order::relaxed, Order::relaxed, Order::seq_cst));
}

/// Two threads write, two others read both in different orders: may they disagree?
bool may_disagree(Order load) {
  Program program;
  const Atomic x = program.atomic("x");
  const Atomic y = program.atomic("y");
  const std::vector<Plain> seen{program.plain("a"), program.plain("b")};
  for (const Atomic place : {x, y}) {
    program.thread("writer", [=](Thread& me) { me.store(place, 1, Order::seq_cst); });
  }
  const auto reader = [=](Atomic first, Atomic second, Plain result) {
    return [=](Thread& me) {
      const Value one = me.load(first, load);
      const Value other = me.load(second, load);
      me.write(result, one != 0 && other == 0 ? 1 : 0);
    };
  };
  program.thread("reader", reader(x, y, seen[0]));
  program.thread("reader", reader(y, x, seen[1]));
  program.at_end([=](Thread& me) {
    Thread::require(me.read(seen[0]) + me.read(seen[1]) < 2, "they disagree");
  });
  return explore(program).mistake == "they disagree";
}

TEST(WeakMemory, HasOneOrderOfWritesForWhoAsksForIt) {
  EXPECT_TRUE(may_disagree(Order::acquire));
  EXPECT_FALSE(may_disagree(Order::seq_cst));
}

// An update takes the order of what it continues; a store does not.
TEST(WeakMemory, HasReleaseSequences) {
  for (const bool is_update : {true, false}) {
    Program program;
    const Atomic flag = program.atomic("flag");
    const Plain data = program.plain("data");
    program.thread("writer", [=](Thread& me) {
      me.write(data, 1);
      me.store(flag, 1, Order::release);
    });
    program.thread("between", [=](Thread& me) {
      me.await(flag, Order::relaxed, [](Value v) { return v == 1; });
      if (is_update) {
        me.fetch_add(flag, 1, Order::relaxed);
      } else {
        me.store(flag, 2, Order::relaxed);
      }
    });
    program.thread("reader", [=](Thread& me) {
      me.await(flag, Order::acquire, [](Value v) { return v == 2; });
      me.read(data);
    });
    EXPECT_EQ(explore(program).mistake, is_update ? "" : "a race for plain data");
  }
}

TEST(WeakMemory, FindsWhoWaitsForEver) {
  Program program;
  const Atomic word = program.atomic("word");
  program.thread("sleeper", [=](Thread& me) { me.sleep(word, 0); });
  program.thread("other", [=](Thread& me) { me.wake(word); });
  EXPECT_EQ(explore(program).mistake, "a thread waits for ever");
}

}  // namespace

}  // namespace epios::memory_model
