#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"

namespace epios::config {

namespace {

std::string_view method_of(const Transformation& reduction) {
  const std::string operation = text_of(reduction, "operation").value_or("average");
  if (operation == "min") return "minimum";
  if (operation == "max") return "maximum";
  return operation == "sum" ? "sum" : "mean";
}

/// Cells that are averaged count alike, however large they are.
std::string over_all(std::string_view method) {
  return fmt::format("area: {}{}", method, method == "mean" ? " (unweighted)" : "");
}

std::string over_lines(const Transformation& reduction, const Domain& source) {
  const bool keeps_i = is_along_i(reduction);
  const std::string_view method = method_of(reduction);
  if (source.attributes.type.value_or("rectilinear") != "rectilinear") {
    return fmt::format("area: {} (along {})", method, keeps_i ? "j" : "i");
  }
  return fmt::format("{}: {}", keeps_i ? "latitude" : "longitude", method);
}

/// The axis is none of the variable's any more: CF wants its standard name.
std::string over_axis(const Transformation& reduction, const Axis& source) {
  const AxisAttributes& a = source.attributes;
  return fmt::format("{}: {}", a.standard_name.value_or(a.name.value_or(source.id)),
                     method_of(reduction));
}

/// Returns true if a reduction over each client's own points is one over all points, because one
/// step with the same operation combines them (`combined`; null if there is none).
bool is_of_all(const Transformation& reduction, const Transformation* combined) {
  if (!flag_of(reduction, "local")) return true;
  return combined != nullptr && method_of(reduction) != "mean" &&
         method_of(*combined) == method_of(reduction);
}

bool combines_clients(ElementKind kind) {
  return traits_of(kind).work == TransformationWork::combination;
}

/// Empty: values are what they were, in other places or at other points, or nobody knows.
std::string method_of(const Model& model, const SpatialStep& step, const Transformation* combined) {
  const Transformation& how = *step.transformation;
  if (!is_of_all(how, combined)) return {};
  const TransformationTraits& traits = traits_of(how.kind);
  if (traits.work == TransformationWork::reduction) {
    if (traits.source == GridElement::Kind::axis)
      return over_axis(how, model.axes[step.source.axis()]);
    return traits.shape == ShapeRule::side ? over_lines(how, model.domains[step.source.domain()])
                                           : over_all(method_of(how));
  }
  if (how.kind == ElementKind::coarsen_domain) return fmt::format("area: {}", method_of(how));
  if (how.kind != ElementKind::interpolate_domain) return {};
  if (text_of(how, "method").value_or("conservative") != "conservative") return {};
  // Weights of a file may be any.
  if (text_of(how, "mode").value_or("compute") != "compute") return {};
  return flag_of(how, "quantity") ? "area: sum" : "area: mean";
}

}  // namespace

std::string spatial_cell_methods(const Model& model, ExpressionId expression) {
  std::vector<std::string> methods;  // the last one first
  const Transformation* behind = nullptr;
  while (expression >= 0) {
    const FieldExpression& data = model.expressions[expression];
    const auto step = spatial_step(model, data);
    if (!step && data.nodes.size() > 1) break;
    std::string method;
    if (step) {
      method = method_of(model, *step,
                         behind != nullptr && combines_clients(behind->kind) ? behind : nullptr);
      behind = step->transformation;
    }
    if (!method.empty() && (methods.empty() || methods.back() != method)) {
      methods.push_back(std::move(method));
    }
    const FieldExpressionNode& from = data.nodes.front();
    expression = from.is_temporal ? ExpressionId() : from.expression;
  }
  std::reverse(methods.begin(), methods.end());
  return fmt::format("{}", fmt::join(methods, " "));
}

}  // namespace epios::config
