#pragma once

#include <ep/ep.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace ep {

struct Endpoint;
struct Member;

/// A caller at a port: a process of the job, and the number of its question.
struct Caller {
  int process = -1;
  std::int64_t question = 0;
};

/// The result of a call at a port, for the caller and its acceptor.
struct Connection {
  int process = -1;  ///< of the other one, in the job
  int tag = 0;       ///< what their leaders say goes under; each direction has its own
};

/// The ports of a process and, in the first process of the job, the names of all. Processes ask
/// each other by messages, which whoever drives the traffic answers. Any thread.
class Ports {
 public:
  Ports() = default;
  Ports(const Ports&) = delete;
  Ports(Ports&&) = delete;
  Ports& operator=(const Ports&) = delete;
  Ports& operator=(Ports&&) = delete;
  ~Ports() = default;

  /// Begins with `all`, one endpoint of each process; no process asks before another operation that
  /// is collective over them. Has no effect the second time. Collective.
  void begin(Endpoint& all);
  /// Ends all ports: waiters there get an error.
  void end() noexcept;
  /// Returns a communicator like `all`, for connections alone. Throws if there is none.
  EP_Comm job();

  /// True if a port belongs to this job, open or not.
  bool is_of_job(const std::string& port);

  std::string open();
  void close(const std::string& port);
  /// Waits for a caller at a port of this process, and lets it go on.
  Connection accept(const std::string& port);
  /// Calls at a port and waits until it accepts.
  Connection call(const std::string& port);

  void publish(const std::string& service, const std::string& port);
  void unpublish(const std::string& service, const std::string& port);
  std::string look_up(const std::string& service);

 private:
  static constexpr std::size_t longest_text = 256;
  enum class Kind : int { publish, unpublish, look_up, call, answer };
  /// Travels as it is.
  struct Message {
    Kind kind = Kind::answer;
    int code = EP_SUCCESS;
    std::int64_t question = 0;
    int tag = 0;
    std::array<char, longest_text> service{};
    std::array<char, longest_text> port{};
  };
  class Intake;

  Message ask(int process, Message message, const char* what);
  void send(int process, const Message& message);
  void take(int process, const Message& message);
  void answer(const Caller& caller, Message message);
  Message answer_name(const Message& question);
  void take_call(const Caller& caller, const std::string& port);
  void refuse_callers();
  int process_of(const std::string& port);
  void check_port(const std::string& port);
  Member member();

  std::mutex mutex_;  // what follows
  EP_Comm job_ = EP_COMM_NULL;
  std::shared_ptr<Intake> intake_;
  std::uint64_t identity_ = 0;  // of the job: others have ports, too
  std::int64_t next_port_ = 0;
  std::int64_t next_question_ = 0;
  int next_tag_ = 0;
  std::map<std::string, std::deque<Caller>> open_;  // who waits to be accepted, by port
  std::map<std::string, std::string> names_;        // of the job, in its first process
  std::map<std::int64_t, Message> answers_;
};

}  // namespace ep
