#include "commands/commands.hpp"

#include <gtest/gtest.h>

#include <string>

#include "config/error.hpp"

namespace epios::server::commands_test {
namespace {

TEST(Commands, SurviveTheWire) {
  Command command;
  command.kind = Command::Kind::component_over;
  command.component = 3;
  command.context = 7;
  command.file = 2;
  command.part = 1234567890123;
  command.last = false;
  command.records = 123456789012;
  command.stream = 4;
  command.event = 98765432109;
  command.failed = true;
  command.client = 5;
  command.reason = "because";
  command.package = {std::byte{1}, std::byte{255}};
  const Command back = decode_command(encode(command));
  EXPECT_EQ(back.kind, command.kind);
  EXPECT_EQ(back.component, command.component);
  EXPECT_EQ(back.context, command.context);
  EXPECT_EQ(back.file, command.file);
  EXPECT_EQ(back.part, command.part);
  EXPECT_EQ(back.last, command.last);
  EXPECT_EQ(back.records, command.records);
  EXPECT_EQ(back.stream, command.stream);
  EXPECT_EQ(back.event, command.event);
  EXPECT_EQ(back.failed, command.failed);
  EXPECT_EQ(back.client, command.client);
  EXPECT_EQ(back.reason, command.reason);
  EXPECT_EQ(back.package, command.package);
}

TEST(Commands, EveryTruncationIsRefused) {
  Command command;
  command.reason = "because";
  const auto bytes = encode(command);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode_command(std::span(bytes).first(size)), Error) << size;
  }
}

TEST(Commands, OfAnotherKindAreRefused) {
  auto bytes = encode(Command{});
  for (const int kind : {0, static_cast<int>(Command::Kind::make_files) + 1, 255}) {
    bytes.front() = std::byte(kind);
    try {
      decode_command(bytes);
      FAIL() << kind << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "a command among servers cannot be understood (its kind is " +
                                  std::to_string(kind) +
                                  "). Are all programs of this job linked with the same EPIOS?");
    }
  }
}

}  // namespace
}  // namespace epios::server::commands_test
