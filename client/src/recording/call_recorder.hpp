#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "recording/mapped_file.hpp"
#include "recording/recorded_call.hpp"

namespace epios::client {

/// Keeps the calls that a model makes of one client in a file, from which `epios replay` makes them
/// again. Calls inside calls are not kept. A file that cannot be written ends the recording, not
/// the run.
class CallRecorder {
 public:
  /// Returns null if the file cannot be made, and says why.
  static std::unique_ptr<CallRecorder> begin(const std::string& folder, RecordingHeader header);
  CallRecorder(const CallRecorder&) = delete;
  CallRecorder(CallRecorder&&) = delete;
  CallRecorder& operator=(const CallRecorder&) = delete;
  CallRecorder& operator=(CallRecorder&&) = delete;
  ~CallRecorder() = default;

  /// Returns the number of the next context that the client opens.
  std::uint32_t contexts() const { return contexts_; }
  std::uint32_t add_context() { return contexts_++; }
  bool has_data() const { return has_data_; }

  /// Makes a call: `describe(write)` hands a CallView to `write`, then `body()` runs. One thread at
  /// a time.
  template <class Describe, class Body>
  decltype(auto) call(const Describe& describe, const Body& body) {
    if (is_inside_ || !is_open_.load(std::memory_order_relaxed)) return body();
    describe([this](const CallView& view) { write(view); });
    const Inside inside(*this);
    return observed(body);
  }
  /// The same for calls of several threads at once.
  template <class Describe, class Body>
  decltype(auto) call_of_thread(const Describe& describe, const Body& body) {
    if (!is_open_.load(std::memory_order_relaxed)) return body();
    describe([this](const CallView& view) { write(view); });
    return observed(body);
  }
  /// The client gives up: nothing follows.
  void abandon(std::string_view why);

 private:
  using Clock = std::chrono::steady_clock;
  /// As long as it lives, a call is under way.
  class Inside {
   public:
    explicit Inside(CallRecorder& recorder) : recorder_(recorder) { recorder_.is_inside_ = true; }
    Inside(const Inside&) = delete;
    Inside(Inside&&) = delete;
    Inside& operator=(const Inside&) = delete;
    Inside& operator=(Inside&&) = delete;
    ~Inside() {
      recorder_.is_inside_ = false;
      recorder_.end_call();
    }

   private:
    CallRecorder& recorder_;
  };

  CallRecorder(std::string path, RecordingHeader header, std::unique_ptr<MappedFile> file);

  template <class Body>
  decltype(auto) observed(const Body& body) {
    try {
      return body();
    } catch (const std::exception& error) {
      note_failure(error.what());
      throw;
    }
  }
  void write(const CallView& view);
  void note_failure(std::string_view text);
  void end_call();
  const std::string path_;
  const std::string component_;
  const int client_;
  const bool has_data_;
  std::atomic<bool> is_open_{true};
  bool is_inside_ = false;
  std::uint32_t contexts_ = 0;
  std::mutex mutex_;  // for what follows
  std::unique_ptr<MappedFile> file_;
  std::vector<std::byte> encoded_;  // a call
  Clock::time_point ended_ = Clock::now();
};

/// The recording of what a model does with one context of a client; does nothing if there is none.
class ContextRecord {
 public:
  explicit ContextRecord(CallRecorder* recorder)
      : recorder_(recorder), context_(recorder == nullptr ? 0 : recorder->add_context()) {}

  bool is_on() const { return recorder_ != nullptr; }

  template <class Body>
  decltype(auto) call(RecordedKind kind, std::initializer_list<std::string_view> texts,
                      std::initializer_list<std::int64_t> numbers, const config::Value* value,
                      const Body& body) const {
    if (recorder_ == nullptr) return body();
    const CallView view{kind, context_, texts_of(texts), numbers_of(numbers), value, {}};
    return recorder_->call([&](const auto& write) { write(view); }, body);
  }
  template <class Body>
  decltype(auto) call(RecordedKind kind, std::initializer_list<std::int64_t> numbers,
                      const Body& body) const {
    return call(kind, {}, numbers, nullptr, body);
  }
  /// A whole array is sent; `flags()`: of sent_flags, without those of its data.
  template <class T, class Flags, class Body>
  decltype(auto) send(int field, std::span<const T> data, const Flags& flags,
                      const Body& body) const {
    if (recorder_ == nullptr) return body();
    return recorder_->call(
        [&](const auto& write) {
          write_sent(RecordedKind::send, {field, sizeof(T), std::ssize(data), flags(), 0},
                     std::as_bytes(data), write);
        },
        body);
  }
  /// A tile is sent, by any thread.
  template <class T, class Body>
  decltype(auto) send_tile(int field, int tile, std::span<const T> data, const Body& body) const {
    if (recorder_ == nullptr) return body();
    return recorder_->call_of_thread(
        [&](const auto& write) {
          write_sent(RecordedKind::send_tile,
                     {field, sizeof(T), std::ssize(data), sent_flags::is_due, tile},
                     std::as_bytes(data), write);
        },
        body);
  }

 private:
  /// Field, bytes of a value, values, flags, tile.
  using Sent = std::array<std::int64_t, 5>;

  static std::span<const std::string_view> texts_of(std::initializer_list<std::string_view> list) {
    return {list.begin(), list.size()};
  }
  static std::span<const std::int64_t> numbers_of(std::initializer_list<std::int64_t> list) {
    return {list.begin(), list.size()};
  }

  /// Data that nobody needed are not kept.
  template <class Write>
  void write_sent(RecordedKind kind, Sent sent, std::span<const std::byte> data,
                  const Write& write) const {
    std::array<std::byte, sampled_values * sizeof(double)> sample;
    CallView view{kind, context_, {}, std::span<const std::int64_t>(sent), nullptr, {}};
    if (kind == RecordedKind::send) view.numbers = view.numbers.first(4);
    std::int64_t& flags = sent[3];
    if ((flags & sent_flags::is_due) != 0 && recorder_->has_data()) {
      flags |= sent_flags::has_values;
      view.data = data;
    } else if ((flags & sent_flags::is_due) != 0) {
      flags |= sent_flags::has_sample;
      view.data = sample_of(data, size_of(sent[1]), sample);
    }
    write(view);
  }
  static std::span<const std::byte> sample_of(std::span<const std::byte> data,
                                              std::size_t value_bytes, std::span<std::byte> room);

  CallRecorder* recorder_;
  std::uint32_t context_;
};

}  // namespace epios::client
