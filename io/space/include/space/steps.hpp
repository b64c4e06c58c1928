/// @file
/// Elements that are made of others by moving data, and the steps that move it.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/part.hpp"
#include "grid/step_rows.hpp"
#include "space/weights_files.hpp"

namespace epios::io {

class DateNumbers;

/// Gives every element that is made of another one its part on this client: as shape_views does,
/// and also those for which data moves. Collective over the clients of the context.
void shape_elements(config::Model& model, const ep::Comm& clients);

/// Throws Error{configuration} if the mask of a grid has another number of values than the grid has
/// cells on this client, now that its elements have their shapes. Local.
void check_masks(const config::Model& model);

/// Messages and bytes that a client has sent to others.
struct StepTraffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// One step of one field, which turns values of one grid into values of another. Belongs to one
/// endpoint.
class StepRun {
 public:
  StepRun() = default;
  StepRun(const StepRun&) = delete;
  StepRun(StepRun&&) = delete;
  StepRun& operator=(const StepRun&) = delete;
  StepRun& operator=(StepRun&&) = delete;
  virtual ~StepRun() = default;
  /// Takes values of one date (any number that is the same on all clients) in the layout of their
  /// grid, NaN missing, followed by the coordinates that the step names. The arrays are valid
  /// during the call only. Sends what others need. Never waits, does not allocate.
  virtual void take(std::span<const std::span<const double>> values, std::int64_t date) = 0;
  /// Returns results in the layout of their grid, valid until the next take(). Waits until clients
  /// whose points it needs have taken theirs. Called once per take().
  virtual std::span<const double> deliver() = 0;
  /// Returns true if values of that date, taken next, give a result. Otherwise they are kept for
  /// later ones.
  virtual bool would_deliver(std::int64_t /*date*/) const { return true; }
  /// Returns true if it must take the values of all dates, because their number determines their
  /// place.
  virtual bool takes_all() const { return false; }
  /// Returns, while deliver() waits, the clients from which something has still to come. For
  /// reports.
  virtual std::vector<int> awaited() const { return {}; }
};

/// Is told about waits for other clients, and may end them. The client and tests implement it.
class StepWatch {
 public:
  StepWatch() = default;
  StepWatch(const StepWatch&) = delete;
  StepWatch(StepWatch&&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;
  StepWatch& operator=(StepWatch&&) = delete;
  virtual ~StepWatch() = default;
  /// Begins a wait for `what`, which stays valid until end().
  virtual void begin(const std::string& what) = 0;
  /// Called repeatedly during the wait. An exception ends it.
  virtual void check(const StepRun& waiting) = 0;
  virtual void end() = 0;
};

/// Plans the steps of a model's data graph, once: which client needs which points of which other
/// clients. No client knows the points of all.
class StepPlans {
 public:
  /// Plans a model whose elements have their shapes. Collective over `clients`, which must outlive
  /// this object. Keeps neither `model` nor `parts` nor `files`, which read and write weights
  /// (without it, steps that need files are refused). `watch`, which must outlive this object, is
  /// told about steps that wait for others.
  StepPlans(const config::Model& model, const LocalParts& parts, const ep::Comm& clients,
            WeightsFiles* files, StepWatch& watch);
  StepPlans(const StepPlans&) = delete;
  StepPlans(StepPlans&&) = delete;
  StepPlans& operator=(const StepPlans&) = delete;
  StepPlans& operator=(StepPlans&&) = delete;
  ~StepPlans();

  /// Returns a run of an expression of the model that is a step which moves data. Called in the
  /// order of the graph, the same on all clients. This object must outlive the result. Local.
  std::unique_ptr<StepRun> run(int expression);
  /// Returns what the server needs of this client for a step that it computes
  /// (config::is_on_servers): the rows of those points of the target of which this client is the
  /// first to have values. Valid until forget_rows(). Local.
  const StepRows& rows(int expression) const { return *rows_.at(expression); }
  void forget_rows() { rows_.clear(); }
  /// Returns remarks for the user about the grids between which data moves; the same on all
  /// clients.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// Returns the distances of stations from the centres of their cells in km, by domain, where
  /// files have them; the same on all clients.
  const std::map<int, std::vector<double>>& station_distances() const { return station_distances_; }
  /// Returns the traffic of all runs so far. Local.
  const StepTraffic& traffic() const { return shared_.traffic; }
  /// Returns, at the end, remarks for the user about data that was taken and gave no results, or
  /// results with gaps. Local.
  std::vector<std::string> left_over() const;

 private:
  class Plan;
  class Run;
  /// State that runs share.
  struct Shared {
    const ep::Comm& clients;
    StepWatch& watch;
    std::vector<Run*> runs{};  ///< in the order of the graph
    /// By expression, those that coarsen domains and are continued by coarser levels.
    std::map<int, const Run*> coarse{};
    StepTraffic traffic{};
  };
  /// A step of the graph.
  struct Step {
    std::shared_ptr<const Plan> plan;
    std::string name;                            ///< "field 't_sum' (<reduce_domain>)"
    int tag = 0;                                 ///< its first tag
    std::shared_ptr<const DateNumbers> numbers;  ///< date numbers of its argument, if they matter
    int finer = -1;             ///< expression of the finer level, if that is coarsened, too
    bool is_continued = false;  ///< a coarser level is made of it
  };
  std::map<int, Step> steps_;                            ///< by expression
  std::map<int, std::shared_ptr<const StepRows>> rows_;  ///< by expression, for steps on servers
  Shared shared_;
  std::vector<std::string> remarks_;
  std::map<int, std::vector<double>> station_distances_;
};

}  // namespace epios::io
