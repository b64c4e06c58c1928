#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace ep::test {

/// A window of some words of each endpoint, of any kind that has memory, with errors returned.
class TestWindow {
 public:
  enum class Kind { create, allocate, shared, dynamic };

  TestWindow(Kind kind, const Comm& comm, int words, MPI_Info info = MPI_INFO_NULL)
      : comm_(comm.get()), own_(static_cast<std::size_t>(words), 0) {
    const MPI_Aint size = words * static_cast<MPI_Aint>(sizeof(long));
    void* base = own_.data();
    switch (kind) {
      case Kind::create:
        check(EP_Win_create(base, size, sizeof(long), info, comm_, &win_));
        break;
      case Kind::allocate:
        check(EP_Win_allocate(size, sizeof(long), info, comm_, static_cast<void*>(&base), &win_));
        break;
      case Kind::shared:
        check(EP_Win_allocate_shared(size, sizeof(long), info, comm_, static_cast<void*>(&base),
                                     &win_));
        break;
      case Kind::dynamic:
        check(EP_Win_create_dynamic(info, comm_, &win_));
        break;
    }
    base_ = static_cast<long*>(base);
    check(EP_Win_set_errhandler(win_, EP_ERRORS_RETURN));
    if (kind == Kind::dynamic) {
      check(EP_Win_attach(win_, base, size));
      const auto mine = reinterpret_cast<MPI_Aint>(base);
      addresses_.resize(static_cast<std::size_t>(comm.size()));
      check(EP_Allgather(&mine, 1, MPI_AINT, addresses_.data(), 1, MPI_AINT, comm_));
    }
    std::memset(base, 0, static_cast<std::size_t>(size));
    check(EP_Win_sync(win_));
    check(EP_Barrier(comm_));
  }
  TestWindow(const TestWindow&) = delete;
  TestWindow(TestWindow&&) = delete;
  TestWindow& operator=(const TestWindow&) = delete;
  TestWindow& operator=(TestWindow&&) = delete;
  ~TestWindow() {
    if (!addresses_.empty()) {
      EXPECT_EQ(EP_Barrier(comm_), EP_SUCCESS);
      EXPECT_EQ(EP_Win_detach(win_, base_), EP_SUCCESS) << EP_Last_error();
    }
    EXPECT_EQ(EP_Win_free(&win_), EP_SUCCESS) << EP_Last_error();
    EXPECT_EQ(win_, EP_WIN_NULL);
  }

  [[nodiscard]] EP_Win get() const { return win_; }
  [[nodiscard]] long* words() const { return base_; }
  [[nodiscard]] long& word(int i) const { return base_[i]; }
  /// The displacement of word `i` of `rank`.
  [[nodiscard]] MPI_Aint at(int rank, int i) const {
    if (addresses_.empty()) return i;
    return addresses_[static_cast<std::size_t>(rank)] + i * static_cast<MPI_Aint>(sizeof(long));
  }

 private:
  EP_Comm comm_;
  std::vector<long> own_;
  long* base_ = nullptr;
  EP_Win win_ = EP_WIN_NULL;
  std::vector<MPI_Aint> addresses_;
};

inline const char* name_of(TestWindow::Kind kind) {
  switch (kind) {
    case TestWindow::Kind::create:
      return "create";
    case TestWindow::Kind::allocate:
      return "allocate";
    case TestWindow::Kind::shared:
      return "shared";
    case TestWindow::Kind::dynamic:
      return "dynamic";
  }
  return "";
}

/// Whether the text of the last error has the words.
inline testing::AssertionResult says(const std::string& words) {
  const std::string text = EP_Last_error();
  if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' does not say '" << words << "'";
}

/// Kinds of windows and numbers of endpoints.
class WindowLayouts : public testing::TestWithParam<std::pair<TestWindow::Kind, int>> {};

inline std::vector<std::pair<TestWindow::Kind, int>> window_layouts() {
  std::vector<std::pair<TestWindow::Kind, int>> all;
  for (const auto kind : {TestWindow::Kind::create, TestWindow::Kind::allocate,
                          TestWindow::Kind::shared, TestWindow::Kind::dynamic}) {
    for (const int endpoints : {1, 4, 7}) all.emplace_back(kind, endpoints);
  }
  return all;
}

inline std::string name_of_layout(
    const testing::TestParamInfo<std::pair<TestWindow::Kind, int>>& info) {
  return std::string(name_of(info.param.first)) + "_" + std::to_string(info.param.second);
}

}  // namespace ep::test
