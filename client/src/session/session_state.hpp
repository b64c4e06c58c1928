#pragma once

#include <atomic>
#include <chrono>
#include <ep/ep.hpp>
#include <ep/process_group.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "config/definitions.hpp"
#include "config/run_names.hpp"
#include "coupling/coupling_handshake.hpp"
#include "event/job.hpp"
#include "event/job_rendezvous.hpp"
#include "session/liveness_barrier.hpp"
#include "session/log.hpp"
#include "session/run_costs.hpp"
#include "session/run_settings.hpp"
#include "session/run_texts.hpp"

namespace epios::client {

/// What epios_session stands for: one process's place in the job, and the configuration that its
/// clients start from.
class SessionState {
 public:
  struct Options {
    std::string iodef;
    int clients = 1;
    bool host_server = false;
    MPI_Comm comm = MPI_COMM_WORLD;
    bool is_comm_given = false;  ///< by the model, as the job: it is, whatever else is said
    /// The component, as a coupler has given it: also the job, unless that is given, if variable
    /// using_oasis of context xios is true and EPIOS_RANKS does not say who meets. MPI_COMM_NULL:
    /// nothing.
    MPI_Comm local = MPI_COMM_NULL;
    /// The configuration, instead of files: a recorded run is played, which is not recorded again.
    std::optional<RunTexts> texts;
  };
  /// Collective over all processes of the job. EPIOS_MEMBER makes the component a member of an
  /// ensemble.
  SessionState(const std::string& code_id, const Options& options);
  SessionState(const SessionState&) = delete;
  SessionState(SessionState&&) = delete;
  SessionState& operator=(const SessionState&) = delete;
  SessionState& operator=(SessionState&&) = delete;
  /// Leaves the job in order, when all clients of the component have left. A session that has been
  /// abandoned only lets go.
  ~SessionState();

  const io::Job& job() const { return *job_; }
  /// Of the component, with the member.
  const std::string& code_id() const { return names_.component; }
  const config::Definitions& definitions() const { return definitions_; }
  /// What a recording says of the run.
  struct RecordedRun {
    std::string code_id;           ///< as the model gave it
    bool is_played;                ///< a recording is: it is not recorded again
    RecordingSettings settings;    ///< where the calls of the model are recorded, if they are
    std::vector<std::byte> texts;  ///< encoded RunTexts; empty: nothing is recorded
  };
  const RecordedRun& recorded_run() const { return recorded_; }
  /// Runs the hosted server on the calling thread.
  void serve();
  MPI_Comm process_comm() const;
  /// Ranks of the clients of the processes of `comm`. Throws Error{argument} when one of them is
  /// none of this component. Local.
  std::vector<int> clients_of(MPI_Comm comm) const;
  /// After an error: the destructor will neither wait nor communicate. The first time, what is
  /// known of the run goes to report_file. Any thread; local.
  void abandon(std::string_view why);
  /// A context of one of the clients has ended. Any thread.
  void add_to_report(const ClientCost& context);
  /// A context has ended whose first client is here. Any thread.
  void add_to_report(config::ContextCost context, const std::vector<config::ServerCost>& servers);
  /// The first process writes what is known of the run to report_file. Any thread; local.
  void report_so_far();
  /// Says lines that were not said before: contexts of one id come and go. Any thread.
  void say_once(const std::vector<std::string>& lines);
  /// Something that the model asked for will not be in the files.
  void lose_data() { losses_.of_data = true; }
  /// The same of a definition that could not be closed, until another attempt is better.
  void note_unclosed(int definitions) { losses_.unclosed += definitions; }
  bool has_lost_data() const { return losses_.of_data || losses_.unclosed > 0; }
  bool is_abandoned() const { return abandoned_; }
  /// Before client `index` is opened. Throws Error{argument} when there is none, Error{call_order}
  /// when it was opened before: to open is collective, and the others would not come again.
  void claim_client(int index);
  /// When client `index` has failed.
  void release_client(int index);
  /// What is left of a client that was closed: others may still have a word for it.
  struct ClosedClient {
    int rank = 0;
    std::unique_ptr<LivenessBarrier> liveness;
    std::shared_ptr<io::CouplingHandshake> handshake;
  };
  void close_client(int index, ClosedClient client);
  /// Contexts elsewhere may have been opened when those that they look for had ended here. Any
  /// thread.
  void answer_for_closed();
  /// Clients ever opened.
  int clients_opened() const;
  int open_clients() const;

 private:
  /// What became of one client.
  enum class Place { unopened, open, closed };

  void read_definitions(const std::string& iodef);
  bool asks_for_servers(const std::string& iodef);
  static MPI_Comm comm_of_job(const Options& options);
  io::JobMember::Group group_in_job(MPI_Comm local) const;
  std::vector<std::string> warnings_on_codes() const;
  std::vector<std::string> warnings_on_name() const;
  void start_server();
  void drain_departures();
  void announce_end() const;
  void report() const;
  void report_failure(std::string_view why) const;
  void describe(config::RunReport& report) const;
  void decline_report() const;
  void write_report(const config::RunReport& report) const;

  std::unique_ptr<ep::Environment> environment_;
  std::optional<io::JobRendezvous> rendezvous_;
  ep::ProcessGroup job_processes_;  // the model may free its communicator
  std::unique_ptr<io::Job> job_;
  config::Definitions definitions_;
  std::optional<RunTexts> texts_;  // until they are read, on the first process
  RecordedRun recorded_;
  bool hosts_server_ = false;
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> has_reported_{false};  // before its end
  struct Losses {
    std::atomic<bool> of_data{false};
    std::atomic<int> unclosed{0};  // definitions
  } losses_;
  config::RunNames names_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  RunCosts costs_;  // guarded by clients_mutex_
  OnceLog once_;
  mutable std::mutex clients_mutex_;
  std::vector<Place> clients_;  // of this process, by index
  std::atomic<bool> has_closed_{false};
  std::vector<ClosedClient> closed_;  // guarded by clients_mutex_ while clients are open
  std::thread server_;                // attached, or as servers_per_process has it
};

}  // namespace epios::client
