/// @file
/// Which layout suits a run best, and why. All functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "config/run_report.hpp"
#include "imagined_job.hpp"
#include "machine.hpp"
#include "output_dates.hpp"

namespace epios::layouts {

/// What the model does beside output, and where.
struct Work {
  int nodes = 1;
  int per_node = 1;        ///< processors of a node
  int threads = 1;         ///< clients in a process
  int clients = 0;         ///< if the model has so many; 0: as many as processors are left
  double processor_s = 0;  ///< processor seconds of all clients for a time step
  std::int64_t steps = 0;  ///< of the run
  double opening_s = 0;    ///< that a short run took to open its contexts
  int processors() const { return nodes * per_node; }
};

/// Rates and times that a short run has shown, in place of those of Machine and Work.
struct Calibration {
  double step_s = 0;  ///< that its clients computed for a time step
  int clients = 0;
  double opening_s = 0;            ///< that they took to open contexts
  bool has_disk_rate = false;      ///< else it wrote too little to say
  bool has_compress_rate = false;  ///< the same of compressed files
  bool has_memory_rate = false;    ///< else it sent too little
};
/// Sets the rates of `machine`. Throws Error{argument} for the report of another configuration.
Calibration calibrate(const config::RunReport& report, const config::Model& model,
                      Machine& machine);

/// A layout that is compared with others.
struct Candidate {
  int clients = 1;
  int servers = 0;    ///< processes of servers; 0: clients write, each process its own part
  int gatherers = 0;  ///< of the servers
  bool operator==(const Candidate&) const = default;
};

enum class Compression { as_configured, none, light };

/// What is expected of a layout.
struct Outcome {
  Candidate candidate;
  std::string refused;     ///< why it cannot be; "": it can
  double computing_s = 0;  ///< of the model
  double sending_s = 0;    ///< of the model, in sends, without waiting
  double blocked_s = 0;    ///< of the model, waiting for room in channels
  double closing_s = 0;    ///< at the end, until all is written
  double opening_s = 0;
  double busy_share = 0;  ///< of the busiest server
  ServerLoad server;      ///< of the one that writes most
  double total_s() const { return opening_s + computing_s + sending_s + blocked_s + closing_s; }
  double blocked_share() const { return total_s() > 0 ? blocked_s / total_s() : 0; }
};

/// Returns layouts that are worth a try: no servers, on one node or if clients have all processors;
/// numbers of servers up to half of the processors, or as many as clients leave, two at least;
/// gatherers where there are many clients.
std::vector<Candidate> candidates(const config::Model& model, const Work& work);

/// Plays the dates of output: at each, records go to servers as far as their channels have room,
/// and the model waits for the rest. A server occupies up to two processors, if they are there:
/// those that the clients leave free, and theirs where they wait. Otherwise all that are busy get
/// less, and clients compute as long as the one takes that shares its processor.
Outcome outcome_of(const config::Model& model, const RunLimits& limits, const Machine& machine,
                   const Work& work, std::span<const OutputDate> dates, const Candidate& candidate,
                   Compression compression = Compression::as_configured);

/// A sentence on one thing to set.
struct Remark {
  std::string about;  ///< chunks, compression, buffers
  std::string text;
};

struct Advice {
  Outcome best;
  std::string why;
  std::vector<Outcome> tried;  ///< in the order of candidates()
  std::vector<Remark> remarks;
};
/// Returns the layout with which the run takes least time; of several within 3 %, the one with
/// fewest servers. Throws Error{resource} if none can be.
Advice advise(const config::Model& model, const RunLimits& limits, const Machine& machine,
              const Work& work, std::span<const OutputDate> dates);

}  // namespace epios::layouts
