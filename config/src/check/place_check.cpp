#include "check/place_check.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "config/data_graph.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::config {

namespace {

const char* const on_clients = "Remove place, or write place=\"client\".";

class PlaceCheck {
 public:
  PlaceCheck(const Model& model, Findings& findings) : model_(model), findings_(findings) {}

  void check() {
    for (const Stream& stream : model_.streams) check_stream(stream);
    for (const Stream& result : model_.results) {
      refuse_end(result.expression, result.id, "the model receives it");
    }
    for (const CoupledField* const field : coupled_fields(model_, ElementKind::coupler_out)) {
      refuse_end(field->expression, field->id, "another context receives it");
    }
    for (const FieldExpression& expression : model_.expressions) check_operands(expression);
  }

 private:
  const FieldExpression& at(ExpressionId expression) const {
    return model_.expressions[expression];
  }

  void refuse(ExpressionId expression, const std::string& field, std::string why,
              std::string suggestion = on_clients) {
    const Transformation& step = *spatial_step(model_, at(expression))->transformation;
    findings_.error(
        Code::bad_place, origin_of_text(step.where),
        fmt::format("<{}> of field '{}' cannot be left to servers", name(step.kind), field),
        std::move(why), std::move(suggestion));
  }
  void refuse_end(ExpressionId expression, const std::string& field, std::string why) {
    if (expression < 0 || !is_on_servers(model_, at(expression))) return;
    refuse(expression, field, std::move(why));
  }

  void check_stream(const Stream& stream) {
    const std::vector<ExpressionId> steps = steps_on_servers(model_, stream);
    if (steps.empty()) return;
    const File& file = model_.files[stream.file];
    const Operation operation = stream.sampling.operation;
    if (operation != Operation::instant && operation != Operation::once) {
      refuse(steps.back(), stream.name,
             fmt::format("operation is {}, for which every sample would cross to them",
                         name(operation)),
             "Write an instant of a field whose expression has '@', or place=\"client\".");
    }
    if (!stream.conversion.empty()) {
      refuse(steps.back(), stream.name, "its unit is converted behind it");
    }
    if (stream.attributes.indexed_output.value_or(false)) {
      refuse(steps.back(), stream.name, "indexed_output keeps what clients have");
    }
    if (file.attributes.type.value_or("one_file") == "multiple_file") {
      refuse(
          steps.back(), stream.name,
          fmt::format("no server has all of file '{}', which is of type multiple_file", file.id));
    }
  }

  /// Reports operands on servers of steps that are not: data on servers is available only for steps
  /// there.
  void check_operands(const FieldExpression& expression) {
    const bool is_step = is_on_servers(model_, expression);
    for (const FieldExpressionNode& node : expression.nodes) {
      if (node.expression < 0 || !is_on_servers(model_, at(node.expression))) continue;
      if (const auto step = spatial_step(model_, expression); step && !is_step) {
        refuse(node.expression, expression.id,
               fmt::format("<{}> behind it is worked out by clients",
                           name(step->transformation->kind)),
               "Give both the same place.");
      } else if (!is_step) {
        refuse(node.expression, expression.id, "the field's expression takes it, on clients");
      }
    }
  }

  const Model& model_;
  Findings& findings_;
};

}  // namespace

void check_places(const Model& model, Findings& findings) { PlaceCheck(model, findings).check(); }

}  // namespace epios::config
