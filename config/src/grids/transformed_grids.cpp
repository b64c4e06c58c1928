// Finds the steps that lead from the grid of data to the grid of a field, and makes the grids
// between. It matches elements of both grids, follows the transformations of each from its source,
// adds one grid per step, and reports grids that do not match.
#include "grids/transformed_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <type_traits>

#include "config/data_graph.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "language/attribute_access.hpp"

namespace epios::config {

namespace {

using Kind = GridElement::Kind;

std::string_view tag(Kind kind) {
  if (kind == Kind::axis) return "axis";
  return kind == Kind::domain ? "domain" : "scalar";
}

bool do_the_same(const Transformation& a, const Transformation& b) {
  return a.kind == b.kind &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(), [](const Property& x, const Property& y) {
                      return x.name == y.name && x.value == y.value;
                    });
}

/// Returns true if both have the same source and the same result as far as all clients know; ids do
/// not matter.
template <class T>
bool are_alike(const T& a, const T& b) {
  const auto& x = a.transformations;
  const auto& y = b.transformations;
  if (!std::equal(x.begin(), x.end(), y.begin(), y.end(), do_the_same)) return false;
  std::vector<const void*> theirs;
  for_each_attribute(b.attributes,
                     [&](const AttributeInfo&, const auto& value) { theirs.push_back(&value); });
  auto next = theirs.begin();
  bool is_same = true;
  for_each_attribute(a.attributes, [&](const AttributeInfo& row, const auto& value) {
    using Member = std::remove_cvref_t<decltype(value)>;
    const Member& other = *static_cast<const Member*>(*next++);
    if (row.scope == Scope::global && value != other) is_same = false;
  });
  return is_same;
}

/// Returns true if no later step makes something else of the result.
bool is_last_step(const std::vector<Transformation>& steps, std::size_t done) {
  return std::none_of(steps.begin() + static_cast<std::ptrdiff_t>(done), steps.end(),
                      [](const Transformation& t) { return is_step(t.kind); });
}

/// Calls of the API have no place of their own, but for what they say.
bool is_same(const Transformation& a, const Transformation& b) {
  return a.where == b.where && do_the_same(a, b);
}

}  // namespace

void leave_unmade(Model& model, std::span<const FieldExpressionNode> data, const Origin& origin,
                  const std::string& why, const std::string& suggestion) {
  std::vector<FieldExpressionNode> open(data.begin(), data.end());
  std::set<int> seen;
  while (!open.empty()) {
    const FieldExpressionNode node = std::move(open.back());
    open.pop_back();
    if (node.source >= 0 && is_sent_by_model(model, node.source)) {
      const std::string& id = model.sources[node.source].id;
      model.unwritten.unmade.push_back({id, origin.text(), why, suggestion});
    }
    if (node.expression < 0 || !seen.insert(node.expression).second) continue;
    const auto& nodes = model.expressions[node.expression].nodes;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(open),
                 [](const FieldExpressionNode& inner) { return is_data(inner.op); });
  }
}

bool TransformedGrids::are_equal(const Model& model, GridId grid, GridId other) {
  const auto elements = [&](GridId g) -> const std::vector<GridElement>& {
    return model.grids[g].elements;
  };
  return elements(grid) == elements(other);
}

const std::string& TransformedGrids::id_of(const GridElement& element) const {
  if (element.kind == Kind::axis) return model_.axes[element.axis()].id;
  return element.kind == Kind::domain ? model_.domains[element.domain()].id
                                      : model_.scalars[element.scalar()].id;
}

std::string TransformedGrids::title(const GridElement& element) const {
  return fmt::format("{} '{}'", tag(element.kind), id_of(element));
}

const TransformedGrids::Element& TransformedGrids::written(const GridElement& element) {
  const auto found = written_.find(key(element));
  if (found != written_.end()) return found->second;
  const Element copy = element.kind == Kind::axis     ? Element(model_.axes[element.axis()])
                       : element.kind == Kind::domain ? Element(model_.domains[element.domain()])
                                                      : Element(model_.scalars[element.scalar()]);
  return written_.emplace(key(element), copy).first->second;
}

const std::vector<Transformation>& TransformedGrids::list_of(const GridElement& element) {
  return std::visit(
      [](const auto& e) -> const std::vector<Transformation>& { return e.transformations; },
      written(element));
}

std::vector<Transformation> TransformedGrids::remaining(const GridElement& source,
                                                        const GridElement& target) {
  const std::vector<Transformation>& all = list_of(target);
  const std::vector<Transformation>& done = list_of(source);
  const auto first = std::mismatch(all.begin(), all.end(), done.begin(), done.end(), is_same).first;
  return {first, all.end()};
}

/// The newer XIOS compares elements: one that is equal to that of the data is not made once more.
bool TransformedGrids::are_equal_elements(const GridElement& source, const GridElement& target) {
  const auto copied = copied_from_.find(key(source));
  const GridElement& origin = copied == copied_from_.end() ? source : copied->second;
  const bool is_same = std::visit(
      [](const auto& a, const auto& b) {
        if constexpr (std::is_same_v<decltype(a), decltype(b)>) {
          return are_alike(a, b);
        } else {
          return false;
        }
      },
      written(origin), written(target));
  if (!is_same) return false;
  const GridBuilder::Likeness parts = grids_.likeness(origin, target);
  if (parts.is_by_client && doubts_.insert({key(origin), key(target)}).second) {
    model_.compared_by_clients.push_back(fmt::format("{} and {}", title(origin), title(target)));
  }
  return parts.is_alike;
}

GridElement TransformedGrids::add(const Element& element) {
  GridElement result;
  if (const Axis* axis = std::get_if<Axis>(&element)) {
    result = {Kind::axis, model_.axes.end_id()};
    model_.axes.push_back(*axis);
  } else if (const Domain* domain = std::get_if<Domain>(&element)) {
    result = {Kind::domain, model_.domains.end_id()};
    model_.domains.push_back(*domain);
  } else {
    result = {Kind::scalar, model_.scalars.end_id()};
    model_.scalars.push_back(std::get<Scalar>(element));
  }
  written_.emplace(key(result), element);
  return result;
}

bool TransformedGrids::shape(const GridElement& source, const Way& way, const GridElement& element,
                             std::size_t done) {
  const Transformation step = way.steps[done - 1];
  if (grids_.is_broken(step)) return false;
  const ElementShape own = shape_of(model_, element);
  const ElementShape from = shape_of(model_, source);
  const TransformedShape result = transformed_shape(step, from, own);
  const ElementShape& found = result.shape;
  const auto refuse = [&](const std::string& why) {
    findings_.error(Code::bad_transformation, grids_.place_of(step),
                    fmt::format("<{}> of {} cannot be worked out from {}", name(step.kind),
                                title(way.target), title(source)),
                    why);
    return false;
  };
  if (!result.complaint.empty()) return refuse(result.complaint);
  for (const auto& [attribute, why] : idle_attributes(step, from)) {
    findings_.warning(
        Code::without_effect, grids_.place_of(step),
        fmt::format("attribute '{}' of <{}> of {}", attribute, name(step.kind), title(way.target)),
        fmt::format("it has no effect: {}", why));
  }
  if (is_last_step(way.steps, done)) {
    // An inherited shape along references, like the shape that it is looked up from, is no
    // contradiction.
    const ElementShape begin = shape_of(model_, way.origin);
    const ElementShape before =
        std::visit([](const auto& e) { return shape_of(e); }, written(way.origin));
    // So is what comes along the reference, where the result follows from what it is made of.
    const bool is_lent = keeps_to_source(step.kind) && grids_.has_lent_shape(element);
    const auto contradicts = [&](std::optional<std::int64_t> ElementShape::*size) {
      if (is_lent) return false;
      const auto said = own.*size;
      return said && found.*size && said != found.*size && said != from.*size &&
             said != begin.*size && said != before.*size;
    };
    const auto text = [&](std::string_view attribute,
                          std::optional<std::int64_t> ElementShape::*n) {
      return fmt::format("it has {}=\"{}\", the result has {}", attribute, *(own.*n), *(found.*n));
    };
    const bool is_axis = element.kind == Kind::axis;
    if (contradicts(&ElementShape::ni)) {
      return refuse(text(is_axis ? "n_glo" : "ni_glo", &ElementShape::ni));
    }
    if (contradicts(&ElementShape::nj)) return refuse(text("nj_glo", &ElementShape::nj));
    grids_.warn_of_mask(way.target, step);
  }
  set_shape(model_, element, source, found, step);
  return true;
}

TransformedGrids::Way TransformedGrids::way_between(const GridElement& origin,
                                                    const GridElement& target) {
  return {origin, target, remaining(origin, target)};
}

GridElement TransformedGrids::end_of(const Way& way) {
  const auto [known, is_new] = ends_.try_emplace({key(way.target), key(way.origin)}, way.target);
  if (!is_new) return known->second;
  if (!grids_.has_own_data(way.target) && in_place_.insert(key(way.target)).second) {
    return known->second;
  }
  Element copy = written(way.target);
  std::visit(
      [&](auto& e) {
        e.id = fmt::format("{}({})", e.id, id_of(way.origin));
        e.attributes.name = e.name;  // not that of its id
      },
      copy);
  known->second = add(copy);
  copied_from_.emplace(key(known->second), way.target);
  return known->second;
}

GridElement TransformedGrids::place_of(const Way& way, std::size_t done) {
  const GridElement end = end_of(way);
  if (is_last_step(way.steps, done)) return end;
  Element copy = written(end);
  std::visit(
      [&](auto& element) {  // the element after these steps
        element.id = fmt::format("{}, step {}", id_of(end), done);
        element.transformations.resize(element.transformations.size() - (way.steps.size() - done));
      },
      copy);
  return add(copy);
}

GridElement TransformedGrids::made(const GridElement& source, const Way& way, std::size_t done) {
  const auto [known, is_new] =
      others_.try_emplace({key(way.target), key(source), done}, GridElement{Kind::scalar, -1});
  if (!is_new) return known->second;
  const GridElement element = place_of(way, done);
  if (!shape(source, way, element, done)) return known->second;
  // Finds the steps before the last one that describe its shape.
  std::size_t first = done - 1;
  while (first > 0 && !is_step(way.steps[first - 1].kind)) --first;
  // And those behind the last one, which look at what it makes.
  const std::size_t end = is_last_step(way.steps, done) ? way.steps.size() : done;
  const auto begin = way.steps.begin();
  std::vector<Transformation> own(begin + static_cast<std::ptrdiff_t>(first),
                                  begin + static_cast<std::ptrdiff_t>(end));
  if (element.kind == Kind::axis) {
    model_.axes[element.axis()].transformations = std::move(own);
  } else if (element.kind == Kind::domain) {
    model_.domains[element.domain()].transformations = std::move(own);
  } else {
    model_.scalars[element.scalar()].transformations = std::move(own);
  }
  sources_.emplace(key(element), key(source));
  return known->second = element;
}

GridId TransformedGrids::grid_of(const std::vector<GridElement>& elements, GridId like,
                                 GridId from) {
  const Grid& wanted = model_.grids[like];
  // A grid reached from another grid has the mask of that one.
  if (wanted.elements == elements && made_from_.try_emplace(like, from).first->second == from) {
    return like;
  }
  std::vector<Key> keys;
  keys.reserve(elements.size());
  for (const GridElement& element : elements) keys.push_back(key(element));
  const auto [known, is_new] =
      grids_made_.try_emplace({keys, wanted.id, from}, model_.grids.end_id());
  if (is_new) {
    Grid made{fmt::format("{}({})", wanted.id, model_.grids.size()), elements, wanted.mask};
    model_.grids.push_back(std::move(made));
    stands_for_.emplace(known->second, like);
  }
  return known->second;
}

GridId TransformedGrids::settled(GridId named, GridId of_data) const {
  const auto found = stands_for_.find(of_data);
  const bool is_stand_in = found != stands_for_.end() && found->second == named;
  return are_equal(model_, named, of_data) && !is_stand_in ? named : of_data;
}

GridId TransformedGrids::grid_before(GridId end, const std::vector<GridElement>& elements,
                                     int steps) {
  std::vector<Key> keys;
  keys.reserve(elements.size());
  for (const GridElement& element : elements) keys.push_back(key(element));
  const auto [known, is_new] = grids_between_.try_emplace({end, keys}, model_.grids.end_id());
  if (is_new) {
    const std::string& id = model_.grids[end].id;
    Grid between{fmt::format("{}, step {}", id, steps), elements};
    model_.grids.push_back(std::move(between));
  }
  return known->second;
}

std::string TransformedGrids::misfit(GridId grid, const std::vector<GridElement>& elements) const {
  const Grid& own = model_.grids[grid];
  if (own.elements.size() != elements.size()) {
    return fmt::format("its grid '{}' has {} elements, {} are wanted", own.id, own.elements.size(),
                       elements.size());
  }
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const ElementShape a = shape_of(model_, own.elements[e]);
    const ElementShape b = shape_of(model_, elements[e]);
    const auto differ = [](const auto& x, const auto& y) { return x && y && *x != *y; };
    if (a.kind == b.kind && !differ(a.ni, b.ni) && !differ(a.nj, b.nj)) continue;
    return fmt::format("its grid '{}' has {} where {} is wanted", own.id, title(own.elements[e]),
                       title(elements[e]));
  }
  return {};
}

std::optional<std::vector<FieldExpressionNode>> TransformedGrids::coordinates_of(
    const DataOnAnotherGrid& field, const Way& way, const Transformation& step,
    const std::vector<GridElement>& source, const std::vector<GridElement>& target) {
  std::vector<FieldExpressionNode> out;
  if (step.kind != ElementKind::interpolate_axis) return out;
  const auto refuse_step = [&](const std::string& why) {
    findings_.error(
        Code::bad_transformation, grids_.place_of(step),
        fmt::format("<{}> of {} cannot be worked out", name(step.kind), title(way.target)), why);
    return std::nullopt;
  };
  for (const bool is_source : {true, false}) {
    const auto id = coordinate_of(step, is_source);
    if (!id) continue;
    const NamedData named = field.named(*id);
    if (!named.data && named.why.empty()) return std::nullopt;
    if (!named.data) return refuse_step(fmt::format("coordinates '{}': {}", *id, named.why));
    const std::string why = misfit(named.grid, is_source ? source : target);
    if (!why.empty()) return refuse_step(fmt::format("coordinates '{}': {}", *id, why));
    out.push_back(*named.data);
  }
  if (!out.empty() && integer_of(step, "order").value_or(1) > 2) {
    return refuse_step("with coordinate fields order is 1 or 2");
  }
  return out;
}

ExpressionId TransformedGrids::add_step(const DataOnAnotherGrid& field, FieldExpressionNode& data,
                                        GridId grid, std::int64_t transformed,
                                        const std::vector<FieldExpressionNode>& coordinates) {
  FieldExpression step;
  step.id = field.id;
  step.where = field.where;
  step.grid = grid;
  step.transformed = transformed;
  step.stage = FieldExpression::Stage::between;
  step.nodes.push_back(data);
  step.nodes.insert(step.nodes.end(), coordinates.begin(), coordinates.end());
  const ExpressionId number = model_.expressions.push_back(std::move(step));
  data.source = SourceId();
  data.expression = number;
  data.via.clear();
  return number;
}

bool TransformedGrids::refuse(const DataOnAnotherGrid& field, std::string why,
                              std::string suggestion) {
  const auto id = [&](GridId grid) { return model_.grids[grid].id; };
  const std::string problem = fmt::format("{} has grid '{}', its data come on grid '{}'",
                                          field.title, id(field.to), id(field.from));
  leave_unmade(model_, std::span(&field.data, 1), field.grid_origin,
               fmt::format("{}: {}", problem, why), suggestion);
  findings_.tolerate(Code::bad_transformation, field.grid_origin, problem,
                     why + "; nothing is written of it", std::move(suggestion));
  return false;
}

/// Returns true if each element of `to` is, or can be made of, a different one of `from`.
bool TransformedGrids::fits_in_another_order(GridId from, GridId to) {
  const std::vector<GridElement> given = model_.grids[from].elements;
  const std::vector<GridElement> wanted = model_.grids[to].elements;
  const auto can_be = [this](const GridElement& source, const GridElement& target) {
    const std::vector<Transformation> steps = remaining(source, target);
    const auto first = std::find_if(steps.begin(), steps.end(),
                                    [](const Transformation& t) { return is_step(t.kind); });
    return source.kind == (first == steps.end() ? target.kind : traits_of(first->kind).source);
  };
  std::vector<std::size_t> order(given.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::size_t e = 0;
    while (e < wanted.size() && can_be(given[order[e]], wanted[e])) ++e;
    if (e == wanted.size()) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

/// Points of the same number may be the same ones.
bool TransformedGrids::may_stand_for(const DataOnAnotherGrid& field, const GridElement& source,
                                     const GridElement& target) {
  const ElementShape a = shape_of(model_, source);
  const ElementShape b = shape_of(model_, target);
  if (a.kind != b.kind) {
    const bool is_other_order = fits_in_another_order(field.from, field.to);
    return refuse(
        field, fmt::format("nothing makes {} of {}", title(target), title(source)),
        is_other_order
            ? fmt::format(
                  "No transformation changes the order of elements: give them that of '{}'.",
                  model_.grids[field.from].id)
            : "Add a transformation that does, or give the field the grid of its data.");
  }
  const auto differ = [](const auto& x, const auto& y) { return x && y && *x != *y; };
  if (!differ(a.ni, b.ni) && !differ(a.nj, b.nj)) return true;
  const auto text = [](const ElementShape& shape) {
    return shape.nj ? fmt::format("{} x {}", shape.ni.value_or(0), *shape.nj)
                    : fmt::format("{}", shape.ni.value_or(0));
  };
  return refuse(field,
                fmt::format("{} has {} points, {} has {}, and no transformation", title(source),
                            text(a), title(target), text(b)),
                "Add a transformation, such as <extract_domain> or <interpolate_axis>.");
}

bool TransformedGrids::is_made_of(GridId grid, GridId source) {
  const std::vector<GridElement> wanted = model_.grids[grid].elements;
  const std::vector<GridElement> given = model_.grids[source].elements;
  if (wanted.size() != given.size()) return false;
  for (std::size_t e = 0; e < wanted.size(); ++e) {
    if (wanted[e] == given[e] || are_equal_elements(given[e], wanted[e])) continue;
    const std::vector<Transformation> steps = remaining(given[e], wanted[e]);
    if (std::any_of(steps.begin(), steps.end(),
                    [](const Transformation& t) { return is_step(t.kind); })) {
      return true;
    }
  }
  return false;
}

std::optional<TransformedGrids::Difference> TransformedGrids::difference_in_making(
    GridId grid, GridId other) const {
  const std::vector<GridElement>& a = model_.grids[grid].elements;
  const std::vector<GridElement>& b = model_.grids[other].elements;
  if (a.size() != b.size()) return std::nullopt;
  for (std::size_t e = 0; e < a.size(); ++e) {
    if (a[e] == b[e] || a[e].kind != b[e].kind) continue;
    const auto source_of_a = sources_.find(key(a[e]));
    const auto source_of_b = sources_.find(key(b[e]));
    if (source_of_a == sources_.end() || source_of_b == sources_.end()) continue;
    if (source_of_a->second != source_of_b->second) continue;
    const std::vector<Transformation>& of_a = transformations_of(model_, a[e]);
    const std::vector<Transformation>& of_b = transformations_of(model_, b[e]);
    const auto [in_a, in_b] =
        std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), do_the_same);
    if (in_a == of_a.end() && in_b == of_b.end()) continue;
    const auto is_window = [](auto at, auto end) { return at == end || is_view(at->kind); };
    const auto name_of = [](auto at, auto end) {
      return at == end ? std::string_view() : name(at->kind);
    };
    const bool are_windows = is_window(in_a, of_a.end()) && is_window(in_b, of_b.end());
    // Levels come together point by point; cells of two windows are on other clients.
    const bool is_of_domain = source_of_a->second.first == Kind::domain;
    if (are_windows && !is_of_domain) continue;
    return Difference{name_of(in_a, of_a.end()), name_of(in_b, of_b.end()), are_windows};
  }
  return std::nullopt;
}

ExpressionId TransformedGrids::bring(const DataOnAnotherGrid& field) {
  std::vector<GridElement> now = model_.grids[field.from].elements;
  const std::vector<GridElement> wanted = model_.grids[field.to].elements;
  const auto is_broken = [this](const GridElement& element) { return grids_.is_broken(element); };
  if (std::any_of(now.begin(), now.end(), is_broken) ||
      std::any_of(wanted.begin(), wanted.end(), is_broken)) {
    return ExpressionId();
  }
  if (now.size() != wanted.size()) {
    refuse(field, fmt::format("that has {} elements, this one {}", now.size(), wanted.size()),
           "Give it an element for each: a reduced axis leaves a scalar.");
    return ExpressionId();
  }
  const auto moves = [](const Way& way) {
    return std::any_of(way.steps.begin(), way.steps.end(),
                       [](const Transformation& t) { return is_step(t.kind); });
  };
  std::vector<Way> ways;
  std::vector<GridElement> ends = now;
  for (std::size_t e = 0; e < now.size(); ++e) {
    ways.push_back(way_between(now[e], wanted[e]));
    if (now[e] == wanted[e]) continue;
    if (moves(ways[e]) && are_equal_elements(now[e], wanted[e])) {
      ways[e].steps.clear();
    } else if (moves(ways[e])) {
      ends[e] = end_of(ways[e]);
    } else if (may_stand_for(field, now[e], wanted[e])) {
      ends[e] = wanted[e];
    } else {
      return ExpressionId();
    }
  }
  const GridId end = grid_of(ends, field.to, field.from);
  FieldExpressionNode data = field.data;
  ExpressionId last;
  int steps = 0;
  const auto next_grid = [&] { return now == ends ? end : grid_before(end, now, ++steps); };
  for (std::size_t e = 0; e < now.size(); ++e) {
    const Way& way = ways[e];
    if (!moves(way)) continue;
    for (std::size_t done = 1; done <= way.steps.size(); ++done) {
      if (!is_step(way.steps[done - 1].kind)) continue;
      const std::vector<GridElement> before = now;
      now[e] = made(now[e], way, done);
      if (now[e].index < 0) return ExpressionId();
      const auto coordinates = coordinates_of(field, way, way.steps[done - 1], before, now);
      if (!coordinates) return ExpressionId();
      last = add_step(field, data, next_grid(), static_cast<std::int64_t>(e) + 1, *coordinates);
    }
  }
  if (now != ends || last < 0) last = add_step(field, data, end, 0);
  model_.expressions[last].stage = field.stage;
  return last;
}

void TransformedGrids::drop_steps(const GridElement& element) {
  const auto drop = [](auto& of) {
    std::erase_if(of.transformations, [](const Transformation& t) { return is_step(t.kind); });
  };
  if (element.kind == Kind::axis) return drop(model_.axes[element.axis()]);
  if (element.kind == Kind::domain) return drop(model_.domains[element.domain()]);
  drop(model_.scalars[element.scalar()]);
}

void TransformedGrids::check_sources() {
  std::set<Key> seen;
  for (const Source& source : model_.sources) {
    for (const GridElement& element : model_.grids[source.grid].elements) {
      if (!seen.insert(key(element)).second || grids_.is_broken(element)) continue;
      const std::vector<Transformation>& steps = transformations_of(model_, element);
      const auto step = std::find_if(steps.begin(), steps.end(),
                                     [](const Transformation& t) { return is_step(t.kind); });
      if (step == steps.end()) continue;
      // In that case their result is another element.
      const bool is_made_elsewhere = grids_.has_own_data(element) && grids_.has_other_data(element);
      if (is_made_elsewhere) {
        drop_steps(element);
        continue;
      }
      if (in_place_.contains(key(element))) {
        findings_.error(Code::bad_transformation, grids_.place_of(*step),
                        fmt::format("{} is made by <{}>", title(element), name(step->kind)),
                        fmt::format("field '{}' comes on it as it is, too", source.id),
                        "Use another one for what is transformed.");
        continue;
      }
      if (step->kind == ElementKind::stations) {
        findings_.error(Code::bad_transformation, grids_.place_of(*step),
                        fmt::format("<stations> of {} look at nothing", title(element)),
                        fmt::format("field '{}' comes on it as it is", source.id),
                        "Add field_ref=\"...\" to what they look at.");
        continue;
      }
      const ElementShape shape = shape_of(model_, element);
      if (shape.kind != Kind::scalar && !shape.ni) {
        findings_.error(
            Code::no_size, grids_.place_of(*step), fmt::format("{} has no size", title(element)),
            fmt::format("field '{}' comes on it as it is, and <{}> makes it of nothing", source.id,
                        name(step->kind)),
            "Give its size, or field_ref=\"...\" to the field if that is made of another.");
      } else {
        findings_.warning(Code::bad_transformation, grids_.place_of(*step),
                          fmt::format("<{}> of {} has no effect", name(step->kind), title(element)),
                          fmt::format("field '{}' comes on it as it is", source.id),
                          "Add field_ref=\"...\" to what is transformed.");
      }
    }
  }
}

}  // namespace epios::config
