// Finds out who waits for whom: a process whose wait lasts asks all others by messages, and prints
// the answers. The thread that waits does it, between two looks at its own condition, so that no
// thread is needed for it. In order: waits begin and end, queries and answers are received, a
// report is due, asked for and printed.
#include "event/watch.hpp"

#include <ep/watch.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <limits>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "event/process_place.hpp"

namespace epios::io {

namespace {

enum Tag : int { question_tag = 1, answer_tag = 2 };

/// Who waits looks at least once a second: who has not answered then will not. Who has been patient
/// for less need not wait so long for an answer.
constexpr double most_seconds_to_answer = 2;
constexpr double least_seconds_to_answer = 0.2;
/// Somebody who has been asked for a report lately need not ask for another one.
constexpr std::chrono::seconds lately{5};
/// Every client has to wait for room now and then; asking the whole job is for longer waits.
constexpr double least_patience_s = 0.1;
/// All clients may begin to wait at one date; each that asks asks all others.
constexpr double most_stagger_s = 1;
constexpr std::chrono::milliseconds bare_looks_apart{200};
/// Of one process in one report: more would be too many to read, and a long message waits for a
/// receiver, which may have gone.
constexpr std::size_t most_waits = 32;
constexpr std::size_t most_whom = 64;
constexpr std::size_t most_bytes = 4096;

/// What is told of a wait.
Wait told(Wait wait) {
  if (wait.whom.size() <= most_whom) return wait;
  wait.what += fmt::format(" (and {} others)", wait.whom.size() - most_whom);
  wait.whom.resize(most_whom);
  return wait;
}

}  // namespace

double WaitLimits::first_word_s() const {
  if (patience_s <= 0) return std::numeric_limits<double>::infinity();
  return std::max(least_patience_s,
                  give_up_s > 0 ? std::min(patience_s, give_up_s / 2) : patience_s);
}

void Waiting::begin(const Actor& who, std::string_view what, std::string_view about,
                    const Actor& whom, const WaitLimits& limits) {
  const std::scoped_lock lock(watch_.mutex_);
  who_ = who;
  what_ = what;
  about_ = about;
  whom_ = whom;
  others_.clear();
  limits_ = limits;
  since_ = Clock::now();
  next_word_s_ = limits.first_word_s();
  next_word_s_ += watch_.stagger_s(next_word_s_);
  sleeper_ = EP_Sleeper();
  if (!std::exchange(is_begun_, true)) watch_.waitings_.push_back(this);
  if (!what_.empty()) show();
}

void Waiting::show() {
  const auto actor = [](config::PageActor& to, const Actor& from) {
    using Kind = config::PageActor::Kind;
    to.kind.set(from.kind == Actor::Kind::client   ? Kind::client
                : from.kind == Actor::Kind::server ? Kind::server
                                                   : Kind::none);
    to.component.set(from.component);
    to.rank.set(from.rank);
  };
  shown_ = watch_.page_.take_wait();
  actor(shown_->who, who_);
  const bool is_for_one = whom_.kind != Actor::Kind::none;
  actor(shown_->whom, is_for_one || others_.empty() ? whom_ : others_.front());
  shown_->number_whom.set(is_for_one ? 1 : static_cast<std::int32_t>(others_.size()));
  shown_->what.set(what_, about_);
  shown_->began_ns.set(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since_.time_since_epoch()).count());
  shown_->state.set(config::SlotState::active);
}

void Waiting::set(const Actor& who, const std::string& text, std::vector<Actor> whom,
                  const WaitLimits& limits) {
  if (is_begun_ && text == text_) return set_whom(std::move(whom));
  begin(who, {}, {}, {}, limits);
  const std::scoped_lock lock(watch_.mutex_);
  text_ = text;
  what_ = text_;
  others_ = std::move(whom);
  show();
}

void Waiting::set_whom(std::vector<Actor> whom) {
  const std::scoped_lock lock(watch_.mutex_);
  if (whom == others_) return;
  others_ = std::move(whom);
  show();
}

void Waiting::end() {
  if (!std::exchange(is_begun_, false)) return;
  const std::scoped_lock lock(watch_.mutex_);
  std::erase(watch_.waitings_, this);
  shown_.reset();
}

void Waiting::check() const {
  if (!is_begun_ || limits_.give_up_s <= 0) return;
  const double waited_s = seconds();
  if (waited_s < limits_.give_up_s + limits_.after_s) return;
  std::vector<Actor> whom = others_;
  if (whom_.kind != Actor::Kind::none) whom.push_back(whom_);
  throw Error(
      ErrorCode::call_order,
      fmt::format("{} has waited {:.1f} s for {}: {}{} (give_up_s of context xios is {} s{}). Is "
                  "who is waited for still there, and its disk?",
                  watch_.process_table_.name(who_), waited_s,
                  whom.empty() ? "others" : watch_.process_table_.names(whom), what_, about_,
                  limits_.give_up_s,
                  limits_.after_s > 0
                      ? fmt::format("; clients wait {} s longer than servers", limits_.after_s)
                      : ""));
}

Watch::Watch(const ep::Comm& base, ProcessTable process_table, config::RunPage& page)
    : process_table_(std::move(process_table)), page_(page), comm_(base.dup()) {
  constexpr std::size_t usual = 64;
  waitings_.reserve(usual);
  const auto look = [](void* watch, int is_asked) {
    try {
      static_cast<Watch*>(watch)->look(is_asked != 0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "epios: warning: it cannot be said who waits for whom ({})\n",
                 error.what());
    } catch (...) {  // the caller is C
      std::fputs("epios: warning: it cannot be said who waits for whom\n", stderr);
    }
  };
  ep::check(EP_Set_progress_hook(look, this));
}

Watch::~Watch() {
  EP_Set_progress_hook(nullptr, this);
  for (Message& message : *sent_) {
    int done = 0;
    if (EP_Test(&message.request, &done, EP_STATUS_IGNORE) == EP_SUCCESS && done != 0) continue;
    // The bytes must outlive the message.
    static_cast<void>(sent_.release());
    return;
  }
}

void Watch::look(bool is_asked) {
  receive_queries();
  receive_answers();
  // A launcher hands the signal to all processes: one report is enough.
  if (is_asked && Clock::now() - last_wish_ > lately) is_wished_ = true;
  if (is_wished_ && !(query_ && query_->is_wish())) {
    ask({true, nullptr, nullptr, {}, most_seconds_to_answer, "somebody has asked by SIGUSR1"});
  } else if (!query_) {
    if (std::optional<Reason> reason = due()) ask(std::move(*reason));
  }
  if (query_ && (query_->missing == 0 || Clock::now() >= query_->until)) finish();
}

bool Watch::gives_way(int process, bool is_wish) const {
  if (is_wish != query_->is_wish()) return is_wish;
  return process < comm_.rank();
}

void Watch::receive_queries() {
  ep::Received message;
  while (ep::try_receive(comm_, EP_ANY_SOURCE, question_tag, message)) {
    std::uint32_t number = 0;
    bool is_wish = false;
    config::decode_fields(message.bytes, "a question about waits", number, is_wish);
    if (query_ && gives_way(message.source, is_wish)) query_.reset();
    if (is_wish && !query_) {
      is_wished_ = false;
      last_wish_ = Clock::now();
    }
    postpone();
    send(message.source, answer_tag, config::encode_fields(number, encode(own_waits())));
  }
}

/// Of all questions of this process, those that are over, too: nobody else takes them.
void Watch::receive_answers() {
  ep::Received message;
  while (ep::try_receive(comm_, EP_ANY_SOURCE, answer_tag, message)) {
    std::uint32_t number = 0;
    std::vector<std::byte> waits;
    config::decode_fields(message.bytes, "an answer about waits", number, waits);
    if (!query_ || number != queries_) continue;
    ProcessWaits& answer = nth(query_->answers, message.source);
    if (answer.has_answered) continue;
    answer = decode_waits(waits);
    --query_->missing;
  }
}

/// What is to be told now.
std::optional<Watch::Reason> Watch::due() {
  const std::scoped_lock lock(mutex_);
  for (const Waiting* waiting : waitings_) {
    const double seconds = waiting->seconds();
    if (seconds < waiting->next_word_s_) continue;
    return Reason{
        false,
        waiting,
        waiting->sleeper_,
        waiting->since_,
        seconds / 4,
        fmt::format("{} has waited for {:.1f} s", process_table_.name(waiting->who_), seconds)};
  }
  // They last for seconds: no need to look as often.
  if (Clock::now() - last_bare_look_ < bare_looks_apart) return std::nullopt;
  last_bare_look_ = Clock::now();
  for (const BareWait& bare : bare_waits()) {
    if (bare.wait.seconds < bare.thread->next_word_s) continue;
    const auto since = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(bare.wait.seconds));
    return Reason{false,
                  nullptr,
                  bare.sleeper,
                  since,
                  bare.wait.seconds / 4,
                  fmt::format("{} has waited for {:.1f} s", process_table_.name(bare.wait.who),
                              bare.wait.seconds)};
  }
  return std::nullopt;
}

/// What is being told need not be told again soon.
void Watch::postpone() {
  const std::scoped_lock lock(mutex_);
  for (Waiting* waiting : waitings_) {
    waiting->next_word_s_ = std::max(waiting->next_word_s_, 2 * waiting->seconds());
  }
  for (auto& [sleeper, thread] : threads_) {
    thread.next_word_s = thread.first_word_s + stagger_s(thread.first_word_s);
  }
  for (const BareWait& bare : bare_waits()) {
    bare.thread->next_word_s = std::max(bare.thread->next_word_s, 2 * bare.wait.seconds);
  }
}

/// True if a process has died. Its number means something here only where ep_core has reached the
/// process by it: names of nodes and of namespaces may be those of another machine, too.
bool Watch::is_gone(int process) const {
  const std::int64_t pid = nth(process_table_.processes, process).pid;
  return pid > 0 && comm_.locality(process) == EP_LOCALITY_NODE && is_process_gone(pid);
}

void Watch::note_here(std::vector<ProcessWaits>& answers) {
  nth(answers, comm_.rank()) = own_waits();
  for (std::size_t p = 0; p < answers.size(); ++p) {
    ProcessWaits& answer = answers[p];
    answer.is_gone = !answer.has_answered && is_gone(static_cast<int>(p));
  }
}

void Watch::ask(Reason reason) {
  postpone();
  Query query;
  query.answers.resize(static_cast<std::size_t>(comm_.size()));
  note_here(query.answers);
  query.missing = comm_.size() - 1;
  const double seconds =
      std::clamp(reason.seconds, least_seconds_to_answer, most_seconds_to_answer);
  query.until = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  query.reason = std::move(reason);
  query_ = std::move(query);
  ++queries_;
  for (int process = 0; process < comm_.size(); ++process) {
    if (process == comm_.rank()) continue;
    send(process, question_tag, config::encode_fields(queries_, query_->is_wish()));
  }
}

void Watch::finish() {
  // One whose answer is here may have asked before it answered.
  receive_queries();
  if (!query_) return;
  Query query = std::move(*query_);
  query_.reset();
  if (is_over(query.reason)) return;
  if (query.is_wish()) {
    is_wished_ = false;
    last_wish_ = Clock::now();
  }
  note_here(query.answers);
  fmt::print(stderr, "{}", waits_text(process_table_, query.answers, query.reason.text));
  std::fflush(stderr);
}

/// What went on meanwhile needs no word.
bool Watch::is_over(const Reason& reason) {
  if (reason.is_wish) return false;
  const std::scoped_lock lock(mutex_);
  if (reason.waiting == nullptr) {
    const double seconds = std::chrono::duration<double>(Clock::now() - reason.since).count();
    const std::vector<BareWait> waits = bare_waits();
    return std::none_of(waits.begin(), waits.end(), [&](const BareWait& bare) {
      return bare.sleeper == reason.sleeper && bare.wait.seconds >= 0.9 * seconds;
    });
  }
  return std::none_of(waitings_.begin(), waitings_.end(), [&](const Waiting* waiting) {
    return waiting == reason.waiting && waiting->since_ == reason.since;
  });
}

ProcessWaits Watch::own_waits() {
  ProcessWaits out;
  out.has_answered = true;
  std::size_t bytes = 0;
  const std::scoped_lock lock(mutex_);
  for (const Waiting* waiting : waitings_) {
    if (out.waits.size() == most_waits) break;
    std::vector<Actor> whom = waiting->others_;
    if (waiting->whom_.kind != Actor::Kind::none) whom.push_back(waiting->whom_);
    out.waits.push_back(
        told({waiting->who_, std::string(waiting->what_) + std::string(waiting->about_),
              std::move(whom), waiting->seconds()}));
    bytes += encode({true, {out.waits.back()}}).size();
    if (bytes > most_bytes) return out;
  }
  for (BareWait& bare : bare_waits()) {
    if (out.waits.size() == most_waits) break;
    out.waits.push_back(std::move(bare.wait));
  }
  return out;
}

std::vector<Watch::BareWait> Watch::bare_waits() {
  std::vector<BareWait> out;
  if (threads_.empty()) return out;
  std::pair<Watch*, std::vector<BareWait>*> state(this, &out);
  const auto visit = [](const EP_Wait_info* info, void* opaque) {
    auto& [watch, found] = *static_cast<decltype(state)*>(opaque);
    const auto thread = watch->threads_.find(info->sleeper);
    if (thread == watch->threads_.end()) return;
    const bool is_reported =
        std::any_of(watch->waitings_.begin(), watch->waitings_.end(),
                    [info](const Waiting* waiting) { return waiting->sleeper_ == info->sleeper; });
    if (is_reported) return;
    found->push_back({info->sleeper,
                      &thread->second,
                      {thread->second.who,
                       fmt::format("{} (a call of the endpoints library)", info->text),
                       {},
                       info->seconds}});
  };
  ep::check(EP_Visit_waits(visit, &state));
  return out;
}

void Watch::know_thread(const Actor& who, const WaitLimits& limits) {
  const double first_word_s = limits.first_word_s();
  const std::scoped_lock lock(mutex_);
  threads_[EP_Sleeper()] = {who, first_word_s, first_word_s + stagger_s(first_word_s)};
}

double Watch::stagger_s(double first_word_s) const {
  return std::min(most_stagger_s, first_word_s / 4) * comm_.rank() / comm_.size();
}

void Watch::send(int process, int tag, std::vector<std::byte> bytes) {
  for (auto message = sent_->begin(); message != sent_->end();) {
    int done = 0;
    ep::check(EP_Test(&message->request, &done, EP_STATUS_IGNORE));
    message = done != 0 ? sent_->erase(message) : std::next(message);
  }
  Message& message = sent_->emplace_back();
  message.bytes = std::move(bytes);
  ep::check(EP_Isend(message.bytes.data(), ep::message_count(message.bytes.size()), MPI_BYTE,
                     process, tag, comm_.get(), &message.request));
}

}  // namespace epios::io
