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
  std::string path;                    ///< folders that are searched first for the program
  int processes = 0;
  int endpoints = 1;
  int number = 0;               ///< index among the commands of the spawn (MPI-3.1, 10.5.3)
  bool connects_first = false;  ///< only the first endpoint of each process has a parent
  bool is_soft = false;         ///< fewer processes are allowed
};

/// The outcome of a spawn at its root.
struct SpawnOutcome {
  std::vector<int> processes;  ///< ranks in the job of the processes that run the programs
  std::vector<int> codes;      ///< one code per requested process
  int tag = 0;                 ///< tag for the creation of the intercommunicator
  std::string problem;         ///< why nothing was started; "" otherwise
  bool is_short = false;       ///< true if too few spare processes are free
};

/// Parked processes (`epexec -spare`): processes of MPI_COMM_WORLD that belong to no start
/// communicator until a spawn makes them run a program. All messages about them go over `control`,
/// a communicator of one endpoint for each process of the job.
///
/// A root reserves spare processes one after the other, in ascending order, so that two roots
/// cannot each hold a process that the other one waits for. At the end of the job the main
/// processes ask the spare processes whether they are idle, until no program has been started
/// between two rounds; then the spare processes leave.
class Spares {
 public:
  /// Creates `control`. Collective over all processes of the job, spares included; has no effect
  /// without spares.
  void connect(bool is_spare);
  bool exist() const noexcept { return !spares_.empty(); }
  int count() const noexcept { return static_cast<int>(spares_.size()); }
  /// Returns a communicator of the main processes (those that are not spares), one endpoint each.
  /// Collective over them.
  EP_Comm main_processes();
  EP_Comm control() const noexcept { return control_.get(); }

  /// Reserves spare processes for the commands and makes them load the programs. Any thread.
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

  // The following functions run in a spare process.
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
  // The following members are the state of a spare process.
  int runs_ = 0;
  int status_ = 0;
  bool is_dismissed_ = false;
  std::deque<Offer> offers_;   ///< offers without an answer yet
  int asking_ = EP_PROC_NULL;  ///< main process that waits for this one to become idle
};

}  // namespace ep
