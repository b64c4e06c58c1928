#include "space/steps.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/spatial.hpp"
#include "gather.hpp"
#include "reduction.hpp"
#include "side_by_side.hpp"
#include "stencils.hpp"
#include "step_frame.hpp"

namespace epios::io {

namespace {

using config::ElementKind;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int tags_each = 2;

bool is_reduction(ElementKind kind) {
  switch (kind) {
    case ElementKind::reduce_domain_to_scalar:
    case ElementKind::reduce_domain_to_axis:
    case ElementKind::reduce_axis_to_scalar:
    case ElementKind::reduce_axis_to_axis:
    case ElementKind::reduce_scalar:
      return true;
    default:
      return false;
  }
}

/// Copies of a point on several clients are what is reduced.
bool reduces_copies(ElementKind kind) {
  return kind == ElementKind::reduce_axis_to_axis || kind == ElementKind::reduce_scalar;
}

/// The point of the target that one of the source belongs to.
std::function<std::int64_t(std::int64_t)> target_of(const config::Model& model,
                                                    const config::SpatialStep& step) {
  if (step.transformation->kind == ElementKind::reduce_axis_to_axis) {
    return [](std::int64_t source) { return source; };
  }
  if (step.transformation->kind != ElementKind::reduce_domain_to_axis) {
    return [](std::int64_t) { return std::int64_t{0}; };
  }
  const auto domain = static_cast<std::size_t>(step.source.index);
  const std::int64_t ni = model.domains[domain].attributes.ni_glo.value_or(1);
  if (config::is_along_i(*step.transformation)) {
    return [ni](std::int64_t source) { return source % ni; };
  }
  return [ni](std::int64_t source) { return source / ni; };
}

/// The same where each point of the grid is a point of its own.
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

/// What fields on the same two grids share.
class StepPlans::Plan {
 public:
  Plan(const config::Model& model, const LocalParts& parts, const config::SpatialStep& step,
       const ep::Comm& clients, std::vector<std::string>& remarks);

  const ep::Comm* comm() const { return reach_ == Reach::nobody ? nullptr : &comm_; }

  std::optional<GatherPlan> gather;
  std::optional<ReductionPlan> reduction;
  std::optional<SideBySide> split;  ///< over time
  std::vector<std::int64_t> masked;
  std::size_t source_size = 0, target_size = 0;

 private:
  Reach reach_ = Reach::nobody;
  ep::Comm comm_;
};

StepPlans::Plan::Plan(const config::Model& model, const LocalParts& parts,
                      const config::SpatialStep& step, const ep::Comm& clients,
                      std::vector<std::string>& remarks) {
  const config::Transformation& how = *step.transformation;
  const bool is_split = how.kind == ElementKind::temporal_splitting;
  const bool is_local = is_split || config::flag_of(how, "local");
  const Scope scope = reduces_copies(how.kind) ? Scope::copies
                      : is_local               ? Scope::client
                                               : Scope::points;
  StepFrame made = frame_of(model, parts, step, clients, scope);
  reach_ = made.reach;
  comm_ = std::move(made.comm);
  const Frame& element = made.frame;
  source_size =
      static_cast<std::size_t>(element.before.array * element.source_array * element.behind.array);
  target_size =
      static_cast<std::size_t>(element.before.array * element.target_array * element.behind.array);
  if (is_split) {
    split.emplace(element, points_of(parts.data(step.target)));
    masked = std::move(made.masked);
    return;
  }
  const bool by_point = reach_ == Reach::by_point;
  Stencils stencils;
  if (is_reduction(how.kind)) {
    stencils.targets = points_of(parts.data(step.target));
    stencils.begin.resize(stencils.targets.keys.size() + 1);
  } else {
    stencils = stencils_of(model, parts, step, clients, remarks);
  }
  const Frame frame = by_point ? spread(element, made.masked) : element;
  if (by_point) stencils = spread(stencils, element);
  masked = std::move(made.masked);
  if (!is_reduction(how.kind)) {
    gather.emplace(frame, std::move(stencils), missing_of(how), comm());
    return;
  }
  ReductionPlan::What what;
  what.operation = reduce_operation(config::text_of(how, "operation").value_or("average"));
  what.target_of = target_of(model, step);
  if (by_point) what.target_of = spread_target(what.target_of, element);
  what.counts_once = !reduces_copies(how.kind);
  reduction.emplace(frame, stencils.targets, what, comm());
}

namespace {

/// Of arrays with places that a plan leaves out.
class Run final : public StepRun {
 public:
  Run(const auto& plan, int tag, const Check& check)
      : check_(check),
        masked_(plan.masked),
        is_local_(plan.comm() == nullptr),
        result_(plan.target_size, missing) {
    if (plan.gather) gather_.emplace(*plan.gather, plan.comm(), tag);
    if (plan.reduction) reduction_.emplace(*plan.reduction, plan.comm(), tag);
    split_ = plan.split;
    if (!masked_.empty() || (gather_ && !is_local_)) kept_.resize(plan.source_size);
  }

  void take(std::span<const double> values, std::int64_t date) override {
    const double* from = values.data();
    if (!kept_.empty()) {
      std::copy(values.begin(), values.end(), kept_.begin());
      for (const std::int64_t place : masked_) kept_[static_cast<std::size_t>(place)] = missing;
      from = kept_.data();
    }
    if (split_) return split_->take(from, result_.data());
    if (reduction_) return reduction_->take(from, date);
    if (is_local_) return gather_->deliver(from, result_.data(), check_);
    gather_->take(from, date);
  }
  std::span<const double> deliver() override {
    if (reduction_) {
      reduction_->deliver(result_.data(), check_);
    } else if (gather_ && !is_local_) {
      gather_->deliver(kept_.data(), result_.data(), check_);
    }
    return result_;
  }
  bool would_deliver() const override { return !split_ || split_->is_last(); }

 private:
  const Check& check_;
  const std::vector<std::int64_t>& masked_;
  bool is_local_;
  std::vector<double> result_;
  std::vector<double> kept_;  // of the source, where the model's array may not be there any more
  std::optional<Gather> gather_;
  std::optional<Reduction> reduction_;
  std::optional<SideBySide> split_;
};

}  // namespace

StepPlans::StepPlans(const config::Model& model, const LocalParts& parts, const ep::Comm& clients,
                     std::function<void()> check)
    : check_(std::move(check)) {
  const config::DataGraph graph = config::data_graph(model);
  std::map<std::tuple<int, int, std::size_t>, std::shared_ptr<const Plan>> known;
  for (const config::DataNode& node : graph.nodes) {
    if (node.kind != config::DataNode::Kind::spatial) continue;
    const auto& expression = model.expressions[static_cast<std::size_t>(node.expression)];
    const auto step = config::spatial_step(model, expression);
    std::shared_ptr<const Plan>& plan = known[{step->from, step->to, step->position}];
    if (!plan) plan = std::make_shared<const Plan>(model, parts, *step, clients, remarks_);
    plans_.emplace(node.expression, plan);
  }
}

StepPlans::~StepPlans() = default;

std::unique_ptr<StepRun> StepPlans::run(int expression) {
  const int tag = tags_;
  tags_ += tags_each;
  return std::make_unique<Run>(*plans_.at(expression), tag, check_);
}

}  // namespace epios::io
