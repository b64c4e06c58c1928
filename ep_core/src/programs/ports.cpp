// Ports and names of a job. Processes send each other requests, which the thread that drives the
// communication answers, so that no process needs a thread for it. In order: texts, begin and end,
// ports (open, accept, call), names, requests and answers.
#include "programs/ports.hpp"

#include <ep/ports.h>

#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/collective.hpp"
#include "creation/api_creation.hpp"
#include "creation/subset.hpp"
#include "handles/endpoint.hpp"
#include "messages/process_receiver.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// "ep_port:<job>:<process>:<number>".
constexpr std::string_view prefix = "ep_port:";
constexpr int names_process = 0;
constexpr int creation_tag = 14;  // apart from those of spares
constexpr int connection_tags = 0x4000000;

std::string job_prefix(std::uint64_t identity) {
  return std::string(prefix) + std::to_string(identity) + ":";
}

std::uint64_t draw_identity() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

template <std::size_t Size>
void write(std::array<char, Size>& to, const std::string& text) {
  std::memcpy(to.data(), text.data(), text.size());  // with room for a zero: lengths are checked
}

void check_service(const std::string& service, std::size_t longest) {
  if (service.empty()) fail(EP_ERR_SERVICE, "a service without a name.");
  if (service.size() < longest) return;
  fail(EP_ERR_SERVICE, "a service's name of ", service.size(), " characters (at most ", longest - 1,
       ").");
}

[[noreturn]] void fail_closed(const std::string& port) {
  fail(EP_ERR_PORT, "port '", port, "' is not open (closed, or never opened).");
}

}  // namespace

/// Receives the messages of other processes about ports and names.
class Ports::Intake final : public ProcessReceiver {
 public:
  explicit Intake(Ports& ports) : ports_(ports) {}
  void take_in(const std::shared_ptr<Clique>& /*clique*/, int source,
               std::span<const std::byte> bytes) noexcept override {
    Message message;
    if (bytes.size() != sizeof message) return;
    std::memcpy(&message, bytes.data(), sizeof message);
    static_cast<void>(guarded([&] { ports_.take(source, message); }));
  }

 private:
  Ports& ports_;
};

void Ports::begin(Endpoint& all) {
  {
    const std::lock_guard lock(mutex_);
    if (job_ != EP_COMM_NULL) return;
  }
  std::vector<int> ranks(static_cast<std::size_t>(all.local_group().size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const EP_Comm job = handle_of(nullptr, create_subset(all, ranks, subset_tag(creation_tag)));
  std::uint64_t identity = job->rank == 0 ? draw_identity() : 0;
  bcast(*job, {&identity, 1, MPI_UINT64_T}, 0);
  const std::lock_guard lock(mutex_);
  identity_ = identity;
  intake_ = std::make_shared<Intake>(*this);
  receive_by(*job->clique, intake_);
  job_ = job;
}

// Returns the process that opened a port, which its name contains, or -1.
int Ports::process_of(const std::string& port) {
  std::string begin;
  {
    const std::lock_guard lock(mutex_);
    begin = job_prefix(identity_);
  }
  if (!port.starts_with(begin)) return -1;
  const char* const end = port.data() + port.size();
  int process = -1;
  const auto [rest, error] = std::from_chars(port.data() + begin.size(), end, process);
  return error == std::errc() && rest != end && *rest == ':' ? process : -1;
}

bool Ports::is_of_job(const std::string& port) {
  return port.size() < longest_text && process_of(port) >= 0;
}

void Ports::check_port(const std::string& port) {
  if (is_of_job(port)) return;
  fail(EP_ERR_PORT, "'", port, "' is no port of this job (EP_Open_port names them).");
}

void Ports::refuse_callers() {
  std::map<std::string, std::deque<Caller>> open;
  {
    const std::lock_guard lock(mutex_);
    open = std::exchange(open_, {});
  }
  Message refusal;
  refusal.code = EP_ERR_PORT;
  for (const auto& [port, callers] : open) {
    for (const Caller& caller : callers) answer(caller, refusal);
  }
}

void Ports::end() noexcept {
  static_cast<void>(guarded([this] { refuse_callers(); }));
  const std::lock_guard lock(mutex_);
  intake_.reset();
  if (job_ != EP_COMM_NULL) free_endpoint(std::exchange(job_, EP_COMM_NULL));
  open_.clear();
  names_.clear();
  answers_.clear();
}

EP_Comm Ports::job() {
  const std::lock_guard lock(mutex_);
  if (job_ == EP_COMM_NULL) {
    fail(EP_ERR_OTHER,
         "ports and names before EP_Init_thread or EP_Init_endpoint (only then processes of the "
         "job know each other).");
  }
  return job_;
}

Member Ports::member() {
  const Endpoint& control = *job();
  return {control.clique, control.slot, control.side, control.rank};
}

std::string Ports::open() {
  const int process = member().clique->my_process();
  const std::lock_guard lock(mutex_);
  std::string port = job_prefix(identity_);
  port += std::to_string(process) + ":" + std::to_string(next_port_++);
  open_[port];
  return port;
}

void Ports::close(const std::string& port) {
  std::deque<Caller> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(port);
    if (found == open_.end()) fail_closed(port);
    waiting = std::move(found->second);
    open_.erase(found);
  }
  Message refusal;
  refusal.code = EP_ERR_PORT;
  for (const Caller& caller : waiting) answer(caller, refusal);
  registry().notify(member().place());  // wakes the threads that wait in accept()
}

Connection Ports::accept(const std::string& port) {
  check_port(port);
  const Member self = member();
  std::optional<Caller> caller;
  bool is_open = true;
  const WaitSpec spec{"a caller at a port (EP_Comm_accept)"};
  registry().wait(self.place(), spec, [&] {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(port);
    is_open = found != open_.end();
    if (!is_open || found->second.empty()) return !is_open;
    caller = found->second.front();
    found->second.pop_front();
    return true;
  });
  if (!is_open) {
    if (process_of(port) == self.clique->my_process()) fail_closed(port);
    fail(EP_ERR_PORT, "port '", port, "' was opened by another process (only that one accepts).");
  }
  Message welcome;
  {
    const std::lock_guard lock(mutex_);
    next_tag_ = (next_tag_ + 1) % connection_tags;
    welcome.tag = next_tag_;
  }
  answer(*caller, welcome);
  return {caller->process, welcome.tag};
}

Connection Ports::call(const std::string& port) {
  check_port(port);
  const int process = process_of(port);
  if (process >= member().clique->process_count()) fail_closed(port);
  Message message;
  message.kind = Kind::call;
  write(message.port, port);
  const Message got = ask(process, message, "somebody to accept at a port (EP_Comm_connect)");
  if (got.code != EP_SUCCESS) fail_closed(port);
  return {process, got.tag};
}

void Ports::publish(const std::string& service, const std::string& port) {
  check_service(service, longest_text);
  check_port(port);
  Message message;
  message.kind = Kind::publish;
  write(message.service, service);
  write(message.port, port);
  const Message got = ask(names_process, message, "the process of names (EP_Publish_name)");
  if (got.code == EP_SUCCESS) return;
  fail(got.code, "service '", service, "' is published already, for port '", got.port.data(), "'.");
}

void Ports::unpublish(const std::string& service, const std::string& port) {
  check_service(service, longest_text);
  check_port(port);
  Message message;
  message.kind = Kind::unpublish;
  write(message.service, service);
  write(message.port, port);
  const Message got = ask(names_process, message, "the process of names (EP_Unpublish_name)");
  if (got.code == EP_SUCCESS) return;
  if (got.port.front() == '\0') fail(got.code, "nobody has published service '", service, "'.");
  fail(got.code, "service '", service, "' is published for port '", got.port.data(), "', not for '",
       port, "'.");
}

std::string Ports::look_up(const std::string& service) {
  check_service(service, longest_text);
  Message message;
  message.kind = Kind::look_up;
  write(message.service, service);
  const Message got = ask(names_process, message, "the process of names (EP_Lookup_name)");
  if (got.code != EP_SUCCESS) fail(got.code, "nobody has published service '", service, "'.");
  return got.port.data();
}

Ports::Message Ports::ask(int process, Message message, const char* what) {
  const Member self = member();
  {
    const std::lock_guard lock(mutex_);
    message.question = ++next_question_;
  }
  if (process == self.clique->my_process()) {
    take(process, message);
  } else {
    send(process, message);
  }
  std::optional<Message> got;
  registry().wait(self.place(), WaitSpec{what, process}, [&] {
    const std::lock_guard lock(mutex_);
    auto found = answers_.extract(message.question);
    if (found) got = found.mapped();
    return got.has_value();
  });
  return *got;
}

void Ports::send(int process, const Message& message) {
  send_to_receiver(member().clique, process, std::as_bytes(std::span(&message, 1)));
}

void Ports::answer(const Caller& caller, Message message) {
  message.kind = Kind::answer;
  message.question = caller.question;
  if (caller.process != member().clique->my_process()) {
    send(caller.process, message);
  } else {
    take_answer(message);
  }
}

void Ports::take_answer(const Message& message) {
  const Member self = member();  // the answer may let its receiver end the job
  {
    const std::lock_guard lock(mutex_);
    answers_[message.question] = message;
  }
  registry().notify(self.place());
}

void Ports::take(int process, const Message& message) {
  const Caller caller{process, message.question};
  switch (message.kind) {
    case Kind::answer:
      take_answer(message);
      break;
    case Kind::call:
      take_call(caller, message.port.data());
      break;
    default:
      answer(caller, answer_name(message));
  }
}

void Ports::take_call(const Caller& caller, const std::string& port) {
  bool is_open = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(port);
    is_open = found != open_.end();
    if (is_open) found->second.push_back(caller);
  }
  if (is_open) {
    registry().notify(member().place());
    return;
  }
  Message refusal;
  refusal.code = EP_ERR_PORT;
  answer(caller, refusal);
}

// Returns the port that the name stands for, if it is published.
Ports::Message Ports::answer_name(const Message& question) {
  const std::string service = question.service.data();
  const std::string port = question.port.data();
  Message out;
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(service);
  if (found != names_.end()) write(out.port, found->second);
  if (question.kind == Kind::look_up) {
    if (found == names_.end()) out.code = EP_ERR_NAME;
  } else if (question.kind == Kind::publish) {
    if (found != names_.end()) out.code = EP_ERR_SERVICE;
    names_.emplace(service, port);
  } else if (found == names_.end() || found->second != port) {
    out.code = EP_ERR_SERVICE;
  } else {
    names_.erase(found);
  }
  return out;
}

}  // namespace ep
