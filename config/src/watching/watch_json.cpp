// The runs of a node as JSON, and back: what a program reads, and what `epios top` gets from
// another node. One table of names serves both directions.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#include "config/error.hpp"
#include "config/watched_runs.hpp"
#include "text/printable.hpp"

namespace epios::config {
namespace {

using Json = nlohmann::ordered_json;

constexpr int json_version = 1;

template <class Of, class T>
struct Named {
  const char* name;
  T Of::*member;
};
template <class Of, class T>
Named(const char*, T Of::*) -> Named<Of, T>;

/// What the members of a type are called in JSON, in order; none for what JSON has itself.
template <class Of>
constexpr std::tuple<> names_of{};
template <>
constexpr std::tuple names_of<WatchedField>{Named{"name", &WatchedField::name},
                                            Named{"blocked_s", &WatchedField::blocked_s}};
template <>
constexpr std::tuple names_of<WatchedContext>{
    Named{"component", &WatchedContext::component},
    Named{"context", &WatchedContext::context},
    Named{"clients", &WatchedContext::clients},
    Named{"over", &WatchedContext::is_over},
    Named{"date", &WatchedContext::date},
    Named{"step", &WatchedContext::step},
    Named{"sends", &WatchedContext::sends},
    Named{"records_sent", &WatchedContext::records},
    Named{"bytes_sent", &WatchedContext::bytes},
    Named{"open_s", &WatchedContext::open_s},
    Named{"client_s", &WatchedContext::client_s},
    Named{"in_library_s", &WatchedContext::in_library_s},
    Named{"blocked_s", &WatchedContext::blocked_s},
    Named{"most_blocked_s", &WatchedContext::most_blocked_s},
    Named{"fullest_channel", &WatchedContext::fullest_channel},
    Named{"since_step_s", &WatchedContext::quiet_s},
    Named{"blocked_fields", &WatchedContext::blocked_fields}};
template <>
constexpr std::tuple names_of<WatchedServer>{
    Named{"rank", &WatchedServer::rank},          Named{"process", &WatchedServer::pid},
    Named{"over", &WatchedServer::is_over},       Named{"contexts", &WatchedServer::contexts},
    Named{"open_s", &WatchedServer::open_s},      Named{"busy_s", &WatchedServer::busy_s},
    Named{"writing_s", &WatchedServer::writing_s}};
template <>
constexpr std::tuple names_of<WatchedFile>{Named{"path", &WatchedFile::path},
                                           Named{"component", &WatchedFile::component},
                                           Named{"context", &WatchedFile::context},
                                           Named{"state", &WatchedFile::state},
                                           Named{"writers", &WatchedFile::writers},
                                           Named{"records_written", &WatchedFile::written},
                                           Named{"records_durable", &WatchedFile::durable},
                                           Named{"records_lost", &WatchedFile::lost},
                                           Named{"bytes", &WatchedFile::bytes},
                                           Named{"writing_s", &WatchedFile::writing_s},
                                           Named{"age_s", &WatchedFile::age_s},
                                           Named{"servers", &WatchedFile::servers}};
template <>
constexpr std::tuple names_of<WatchedWait>{
    Named{"who", &WatchedWait::who}, Named{"what", &WatchedWait::what},
    Named{"for", &WatchedWait::whom}, Named{"seconds", &WatchedWait::seconds}};
template <>
constexpr std::tuple names_of<WatchedMap>{
    Named{"component", &WatchedMap::component}, Named{"context", &WatchedMap::context},
    Named{"field", &WatchedMap::field},         Named{"unit", &WatchedMap::unit},
    Named{"level", &WatchedMap::level},         Named{"date", &WatchedMap::date},
    Named{"record", &WatchedMap::record}};
template <>
constexpr std::tuple names_of<WatchedLine>{Named{"severity", &WatchedLine::severity},
                                           Named{"text", &WatchedLine::text},
                                           Named{"age_s", &WatchedLine::age_s}};
template <>
constexpr std::tuple names_of<WatchedJob>{Named{"job", &WatchedJob::name},
                                          Named{"batch_job", &WatchedJob::batch_job},
                                          Named{"processes", &WatchedJob::processes},
                                          Named{"processes_here", &WatchedJob::pids},
                                          Named{"processes_gone", &WatchedJob::gone},
                                          Named{"processes_ended", &WatchedJob::ended},
                                          Named{"age_s", &WatchedJob::age_s},
                                          Named{"contexts", &WatchedJob::contexts},
                                          Named{"servers", &WatchedJob::servers},
                                          Named{"files", &WatchedJob::files},
                                          Named{"waits", &WatchedJob::waits},
                                          Named{"maps", &WatchedJob::maps},
                                          Named{"log", &WatchedJob::lines},
                                          Named{"not_shown", &WatchedJob::unseen}};
template <>
constexpr std::tuple names_of<WatchedRuns>{Named{"jobs", &WatchedRuns::jobs},
                                           Named{"problems", &WatchedRuns::problems},
                                           Named{"pages_of_others", &WatchedRuns::of_others}};
template <>
constexpr std::tuple names_of<MapSample>{Named{"oldest_record", &MapSample::oldest_record},
                                         Named{"columns", &MapSample::columns},
                                         Named{"rows", &MapSample::rows},
                                         Named{"elsewhere", &MapSample::elsewhere},
                                         Named{"lon", &MapSample::lon},
                                         Named{"lat", &MapSample::lat},
                                         Named{"values", &MapSample::values}};

constexpr std::array<std::pair<SlotState, const char*>, 3> words_of_states{
    {{SlotState::active, "open"}, {SlotState::failed, "failed"}, {SlotState::over, "done"}}};

template <class T>
constexpr bool has_names = std::tuple_size_v<std::remove_const_t<decltype(names_of<T>)>> != 0;

template <class T>
struct IsList : std::false_type {};
template <class Item>
struct IsList<std::vector<Item>> : std::bool_constant<has_names<Item>> {};

/// Adds all members of `of` to an object.
template <class T>
void add(Json& to, const T& of);

template <class T>
Json json_of(const T& of) {
  if constexpr (has_names<T>) {
    Json out = Json::object();
    add(out, of);
    return out;
  } else if constexpr (IsList<T>::value) {
    Json out = Json::array();
    for (const auto& item : of) out.push_back(json_of(item));
    return out;
  } else if constexpr (std::is_same_v<T, SlotState>) {
    for (const auto& [state, word] : words_of_states) {
      if (state == of) return word;
    }
    return "done";
  } else {
    return of;
  }
}

template <class T>
void add(Json& to, const T& of) {
  std::apply([&](const auto&... named) { (..., (to[named.name] = json_of(of.*named.member))); },
             names_of<T>);
}

template <class T>
void read(const Json& from, T& to) {
  if constexpr (has_names<T>) {
    std::apply([&](const auto&... named) { (..., read(from.at(named.name), to.*named.member)); },
               names_of<T>);
  } else if constexpr (IsList<T>::value) {
    for (const Json& item : from) read(item, to.emplace_back());
  } else if constexpr (std::is_same_v<T, SlotState>) {
    for (const auto& [state, word] : words_of_states) {
      if (from == word) to = state;
    }
  } else {
    from.get_to(to);
  }
}

}  // namespace

WatchedRuns read_watched_runs(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (const Json& version = json.at("epios_top"); version != json_version) {
      throw Error(ErrorCode::argument,
                  shortened(fmt::format("it has version {}, and this program reads version {}. Use "
                                        "the epios of the installation that answers?",
                                        version.dump(), json_version)));
    }
    WatchedRuns out;
    out.taken_ns = page_clock_ns();
    read(json, out);
    return out;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::argument,
                shortened(fmt::format("it is not what epios live gives ({})", error.what())));
  }
}

// Names may have been cut within a character.

std::string to_json(const WatchedRuns& runs) {
  Json out = {{"epios_top", json_version}};
  add(out, runs);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json(const MapSample& sample) {
  Json out = {{"epios_map", 1}};
  add(out, sample.map);
  add(out, sample);  // what is no number is null there
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace epios::config
