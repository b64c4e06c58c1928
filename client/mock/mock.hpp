#pragma once

#include <epios/epios.h>
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/calendar.hpp"
#include "config/definitions.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/element_numbers.hpp"

namespace epios::mock {

/// The object behind epios_context in a unit test.
struct Context {
  enum class State { defining, running, finalized };

  config::Definitions& changeable();
  void close_definition();
  void update_calendar(std::int64_t step);
  config::Date date() const;
  std::string date_text() const;
  void finalize();
  /// Throws Error{call_order} outside the time loop.
  void check_running(std::string_view what) const;

  std::string id;
  config::Definitions definitions;
  State state = State::defining;
  std::int64_t step = 0;
  std::vector<std::string> fields{};  ///< by number, in the order of epios_find_field
};

/// Everything that the interface keeps, once per process.
class Mock {
 public:
  static Mock& instance();

  std::mutex& mutex() { return mutex_; }
  void reset();

  /// Records the text of a call, and throws the failure that was requested for it.
  void record(std::string call);
  const std::deque<std::string>& calls() const { return calls_; }
  void fail_at(int calls, ErrorCode code, std::string text);

  void open_session(const std::string& iodef, MPI_Comm comm, int clients);
  void close_session();
  bool has_session() const { return session_; }
  MPI_Comm comm() const { return comm_; }
  const config::Definitions& definitions() const { return definitions_; }

  Context& open_context(const std::string& id);
  /// Throw Error for handles that are not open.
  Context& context(const void* handle) const;
  Context* find_context(std::string_view id) const;

  /// Returns the current context of module xios, or null before the first one.
  Context* current() const { return current_; }
  Context& current_or_throw() const;
  void set_current(Context* context) { current_ = context; }

  /// Returns the handles of module xios.
  client::ElementNumbers& numbers() { return numbers_; }

  /// Returns when so many threads have come. Without the mutex held.
  void meet(int threads);

  void keep_sent(const std::string& field, std::span<const double> values);
  void keep_sent(const std::string& field, std::span<const float> values);
  const std::vector<std::vector<double>>* sent(std::string_view field) const;
  void answer(const std::string& field, std::vector<double> values);
  template <class T>
  void receive(const std::string& field, std::span<T> out) {
    const std::vector<double> values = take_answer(field, out.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(values[i]);
  }
  bool is_active(std::string_view field) const;
  void set_active(const std::string& field, bool active) { active_[field] = active; }
  /// An attribute of an element, as a file that is read would provide it.
  struct InFile {
    std::string tag, id, attribute, text;
  };
  void set_in_file(InFile value) { in_files_.push_back(std::move(value)); }
  const std::vector<InFile>& in_files() const { return in_files_; }

 private:
  std::vector<double> take_answer(const std::string& field, std::size_t size);

  struct Failure {
    int calls;
    ErrorCode code;
    std::string text;
  };

  mutable std::mutex mutex_;
  std::mutex meeting_;  // guards the next two members
  int came_ = 0;
  int rounds_ = 0;
  std::condition_variable all_came_;
  std::deque<std::string> calls_;  // texts keep their addresses
  std::optional<Failure> failure_;
  bool session_ = false;
  MPI_Comm comm_ = MPI_COMM_WORLD;
  config::Definitions definitions_;
  std::vector<std::unique_ptr<Context>> contexts_;
  Context* current_ = nullptr;
  client::ElementNumbers numbers_;
  std::map<std::string, std::vector<std::vector<double>>, std::less<>> sent_;
  std::map<std::string, std::deque<std::vector<double>>, std::less<>> answers_;
  std::map<std::string, bool, std::less<>> active_;
  std::vector<InFile> in_files_;
};

/// Returns an array that is read, and the number of its values.
template <class T>
std::span<const T> values_of(const T* data, std::int64_t count) {
  if (count > 0) client::check_input(data, "data");
  return {data, static_cast<std::size_t>(std::max<std::int64_t>(count, 0))};
}
inline std::int64_t volume(int rank, const std::int64_t* shape) {
  std::int64_t out = 1;
  for (int d = 0; d < rank; ++d) out *= shape[d];
  return out;
}

/// Return arguments as text.
std::string shown(const char* text);
std::string shown(const epios_context* context);
std::string shown(const epios_element& element);
std::string shown(const epios_field& field);
inline std::string shown(int value) { return fmt::format("{}", value); }
inline std::string shown(std::int64_t value) { return fmt::format("{}", value); }
inline std::string shown(double value) { return fmt::format("{}", value); }
template <class T>
std::string shown(std::span<const T> values) {
  constexpr std::size_t most = 8;
  const auto first = values.first(std::min(most, values.size()));
  return values.size() <= most
             ? fmt::format("[{}]", fmt::join(first, ", "))
             : fmt::format("[{}, ... {} values]", fmt::join(first, ", "), values.size());
}

/// Runs a call of the interface after recording it.
template <class Body, class... Arguments>
int call(std::string_view name, const Body& body, const Arguments&... arguments) {
  return client::guarded([&] {
    const std::scoped_lock lock(Mock::instance().mutex());
    std::vector<std::string> texts{shown(arguments)...};
    Mock::instance().record(fmt::format("{}({})", name, fmt::join(texts, ", ")));
    body();
  });
}

/// Finds a field for the time loop; `out` is a handle of <epios/epios.h>.
template <class Handle>
int find_field(const char* name, epios_context* handle, const char* id, Handle* out) {
  return call(
      name,
      [&] {
        Context& its = Mock::instance().context(handle);
        its.check_running("a field looked for");
        static_cast<void>(its.definitions.at(its.id, "field", client::text_of(id, "id")));
        client::target(out, "out") = {handle, static_cast<int32_t>(its.fields.size())};
        its.fields.emplace_back(id);
      },
      handle, id);
}

inline epios_context* handle_of(Context& context) {
  return reinterpret_cast<epios_context*>(&context);
}

}  // namespace epios::mock
