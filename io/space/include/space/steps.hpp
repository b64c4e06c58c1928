/// @file
/// Elements that are made of others by moving data, and the data on their way.
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

/// Gives every element that is made of another one its part on this client: as shape_views, and
/// those that data are moved for. Collective over the clients of the context.
void shape_elements(config::Model& model, const ep::Comm& clients);

/// Throws Error{configuration} for a grid's mask that has not as many values as the grid has cells
/// on this client, now that its elements have their shapes. Local.
void check_masks(const config::Model& model);

/// What a client has sent to others of what they need.
struct StepTraffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// One step of one field: values of one grid become values of another. Belongs to one endpoint.
class StepRun {
 public:
  StepRun() = default;
  StepRun(const StepRun&) = delete;
  StepRun(StepRun&&) = delete;
  StepRun& operator=(const StepRun&) = delete;
  StepRun& operator=(StepRun&&) = delete;
  virtual ~StepRun() = default;
  /// Values of one date (any number that is the same on all clients) in the layout of the grid they
  /// come from, NaN missing, and behind them coordinates that the step names; for this call only.
  /// What others need leaves. Never waits, allocates nothing.
  virtual void take(std::span<const std::span<const double>> values, std::int64_t date) = 0;
  /// Results in the layout of their grid, valid until the next take(). Waits for clients that have
  /// points which this one needs until they have taken theirs. Once per take().
  virtual std::span<const double> deliver() = 0;
  /// Whether something comes of values of that date, if they are taken next: if not, they are kept
  /// for what comes later.
  virtual bool would_deliver(std::int64_t /*date*/) const { return true; }
  /// Whether values of all dates have to be taken, since their number says where they go.
  virtual bool takes_all() const { return false; }
  /// While deliver() waits: the clients that something has still to come from. For reports.
  virtual std::vector<int> awaited() const { return {}; }
};

/// Who hears of waits for other clients, and may end them. Implemented by the client and by tests.
class StepWatch {
 public:
  StepWatch() = default;
  StepWatch(const StepWatch&) = delete;
  StepWatch(StepWatch&&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;
  StepWatch& operator=(StepWatch&&) = delete;
  virtual ~StepWatch() = default;
  /// `what` is waited for until end(); it stays valid until then.
  virtual void begin(const std::string& what) = 0;
  /// Called now and then meanwhile. What it throws ends the wait.
  virtual void check(const StepRun& waiting) = 0;
  virtual void end() = 0;
};

/// How the steps of a model's data graph are done: who has what whom needs, worked out once. No
/// client knows the points of all.
class StepPlans {
 public:
  /// Of a model whose elements have their shapes. Collective over `clients`, which outlives this;
  /// neither `model` nor `parts` is kept, nor `files`, which weights come from and go to (none:
  /// such steps are refused). `watch`, which outlives this, hears of steps that wait for others.
  StepPlans(const config::Model& model, const LocalParts& parts, const ep::Comm& clients,
            WeightsFiles* files, StepWatch& watch);
  StepPlans(const StepPlans&) = delete;
  StepPlans(StepPlans&&) = delete;
  StepPlans& operator=(const StepPlans&) = delete;
  StepPlans& operator=(StepPlans&&) = delete;
  ~StepPlans();

  /// Of an expression of the model that is a step which moves data (in the order of the graph, the
  /// same on all clients). This outlives what it returns. Local.
  std::unique_ptr<StepRun> run(int expression);
  /// What the server needs of this client for a step that it works out (config::is_on_servers):
  /// rows of those points of the target of which this client is the first to have values. Until
  /// forget_rows(). Local.
  const StepRows& rows(int expression) const { return *rows_.at(expression); }
  void forget_rows() { rows_.clear(); }
  /// What is odd about the grids between which data are moved, for the user; the same on all
  /// clients.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// Of all runs so far. Local.
  const StepTraffic& traffic() const { return shared_.traffic; }
  /// At the end: what has been taken and comes to nothing, or to results with gaps, for the user.
  /// Local.
  std::vector<std::string> left_over() const;

 private:
  class Plan;
  class Run;
  /// What runs have in common.
  struct Shared {
    const ep::Comm& clients;
    StepWatch& watch;
    std::vector<Run*> runs{};  ///< in the order of the graph
    StepTraffic traffic{};
  };
  /// A step of the graph.
  struct Step {
    std::shared_ptr<const Plan> plan;
    std::string name;                            ///< "field 't_sum' (<reduce_domain>)"
    int tag = 0;                                 ///< its first one
    std::shared_ptr<const DateNumbers> numbers;  ///< of its argument, where they matter
  };
  std::map<int, Step> steps_;                            ///< by expression
  std::map<int, std::shared_ptr<const StepRows>> rows_;  ///< the same, of steps on servers
  Shared shared_;
  std::vector<std::string> remarks_;
};

}  // namespace epios::io
