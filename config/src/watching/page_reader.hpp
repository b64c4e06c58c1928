#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_page.hpp"
#include "config/watched_runs.hpp"

namespace epios::config {

/// A page of some process, mapped for reading.
class MappedPage {
 public:
  enum class Problem { none, vanished, foreign, unfinished, other };
  /// What had become of the process when it was looked at last: it lived, had ended early (was
  /// killed, or left with something open), or had ended in order.
  enum class Process { lives, gone, ended };
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Looks at the file of that path. A file that is not ours is not touched.
  explicit MappedPage(const std::string& path);
  MappedPage(const MappedPage&) = delete;
  MappedPage(MappedPage&&) = delete;
  MappedPage& operator=(const MappedPage&) = delete;
  MappedPage& operator=(MappedPage&&) = delete;
  ~MappedPage();

  Problem problem() const { return problem_; }
  /// Returns why it cannot be read, for Problem::other.
  const std::string& text() const { return text_; }
  Process process() const { return process_; }
  bool lives() const { return process_ == Process::lives; }
  /// Notes that it has been removed. What it had stays readable.
  void set_removed(std::int64_t now_ns);
  /// Returns since when it is known to be removed, or `never`.
  std::int64_t removed_ns() const { return removed_ns_; }
  const PageHead& head() const { return *reinterpret_cast<const PageHead*>(memory_); }
  /// Calls `look(slot)` for each slot that is in use and stays the same meanwhile.
  template <class Slot, class Look>
  void for_each(std::size_t kind, const Look& look) const;

 private:
  void map(int fd);
  void refuse(Problem problem, std::string text = {});
  bool is_sound() const;

  Problem problem_ = Problem::none;
  std::string text_;
  Process process_ = Process::lives;
  std::int64_t removed_ns_ = never;
  const std::byte* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// Pages by path.
using MappedPages = std::map<std::string, std::unique_ptr<MappedPage>>;

/// Reads the sample of one field of a job, as RunWatch::map().
std::optional<MapSample> map_of(const MappedPages& pages, const std::string& job,
                                const WatchedMap& wanted);

/// Returns the paths of all pages of this node, in order. Throws Error{io} if there is no such
/// memory on this system.
std::vector<std::string> names_of_pages();

/// Returns the date in a slot.
template <class Slot>
std::string date_text(const Slot& slot) {
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}", slot.hour.get(), slot.minute.get(), slot.second.get());
  if (slot.month.get() == 0) {
    return fmt::format("{:04}-{:03} {}", slot.year.get(), slot.day.get(), clock);
  }
  return fmt::format("{:04}-{:02}-{:02} {}", slot.year.get(), slot.month.get(), slot.day.get(),
                     clock);
}

template <class Slot, class Look>
void MappedPage::for_each(std::size_t kind, const Look& look) const {
  const auto* const slots = reinterpret_cast<const Slot*>(memory_ + head().offsets[kind].get());
  for (std::uint32_t i = 0; i < head().counts[kind].get(); ++i) {
    if (slots[i].state.get() != SlotState::unused) look(slots[i]);
  }
}

}  // namespace epios::config
