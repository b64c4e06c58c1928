// Keeps the threads of a server off processors to which threads of the model are bound. Models bind
// their threads late or not at all, so it is looked at again whenever a context opens. In order:
// processors of threads, free ones among them, moving the threads and back.
#include "process/thread_place.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

// Of the model's OpenMP, if it has any: where its threads are and will be bound. The first thread
// may be bound before anybody could ask where the process may run.
extern "C" {
__attribute__((weak)) int omp_get_num_places();
__attribute__((weak)) int omp_get_place_num_procs(int place);
__attribute__((weak)) void omp_get_place_proc_ids(int place, int* ids);
}

namespace epios::server {
namespace {

/// Names of our threads: the system keeps 15 characters. (Those of a model are called as its
/// program, which may begin like these.)
constexpr std::array<std::string_view, 4> own_names{"epios-server", "epios-files", "epios-compress",
                                                    "epios-helper"};
bool is_own_name(std::string_view name) {
  return std::find(own_names.begin(), own_names.end(), name) != own_names.end();
}

Processors merged(const Processors& a, const Processors& b) {
  Processors out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

bool contains(const Processors& all, const Processors& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// Where a thread may run; empty: it has ended, or the system has more processors than a set of
/// them.
Processors processors_of(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  Processors out;
  if (::sched_getaffinity(thread, sizeof(set), &set) != 0) return out;
  for (int p = 0; p < CPU_SETSIZE; ++p) {
    if (CPU_ISSET(static_cast<std::size_t>(p), &set)) out.push_back(p);
  }
  return out;
}

/// It may have ended, or be another user's by now: nothing is lost then.
void move_thread(pid_t thread, const Processors& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int p : processors) CPU_SET(static_cast<std::size_t>(p), &set);
  static_cast<void>(::sched_setaffinity(thread, sizeof(set), &set));
}

/// Calls `visit(thread, is_ours)` for the threads of a process of this node.
template <class Visit>
void for_each_thread(long process, const Visit& visit) {
  std::error_code gone;
  const std::filesystem::path folder = fmt::format("/proc/{}/task", process);
  for (std::filesystem::directory_iterator it(folder, gone), end; !gone && it != end;
       it.increment(gone)) {
    const std::string number = it->path().filename().string();
    pid_t thread = 0;
    std::from_chars(number.data(), number.data() + number.size(), thread);
    std::ifstream stream(it->path() / "comm");
    std::string name;
    if (thread > 0 && std::getline(stream, name)) visit(thread, is_own_name(name));
  }
}

Processors places_of_openmp() {
  Processors out;
  if (omp_get_num_places == nullptr || omp_get_place_num_procs == nullptr ||
      omp_get_place_proc_ids == nullptr) {
    return out;
  }
  const int places = omp_get_num_places();
  for (int place = 0; place < places; ++place) {
    Processors ids(static_cast<std::size_t>(std::max(omp_get_place_num_procs(place), 0)));
    if (!ids.empty()) omp_get_place_proc_ids(place, ids.data());
    out.insert(out.end(), ids.begin(), ids.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Those of `processors` that have siblings.
std::vector<Processors> cores_among(const Processors& processors) {
  std::vector<Processors> out;
  for (const int p : processors) {
    std::ifstream stream(
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", p));
    std::string list;
    if (!std::getline(stream, list)) continue;
    Processors core = processors_in(list);
    if (core.size() > 1 && core.front() == p) out.push_back(std::move(core));
  }
  return out;
}

bool is_wanted(const Log& log) {
  const char* const wish = std::getenv("EPIOS_PIN");
  if (wish == nullptr || std::string_view(wish) == "1") return true;
  if (std::string_view(wish) == "0") return false;
  log.warning(
      fmt::format("EPIOS_PIN is '{}' (0 and 1 are known; 1 counts). Should threads of "
                  "servers in models' processes stay where they are? Then 0",
                  wish));
  return true;
}

}  // namespace

ThreadPlace place_beside(const Processors& own, std::span<const Processors> threads,
                         std::span<const Processors> cores) {
  ThreadPlace out{own};
  Processors taken;
  for (const Processors& thread : threads) {
    Processors here;
    std::set_intersection(thread.begin(), thread.end(), own.begin(), own.end(),
                          std::back_inserter(here));
    if (here.empty() || contains(thread, own)) continue;
    taken = merged(taken, here);
    ++out.bound;
  }
  if (taken.empty()) return out;
  Processors free;
  std::set_difference(own.begin(), own.end(), taken.begin(), taken.end(), std::back_inserter(free));
  if (free.empty()) return out;
  Processors whole = free;
  std::erase_if(whole, [&](int p) {
    return std::any_of(cores.begin(), cores.end(), [&](const Processors& core) {
      return std::binary_search(core.begin(), core.end(), p) && !contains(free, core);
    });
  });
  out.processors = whole.empty() ? free : whole;
  out.is_apart = true;
  return out;
}

std::string text_of(const Processors& processors) {
  std::string out;
  for (std::size_t i = 0; i < processors.size();) {
    std::size_t end = i + 1;
    while (end < processors.size() && processors[end] == processors[end - 1] + 1) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", processors[i]);
    if (end > i + 1) out += fmt::format("-{}", processors[end - 1]);
    i = end;
  }
  return out;
}

Processors processors_in(const std::string& list) {
  Processors out;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at != end) {
    int first = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc()) return {};
    int last = first;
    if (read.ptr != end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, last);
      if (read.ec != std::errc() || last < first || last >= CPU_SETSIZE) return {};
    }
    for (int p = first; p <= last; ++p) out.push_back(p);
    at = read.ptr;
    if (at != end && *at++ != ',') return {};
  }
  std::sort(out.begin(), out.end());
  return out;
}

ThreadAsItWas::ThreadAsItWas() : processors_(processors_of(0)) {
  std::array<char, 16> name{};
  if (::pthread_getname_np(::pthread_self(), name.data(), name.size()) == 0) name_ = name.data();
}

ThreadAsItWas::~ThreadAsItWas() {
  if (!name_.empty()) static_cast<void>(::pthread_setname_np(::pthread_self(), name_.c_str()));
  // Refused where the job's processors have been taken away meanwhile: then it stays.
  if (!processors_.empty()) move_thread(0, processors_);
}

ThreadPlacer::ThreadPlacer(const io::Job& job, const Log& log) : job_(job), log_(log) {
  if (job.own_process().clients == 0) return;
  thread_.emplace();
  // Fails for names that are too long.
  static_cast<void>(::pthread_setname_np(::pthread_self(), "epios-server"));
  is_on_ = is_wanted(log);
  if (!is_on_) {
    log.info("its threads run where the system has them (EPIOS_PIN is 0)");
    return;
  }
  look();
}

std::vector<long> ThreadPlacer::processes_of_node() const {
  std::vector<long> out;
  const io::ProcessTable::Process& own = job_.own_process();
  for (const io::ProcessTable::Process& process : job_.watch().process_table().processes) {
    if (process.node == own.node && process.clients > 0) out.push_back(process.pid);
  }
  return out;
}

void ThreadPlacer::open_context() {
  if (is_on_ && std::has_single_bit(++contexts_)) look();
}

void ThreadPlacer::look() {
  Processors own = places_of_openmp();
  std::vector<pid_t> ours;
  std::vector<Processors> models;
  for (const long process : processes_of_node()) {
    const bool is_own = process == ::getpid();
    for_each_thread(process, [&](pid_t thread, bool is_ours) {
      const Processors processors = processors_of(thread);
      if (is_own) own = merged(own, processors);
      if (is_own && is_ours) ours.push_back(thread);
      if (!is_ours) models.push_back(processors);
    });
  }
  ThreadPlace place = place_beside(own, models, cores_among(own));
  if (own.empty() || place == last_) return;
  for (const pid_t thread : ours) move_thread(thread, place.processors);
  const std::string where = text_of(place.processors);
  if (place.is_apart) {
    log_.info(fmt::format(
        "its threads run on processors {} (threads of models are bound to others)", where));
  } else {
    log_.info(fmt::format("its threads run on processors {}, as those of its process ({})", where,
                          place.bound > 0 ? "threads of models are bound to all of them"
                                          : "no thread of a model is bound to any"));
  }
  last_ = std::move(place);
}

}  // namespace epios::server
