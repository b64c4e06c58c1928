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

/// Identifies a call at a port: the calling process and the number of its request.
struct Caller {
  int process = -1;
  std::int64_t question = 0;
};

/// The result of a call at a port, for the caller and the acceptor.
struct Connection {
  int process = -1;  ///< rank of the other process in the job
  int tag = 0;       ///< tag between the leaders; each direction has its own
};

/// The ports of a process and, in the first process of the job, the published names. Processes send
/// each other requests, which the thread that drives the communication answers. Any thread.
class Ports {
 public:
  Ports() = default;
  Ports(const Ports&) = delete;
  Ports(Ports&&) = delete;
  Ports& operator=(const Ports&) = delete;
  Ports& operator=(Ports&&) = delete;
  ~Ports() = default;

  /// Begins with `all`, one endpoint of each process. No process sends requests before another
  /// operation that is collective over them has ended. Later calls have no effect. Collective.
  void begin(Endpoint& all);
  /// Closes all ports: calls that wait there fail.
  void end() noexcept;
  /// Returns a communicator like `all`, for connections alone. Throws if there is none.
  EP_Comm job();

  /// True if a port belongs to this job, whether or not it is open.
  bool is_of_job(const std::string& port);

  std::string open();
  void close(const std::string& port);
  /// Waits for a caller at a port of this process and accepts it.
  Connection accept(const std::string& port);
  /// Calls at a port and waits until the call is accepted.
  Connection call(const std::string& port);

  void publish(const std::string& service, const std::string& port);
  void unpublish(const std::string& service, const std::string& port);
  std::string look_up(const std::string& service);

 private:
  static constexpr std::size_t longest_text = 256;
  enum class Kind : int { publish, unpublish, look_up, call, answer };
  /// A message between processes, sent as raw bytes.
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
  void take_answer(const Message& message);
  void take_call(const Caller& caller, const std::string& port);
  void refuse_callers();
  int process_of(const std::string& port);
  void check_port(const std::string& port);
  Member member();

  std::mutex mutex_;  // guards the following members
  EP_Comm job_ = EP_COMM_NULL;
  std::shared_ptr<Intake> intake_;
  std::uint64_t identity_ = 0;  // identity of the job, since ports of other jobs may exist
  std::int64_t next_port_ = 0;
  std::int64_t next_question_ = 0;
  int next_tag_ = 0;
  std::map<std::string, std::deque<Caller>> open_;  // callers that wait to be accepted, by port
  std::map<std::string, std::string> names_;  // published names, in the first process of the job
  std::map<std::int64_t, Message> answers_;
};

}  // namespace ep
