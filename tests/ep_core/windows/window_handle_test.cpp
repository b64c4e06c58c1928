// The C++ classes of windows.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ep/ep.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test::window_handle_test {
namespace {

static_assert(!std::is_copy_constructible_v<Window> && !std::is_copy_assignable_v<Window>);
static_assert(std::is_nothrow_move_constructible_v<Window>);
static_assert(std::is_nothrow_move_assignable_v<Window>);
static_assert(!std::is_move_constructible_v<WindowLock>);

constexpr int endpoints = 3;

std::span<const std::byte> bytes_of(const int& value) {
  return std::as_bytes(std::span(&value, 1));
}

int read_int(std::span<const std::byte> memory) {
  int value = 0;
  std::memcpy(&value, memory.data(), sizeof value);
  return value;
}

TEST(WindowHandles, own_and_hand_over) {
  run_endpoints(endpoints, [](const Comm& comm) {
    Window none;
    EXPECT_FALSE(none);
    none.free();
    Window first = Window::allocate(comm, sizeof(int), sizeof(int));
    EXPECT_EQ(first.memory().size(), sizeof(int));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.memory().data()) % alignof(std::max_align_t),
              0U);
    const EP_Win handle = first.get();
    Window second = std::move(first);
    EXPECT_EQ(second.get(), handle);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): what is tested
    none = std::move(second);
    none.free();
    EXPECT_FALSE(none);
  });
}

TEST(WindowHandles, of_all_kinds_move_bytes) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const int right = (comm.rank() + 1) % comm.size();
    const int left = (comm.rank() + comm.size() - 1) % comm.size();
    const int mine = 10 + comm.rank();
    std::vector<std::byte> own(sizeof(int));
    std::vector<Window> windows;
    windows.push_back(Window::create(comm, own));
    windows.push_back(Window::allocate(comm, sizeof(int)));
    windows.push_back(Window::allocate_shared(comm, sizeof(int)));
    for (Window& window : windows) {
      const std::string kind = "window " + std::to_string(&window - windows.data());
      window.fence();
      window.put(bytes_of(mine), right, 0);
      window.fence(EP_MODE_NOSUCCEED);
      EXPECT_EQ(read_int(window.memory()), 10 + left) << kind;
      int seen = 0;
      {
        WindowLock lock(window, EP_LOCK_SHARED, right);
        window.get(std::as_writable_bytes(std::span(&seen, 1)), right, 0);
        window.flush(right);
        lock.release();
      }
      EXPECT_EQ(seen, mine) << kind;
      {
        const WindowLock all(window);
        window.get(std::as_writable_bytes(std::span(&seen, 1)), left, 0);
        window.flush_all();
      }
      EXPECT_EQ(seen, 10 + (left + comm.size() - 1) % comm.size()) << kind;
      check(EP_Barrier(comm.get()));
    }
    EXPECT_EQ(read_int(windows.back().memory_of(right)), mine);
    windows.back().sync();
    for (Window& window : windows) window.free();
  });
}

TEST(WindowHandles, throw_what_the_functions_return) {
  run_endpoints(endpoints, [](const Comm& comm) {
    Window window = Window::allocate(comm, sizeof(int));
    const int value = 1;
    try {
      window.put(bytes_of(value), 0, 0);
      ADD_FAILURE() << "no epoch";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), EP_ERR_RMA_SYNC);
    }
    EXPECT_THROW(Window::create_client_server(comm, {}), Error);
    EXPECT_THROW(static_cast<void>(window.memory_of(0)), Error);
    check(EP_Barrier(comm.get()));
    window.free();
  });
}

TEST(WindowHandles, left_behind_say_so) {
  if (processes() > 1) GTEST_SKIP() << "it stays for ever";
  testing::internal::CaptureStderr();
  run_endpoints(1, [](const Comm& comm) { const Window lost = Window::allocate(comm, 8); });
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a window was not freed"),
            std::string::npos);
}

}  // namespace
}  // namespace ep::test::window_handle_test
