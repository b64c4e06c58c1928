#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/ep.hpp>
#include <string>
#include <vector>

namespace ep {

class BlobReader;

/// One program of a spawn.
struct Command {
  std::string program;
  std::vector<std::string> arguments;  ///< the first is the name of the program
  std::string folder;                  ///< working directory; "" for the present one
  std::string path;                    ///< folders where the program is sought first
  int processes = 0;
  int endpoints = 1;
  int number = 0;               ///< among those of the spawn (MPI-3.1, 10.5.3)
  bool connects_first = false;  ///< only the first endpoint of each process has a parent
  bool is_soft = false;         ///< fewer processes will do
};

/// The outcome of a spawn at its root.
struct SpawnOutcome {
  std::vector<int> processes;  ///< that run the programs: ranks among all processes of the job
  std::vector<int> codes;      ///< per process that was asked for
  int tag = 0;                 ///< of the intercommunicator's creation
  std::string problem;         ///< why nothing was started; "" otherwise
  bool is_short = false;       ///< because too few spares are free
};

/// Parked processes (`epexec -spare`): processes of MPI_COMM_WORLD that belong to no start
/// communicator until a spawn makes them run a program. All messages about them go over `control`,
/// a communicator of one endpoint for each process of the job.
///
/// A root asks spares one after the other, in ascending order, so that two roots cannot each hold
/// what the other one waits for. At the end of the job the main processes ask the spares whether
/// they are idle, until nothing has been started between two rounds; then the spares leave.
class Spares {
 public:
  /// Makes `control`. Collective over all processes of the job, spares included; has no effect
  /// without spares.
  void connect(bool is_spare);
  bool exist() const noexcept { return !spares_.empty(); }
  int count() const noexcept { return static_cast<int>(spares_.size()); }
  /// Returns a communicator of the processes that are no spares, one endpoint each. Collective over
  /// them.
  EP_Comm main_processes();
  EP_Comm control() const noexcept { return control_.get(); }

  /// Finds spares for the commands and has them load the programs. Any thread.
  SpawnOutcome reserve(const std::vector<Command>& commands);
  /// Ends the spares at the end of the job. Collective over `world`, the main processes.
  void dismiss(EP_Comm world);
  void free() noexcept;

  /// Runs a spare process until it is dismissed. Returns the largest status of its programs.
  int serve();

 private:
  /// The request of a root to a spare.
  struct Offer {
    int root = 0;
    int tag = 0;
    bool is_patient = false;  ///< a spare whose program may end soon does not refuse at once
    Command command;

    std::vector<std::byte> write() const;
    static Offer read(BlobReader& blob, int root);
  };
  class Reservation;

  // What a spare does.
  void take_message();
  void refuse_offers(bool also_patient);
  void wait_for_program();
  void answer(const Offer& offer);
  void run(const Offer& offer, const std::string& path, const std::vector<int>& participants);
  void answer_idle();
  bool has_message() const;

  Comm control_;
  std::vector<int> mains_;   ///< ranks in `control_`
  std::vector<int> spares_;  ///< ranks in `control_`
  std::atomic<int> next_tag_{0};
  // Of a spare.
  int runs_ = 0;
  int status_ = 0;
  bool is_dismissed_ = false;
  std::deque<Offer> offers_;   ///< not answered yet
  int asking_ = EP_PROC_NULL;  ///< who wants to know when it is idle
};

}  // namespace ep
