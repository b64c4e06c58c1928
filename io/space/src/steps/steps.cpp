// Steps that move data. StepPlans makes a plan for each pair of grids, which fields share; a Run
// takes the values of a field, sends what others need, and delivers results when all parts have
// arrived.
#include "space/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "exchange/step_frame.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/missing.hpp"
#include "space/directory.hpp"
#include "space/zeroed_array.hpp"
#include "steps/columns.hpp"
#include "steps/date_numbers.hpp"
#include "steps/gather.hpp"
#include "steps/reduction.hpp"
#include "steps/server_rows.hpp"
#include "steps/stencils.hpp"
#include "steps/temporal_stacking.hpp"

namespace epios::io {

namespace {

using config::TransformationWork;

/// True if copies of a point on several clients are what is reduced.
bool reduces_copies(TransformationWork work) { return work == TransformationWork::combination; }

bool is_reduction(TransformationWork work) {
  return work == TransformationWork::reduction || reduces_copies(work);
}

/// The point of the target that one of the source belongs to.
std::function<std::int64_t(std::int64_t)> target_of(const config::Model& model,
                                                    const config::SpatialStep& step) {
  const config::ShapeRule rule = config::traits_of(step.transformation->kind).shape;
  if (rule == config::ShapeRule::same) return [](std::int64_t source) { return source; };
  if (rule != config::ShapeRule::side) return [](std::int64_t) { return std::int64_t{0}; };
  const std::int64_t ni = model.domains[step.source.domain()].attributes.ni_glo.value_or(1);
  if (config::is_along_i(*step.transformation)) {
    return [ni](std::int64_t source) { return source % ni; };
  }
  return [ni](std::int64_t source) { return source / ni; };
}

/// Returns the target if each point of the grid is a point of its own.
std::function<std::int64_t(std::int64_t)> spread_target(
    std::function<std::int64_t(std::int64_t)> element, const Frame& frame) {
  const std::int64_t before = frame.before.all;
  const std::int64_t sources = frame.source_points;
  const std::int64_t targets = frame.target_points;
  return [=, target = std::move(element)](std::int64_t key) {
    const std::int64_t point = key / before;
    return key % before + before * (target(point % sources) + targets * (point / sources));
  };
}

}  // namespace

/// The plan that fields on the same two grids share.
class StepPlans::Plan {
 public:
  Plan(StepContext& context, const config::SpatialStep& step,
       const config::FieldExpression& expression, std::int64_t salt);

  const ep::Comm* comm() const { return reach_ == Reach::nobody ? nullptr : &comm_; }
  /// Converts ranks among the clients of the plan to ranks among all clients.
  std::vector<int> ranks_of_clients(const std::vector<int>& ranks, const ep::Comm& clients) const;

  std::optional<GatherPlan> gather;
  std::optional<ReductionPlan> reduction;
  std::optional<TemporalStacking> split;  ///< over time
  bool is_window = false;                 ///< the array of the source, with other points
  std::optional<CoarseRule> coarse;       ///< the blocks of cells that `gather` brings become one
  std::optional<ColumnPlan> columns;      ///< applied to the columns that `gather` brings
  std::vector<std::int64_t> masked;
  /// The mask of a grid is that of the step from it: no later one tells masked points from others
  /// that are missing.
  double of_masked() const { return gather ? gather->unowned_value() : missing; }
  std::size_t source_size = 0, target_size = 0;

 private:
  Reach reach_ = Reach::nobody;
  ep::Comm comm_;
};

namespace {

/// Whoever gets a point may not have what goes with it of the other elements: then nobody has it.
void check_nothing_is_lost(const config::Model& model, const config::SpatialStep& step,
                           const Frame& element, const Points& targets, const ep::Comm& clients) {
  const auto all = static_cast<std::size_t>(element.before.all * element.behind.all);
  if (!on_any(clients, element.levels() != all)) return;
  Stencils wanted;
  wanted.targets = targets;
  for (std::size_t t = 0; t < targets.keys.size(); ++t) wanted.close_target();
  const Frame sources = spread(element, {});
  const std::int64_t size = element.before.all * element.target_points * element.behind.all;
  const Directory directory(clients, size, spread(wanted, element).targets.keys);
  const std::vector<int> holders = directory.lowest(sources.sources.keys);
  if (!on_any(clients, std::find(holders.begin(), holders.end(), -1) != holders.end())) return;
  const auto& grid = model.grids[step.from];
  throw Error(
      ErrorCode::configuration,
      fmt::format("{}: error: <{}> loses points of grid '{}' (a client that gets them has not what "
                  "goes with them of its other elements). Redistribute those with type=\"full\" "
                  "before?",
                  step.transformation->where, config::name(step.transformation->kind), grid.id));
}

}  // namespace

StepPlans::Plan::Plan(StepContext& context, const config::SpatialStep& step,
                      const config::FieldExpression& expression, std::int64_t salt) {
  const config::Model& model = context.model;
  const LocalParts& parts = context.parts;
  const config::Transformation& how = *step.transformation;
  const TransformationWork work = config::traits_of(how.kind).work;
  const bool is_split = work == TransformationWork::splitting;
  is_window = work == TransformationWork::view;
  const bool is_local = is_split || is_window || config::flag_of(how, "local");
  const Scope scope = reduces_copies(work) ? Scope::copies
                      : is_local           ? Scope::client
                                           : Scope::points;
  StepFrame made = frame_of(model, parts, step, context.clients, scope);
  reach_ = made.reach;
  comm_ = std::move(made.comm);
  Frame& element = made.frame;
  source_size =
      static_cast<std::size_t>(element.before.array * element.source_array * element.behind.array);
  target_size =
      static_cast<std::size_t>(element.before.array * element.target_array * element.behind.array);
  if (is_window) return;
  if (is_split) {
    split.emplace(element, points_of(parts.data(step.target)));
    masked = std::move(made.masked);
    return;
  }
  const bool by_point = reach_ == Reach::by_point;
  Stencils stencils;
  if (is_reduction(work)) {
    stencils.targets = points_of(parts.data(step.target));
    stencils.begin.resize(stencils.targets.keys.size() + 1);
  } else if (expression.nodes.size() > 1) {
    columns.emplace(context, step, expression, element);
    stencils = ColumnPlan::whole_columns(element.source_points);
    element.target_array = element.target_points = element.source_points;
  } else {
    stencils = stencils_of(context, step);
  }
  if (work == TransformationWork::redistribution) {
    check_nothing_is_lost(model, step, element, stencils.targets, context.clients);
  }
  const Frame frame = by_point ? spread(element, made.masked) : element;
  if (by_point) stencils = spread(stencils, element);
  masked = std::move(made.masked);
  if (!is_reduction(work)) {
    if (work == TransformationWork::coarsening) coarse = coarse_rule(how);
    gather.emplace(frame, std::move(stencils), gaps_of(how), comm(),
                   coarse ? GatherPlan::Use::blocks : GatherPlan::Use::sums);
    return;
  }
  ReductionPlan::What what;
  what.operation = reduce_operation(config::text_of(how, "operation").value_or("average"));
  what.target_of = target_of(model, step);
  if (by_point) what.target_of = spread_target(what.target_of, element);
  what.counts_once = !reduces_copies(work);
  what.salt = salt;
  reduction.emplace(frame, stencils.targets, what, comm());
}

std::vector<int> StepPlans::Plan::ranks_of_clients(const std::vector<int>& ranks,
                                                   const ep::Comm& clients) const {
  std::vector<int> out(ranks.size());
  EP_Group own = EP_GROUP_NULL;
  EP_Group all = EP_GROUP_NULL;
  ep::check(EP_Comm_group(comm_.get(), &own));
  ep::check(EP_Comm_group(clients.get(), &all));
  ep::check(
      EP_Group_translate_ranks(own, static_cast<int>(ranks.size()), ranks.data(), all, out.data()));
  ep::check(EP_Group_free(&own));
  ep::check(EP_Group_free(&all));
  return out;
}

/// A step of one field, done as its plan says.
class StepPlans::Run final : public StepRun {
 public:
  Run(const Step& step, Shared& shared)
      : plan_(*step.plan),
        shared_(shared),
        name_(step.name),
        waits_for_(fmt::format("points of {}", step.name)),
        is_local_(plan_.comm() == nullptr),
        result_(plan_.target_size, missing),
        split_(plan_.split),
        numbers_(step.numbers ? std::optional(*step.numbers) : std::nullopt) {
    if (plan_.columns) columns_.emplace(*plan_.columns);
    if (plan_.gather) {
      if (step.finer >= 0) finer_ = shared.coarse.at(step.finer);
      gather_.emplace(*plan_.gather, plan_.comm(), step.tag, shared.traffic, arrays());
    }
    if (plan_.reduction)
      reduction_.emplace(*plan_.reduction, plan_.comm(), step.tag, shared.traffic);
    const bool waits = gather_ && !plan_.coarse && !is_local_;
    if (!plan_.masked.empty() || waits) kept_.resize(plan_.source_size);
    if (step.is_continued) shares_.emplace(plan_.target_size);
    shared_.runs.push_back(this);
  }
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  ~Run() override { std::erase(shared_.runs, this); }

  void take(std::span<const std::span<const double>> inputs, std::int64_t date) override {
    const std::span<const double> values = inputs.front();
    const double* from = values.data();
    if (plan_.is_window) {
      std::copy(values.begin(), values.end(), result_.begin());
      return;
    }
    if (columns_) columns_->take(inputs.subspan(1));
    if (!kept_.empty()) {
      std::copy(values.begin(), values.end(), kept_.begin());
      for (const std::int64_t place : plan_.masked) {
        nth(kept_, place) = plan_.of_masked();
      }
      from = kept_.data();
    }
    if (split_) {
      split_->take(from, numbers_->at({date}), result_);
      return numbers_->pass({date});
    }
    if (reduction_) return reduction_->take(from, date);
    if (plan_.coarse) {
      const BlockArrays arrays{from, finer_shares(), result_.data(), own_shares()};
      return gather_->take_blocks(*plan_.coarse, arrays, date);
    }
    if (is_local_) return work_out(from);
    const std::array inputs_of_all{from, columns_ ? columns_->coordinates() : nullptr};
    gather_->take(std::span(inputs_of_all).first(arrays()), date);
  }
  std::span<const double> deliver() override {
    if (!is_done()) wait();
    if (reduction_) {
      reduction_->deliver(result_.data());
    } else if (plan_.coarse) {
      gather_->deliver_blocks(*plan_.coarse, result_.data(), own_shares());
    } else if (gather_ && !is_local_) {
      work_out(kept_.data());
    }
    return result_;
  }
  bool would_deliver(std::int64_t date) const override {
    return !split_ || split_->is_last(numbers_->at({date}));
  }
  bool takes_all() const override { return split_.has_value(); }
  void add_left_over(std::vector<std::string>& out) const {
    if (!split_) return;
    const auto [dates, lost, incomplete] = split_->account();
    const auto counted = [](std::int64_t count, const char* what) {
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    if (lost > 0) {
      out.push_back(fmt::format("{}: {} not written, since no values came for the last date", name_,
                                counted(lost, "array")));
    }
    if (incomplete > 0) {
      out.push_back(fmt::format("{}: {} with missing values, of dates without values", name_,
                                counted(incomplete, "array")));
    }
    if (dates > 0) {
      out.push_back(
          fmt::format("{}: the run ends with values of {}, which make no whole array and are not "
                      "written. Is its length a multiple of that of the axis?",
                      name_, counted(dates, "date")));
    }
  }
  std::vector<int> awaited() const override {
    const PersistentExchange* const exchange = reduction_ ? reduction_->exchange()
                                               : gather_  ? gather_->exchange()
                                                          : nullptr;
    if (exchange == nullptr) return {};
    return plan_.ranks_of_clients(exchange->awaited(), shared_.clients);
  }

 private:
  /// Returns the number of arrays that go to others together.
  std::size_t arrays() const { return columns_ ? columns_->arrays() : finer_ != nullptr ? 2 : 1; }
  /// Returns the part of each source cell that its value stands for (BlockArrays). The finer level
  /// keeps them until its next results, after those of this date have been used.
  const double* finer_shares() const { return finer_ == nullptr ? nullptr : finer_->own_shares(); }
  double* own_shares() const { return shares_ ? shares_->data() : nullptr; }
  /// Turns what was taken, and what others sent, into results.
  void work_out(const double* values) {
    if (columns_) return columns_->deliver(values, *gather_, result_.data());
    gather_->deliver(values, result_.data());
  }
  /// Never waits.
  bool is_done() {
    try {
      return (!reduction_ || reduction_->is_done()) && (!gather_ || gather_->is_done());
    } catch (const Error& error) {
      throw error.within(name_);
    }
  }
  /// Meanwhile other steps go on: who is waited for here may wait for what these have for it.
  void wait() {
    class Watched {
     public:
      Watched(StepWatch& watch, const std::string& what) : watch_(watch) { watch.begin(what); }
      Watched(const Watched&) = delete;
      Watched(Watched&&) = delete;
      Watched& operator=(const Watched&) = delete;
      Watched& operator=(Watched&&) = delete;
      ~Watched() { watch_.end(); }

     private:
      StepWatch& watch_;
    };
    const Watched watched(shared_.watch, waits_for_);
    ep::wait_until(shared_.clients, {waits_for_.c_str()}, [&] {
      shared_.watch.check(*this);
      for (Run* const other : shared_.runs) {
        if (other != this) other->is_done();
      }
      return is_done();
    });
  }

  const Plan& plan_;
  Shared& shared_;
  std::string name_, waits_for_;
  bool is_local_;
  std::vector<double> result_;
  std::vector<double> kept_;  // copy of the source, because the array of the model may be gone
  std::optional<Gather> gather_;
  std::optional<Reduction> reduction_;
  std::optional<TemporalStacking> split_;
  std::optional<DateNumbers> numbers_;
  std::optional<Columns> columns_;
  const Run* finer_ = nullptr;  // the level that this one is made of, if that is coarsened, too
  std::optional<ZeroedArray> shares_;  // of the results, if a coarser level needs them
};

StepPlans::StepPlans(const config::Model& model, const LocalParts& parts, const ep::Comm& clients,
                     WeightsFiles* files, StepWatch& watch)
    : shared_{clients, watch} {
  StepContext context{model, parts, clients, files, remarks_};
  const config::DataGraph graph = config::data_graph(model);
  std::map<std::tuple<int, int, std::size_t>, std::pair<std::shared_ptr<const Plan>, int>> known;
  for (const config::DataNode& node : graph.nodes) {
    if (node.kind != config::DataNode::Kind::spatial) continue;
    const auto& expression = model.expressions[node.expression];
    const auto step = config::spatial_step(model, expression);
    const auto number = static_cast<std::int64_t>(known.size());
    auto& [plan, tags] = known[{step->from, step->to, step->position}];
    if (!plan) {
      plan = std::make_shared<const Plan>(context, *step, expression, number);
    }
    const std::string name =
        fmt::format("field '{}' (<{}>)", expression.id, config::name(step->transformation->kind));
    Step& made = steps_[node.expression];
    made = {plan, name, std::exchange(tags, tags + Reduction::tags), {}};
    const config::DataNode& argument = graph.nodes[node.arguments.front()];
    const auto finer = argument.kind == config::DataNode::Kind::spatial
                           ? steps_.find(argument.expression)
                           : steps_.end();
    if (plan->coarse && finer != steps_.end() && finer->second.plan->coarse) {
      made.finer = argument.expression;
      finer->second.is_continued = true;
    }
    if (plan->split) {
      made.numbers = std::make_shared<const DateNumbers>(model, graph, node.arguments.front());
    }
  }
  std::map<std::tuple<int, int, std::size_t>, std::shared_ptr<const StepRows>> known_rows;
  for (std::size_t e = 0; e < model.expressions.size(); ++e) {
    if (!config::is_on_servers(model, nth(model.expressions, e))) continue;
    const auto step = config::spatial_step(model, nth(model.expressions, e));
    auto& rows = known_rows[{step->from, step->to, step->position}];
    if (!rows) rows = std::make_shared<const StepRows>(rows_for_server(context, *step));
    rows_[static_cast<int>(e)] = rows;
  }
  station_distances_ = std::move(context.station_distances);
}

StepPlans::~StepPlans() = default;

std::vector<std::string> StepPlans::left_over() const {
  std::vector<std::string> out;
  for (const Run* const run : shared_.runs) run->add_left_over(out);
  return out;
}

std::unique_ptr<StepRun> StepPlans::run(int expression) {
  auto run = std::make_unique<Run>(steps_.at(expression), shared_);
  if (steps_.at(expression).is_continued) shared_.coarse[expression] = run.get();
  return run;
}

}  // namespace epios::io
