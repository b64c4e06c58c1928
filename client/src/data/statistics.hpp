#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/statistics.hpp"
#include "file/plain_values.hpp"
#include "grid/part.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What the statistics file of an earlier run has.
struct FoundStatistics {
  config::RunState state;
  std::int64_t bytes = 0;                         ///< size of the file
  std::vector<io::PlainVariable> values, counts;  ///< one for each operation of this run
};

/// The temporal operations of a context that outlive the run (attribute statistics_file): taken up
/// from the run before, left to the next one.
class Statistics {
 public:
  /// Collective over `clients`, whose Models agree. The leader looks at the file, and all learn
  /// what it says but for the arrays. The Model becomes that of a run that goes on, with a file for
  /// what this run leaves. Throws on all clients what does not fit.
  Statistics(config::Model& model, const ep::Comm& clients);

  bool goes_on() const { return found_.has_value(); }
  /// Steps from the Model's start to that of this run.
  std::int64_t steps_before() const { return found_ ? found_->state.steps : 0; }

  /// Every client reads its own points. Local. Workflow::resume() is the caller's.
  void restore(const config::Model& model, const io::LocalParts& parts,
               io::Workflow& workflow) const;

  /// When the run ended: steps since the Model's start, to the last with data and to the last that
  /// the calendar was set to.
  struct End {
    config::Instant date;
    std::int64_t steps = 0, announced_steps = 0;
  };
  /// Sends the state of a workflow that is finished to the statistics file.
  void save(const config::Model& model, io::Workflow& workflow, const End& end) const;

 private:
  static std::vector<std::byte> look(const config::Model& model,
                                     const std::vector<config::KeptOperation>& kept);
  void learn(std::span<const std::byte> bytes, std::size_t operations);

  std::vector<config::KeptOperation> kept_;
  std::optional<FoundStatistics> found_;
  config::StatisticsSources sources_;
};

}  // namespace epios::client
