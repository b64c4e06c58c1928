#include "orders/orders.hpp"

#include <gtest/gtest.h>

#include "config/error.hpp"

namespace epios::server::orders_test {
namespace {

TEST(Orders, SurviveTheWire) {
  Order order;
  order.kind = Order::Kind::component_over;
  order.component = 3;
  order.context = 7;
  order.file = 2;
  order.part = 1234567890123;
  order.last = false;
  order.records = 123456789012;
  order.stream = 4;
  order.event = 98765432109;
  order.failed = true;
  order.client = 5;
  order.reason = "because";
  order.package = {std::byte{1}, std::byte{255}};
  const Order back = decode_order(encode(order));
  EXPECT_EQ(back.kind, order.kind);
  EXPECT_EQ(back.component, order.component);
  EXPECT_EQ(back.context, order.context);
  EXPECT_EQ(back.file, order.file);
  EXPECT_EQ(back.part, order.part);
  EXPECT_EQ(back.last, order.last);
  EXPECT_EQ(back.records, order.records);
  EXPECT_EQ(back.stream, order.stream);
  EXPECT_EQ(back.event, order.event);
  EXPECT_EQ(back.failed, order.failed);
  EXPECT_EQ(back.client, order.client);
  EXPECT_EQ(back.reason, order.reason);
  EXPECT_EQ(back.package, order.package);
}

TEST(Orders, EveryTruncationIsRefused) {
  Order order;
  order.reason = "because";
  const auto bytes = encode(order);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode_order(std::span(bytes).first(size)), Error) << size;
  }
}

}  // namespace
}  // namespace epios::server::orders_test
