#include "define_case.hpp"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace grids {
namespace {

namespace client = epios::client;

std::vector<double> per_cell(const Element& element, const Local& local, int what) {
  std::vector<double> out;
  for (const std::int64_t cell : local.cells) out.push_back(coordinate(element, what, cell));
  return out;
}

/// Bounds of cells, vertex fastest.
std::vector<double> bounds_per_cell(const Element& element, const Local& local, int what) {
  std::vector<double> out;
  for (const std::int64_t cell : local.cells) {
    for (int v = 0; v < element.vertices; ++v) out.push_back(coordinate(element, what + v, cell));
  }
  return out;
}

/// Of a rectilinear domain in a block: along its sides. Of one that lists its cells: per cell.
void set_sides(const client::Element& to, const Element& element, const Local& local) {
  std::vector<double> lon, lat, bounds_lon, bounds_lat;
  const std::int64_t columns = local.is_listed ? local.ni * local.nj : local.ni;
  const std::int64_t rows = local.is_listed ? local.ni * local.nj : local.nj;
  const bool is_empty = local.cells.empty();
  for (std::int64_t i = 0; i < columns; ++i) {
    const std::int64_t index = is_empty ? 0 : local.cells[static_cast<std::size_t>(i)] % element.ni;
    lon.push_back(coordinate(element, 0, index));
    for (int v = 0; v < 2; ++v) bounds_lon.push_back(coordinate(element, 10 + v, index));
  }
  for (std::int64_t j = 0; j < rows; ++j) {
    const std::int64_t cell = local.is_listed ? j : j * local.ni;
    const std::int64_t index =
        is_empty ? 0 : local.cells[static_cast<std::size_t>(cell)] / element.ni;
    lat.push_back(coordinate(element, 1, index));
    for (int v = 0; v < 2; ++v) bounds_lat.push_back(coordinate(element, 30 + v, index));
  }
  to.set("lonvalue_1d", std::span<const double>(lon));
  to.set("latvalue_1d", std::span<const double>(lat));
  if (!local.gives_bounds || local.is_listed) return;
  to.set("bounds_lon_1d", std::span<const double>(bounds_lon), {2, columns});
  to.set("bounds_lat_1d", std::span<const double>(bounds_lat), {2, rows});
}

void set_cells(const client::Element& to, const Element& element, const Local& local) {
  const std::string form = element.kind == Kind::curvilinear && element.salt % 2 == 0 ? "2d" : "1d";
  const auto set = [&](const std::string& name, const std::vector<double>& values) {
    const std::span<const double> span(values);
    if (form == "1d") {
      to.set(name + form, span);
    } else {
      to.set(name + form, span, {local.ni, local.nj});
    }
  };
  set("lonvalue_", per_cell(element, local, 0));
  set("latvalue_", per_cell(element, local, 1));
  if (!local.gives_bounds) return;
  const auto set_bounds = [&](const std::string& name, const std::vector<double>& values) {
    const std::span<const double> span(values);
    if (form == "1d") {
      to.set(name + form, span, {element.vertices, local.ni * local.nj});
    } else {
      to.set(name + form, span, {element.vertices, local.ni, local.nj});
    }
  };
  set_bounds("bounds_lon_", bounds_per_cell(element, local, 10));
  set_bounds("bounds_lat_", bounds_per_cell(element, local, 30));
}

void set_points(const client::Element& to, const Element& element, const Local& local) {
  if (element.kind == Kind::scalar) {
    if (local.gives_coordinates) to.set("value", coordinate(element, 0, 0));
    if (!local.gives_bounds) return;
    const std::vector<double> bounds = {coordinate(element, 10, 0), coordinate(element, 11, 0)};
    to.set("bounds", std::span<const double>(bounds));
    return;
  }
  if (local.gives_coordinates) {
    const auto values = per_cell(element, local, 0);
    to.set("value", std::span<const double>(values));
  }
  if (local.gives_bounds) {
    const auto bounds = bounds_per_cell(element, local, 10);
    to.set("bounds", std::span<const double>(bounds), {2, local.ni});
  }
  if (local.gives_labels) {
    std::vector<std::string> labels;
    for (const std::int64_t cell : local.cells) labels.push_back(label(element, cell));
    to.set("label", labels);
  }
}

std::string tag_of(const Element& element) {
  return element.is_domain() ? "domain" : element.kind == Kind::scalar ? "scalar" : "axis";
}

/// Its size, and what this client has of it.
client::Element define_element(client::Context& context, const Element& element,
                               const Local& local) {
  const std::string tag = tag_of(element);
  const client::Element to = context.at(tag + "_definition").child(tag, element.id);
  if (element.is_domain()) {
    to.set("type", element.kind == Kind::rectilinear   ? "rectilinear"
                   : element.kind == Kind::curvilinear ? "curvilinear"
                   : element.salt % 4 == 0             ? "gaussian"
                                                       : "unstructured");
    to.set("ni_glo", element.ni);
    if (element.kind != Kind::unstructured) to.set("nj_glo", element.nj);
  } else if (tag == "axis") {
    to.set("n_glo", element.ni);
  }
  for (const auto& [attribute, value] : local.numbers) {
    if (attribute == "mask") {
      to.set(attribute, value != 0);
    } else {
      to.set(attribute, value);
    }
  }
  for (const auto& [attribute, values] : local.lists) {
    to.set(attribute, std::span<const std::int64_t>(values));
  }
  if (local.mask.empty() || element.kind == Kind::scalar) return to;
  const std::span<const unsigned char> mask(local.mask);
  if (tag == "axis") {
    to.set("mask", mask);
  } else if (element.salt % 3 == 0) {
    to.set("mask_2d", mask, {local.ni, local.nj});
  } else {
    to.set("mask_1d", mask);
  }
  return to;
}

/// Where its points are, and what is known of them.
void describe_element(const client::Element& to, const Element& element, const Local& local) {
  if (element.is_double) to.set("prec", 8);
  if (local.takes_tiles_only) to.set("tile_only", true);
  if (!element.is_domain()) return set_points(to, element, local);
  if (element.kind != Kind::rectilinear && element.vertices > 0) {
    to.set("nvertex", element.vertices);
  }
  if (local.gives_area) {
    const auto area = per_cell(element, local, 2);
    if (element.salt % 5 == 0) {
      to.set("area_2d", std::span<const double>(area), {local.ni, local.nj});
    } else {
      to.set("area_1d", std::span<const double>(area));
    }
  }
  if (!local.gives_coordinates) return;
  if (element.kind == Kind::rectilinear) return set_sides(to, element, local);
  set_cells(to, element, local);
}

void set_mask(const client::Element& to, const Case& of, const Client& mine, std::size_t grid) {
  std::vector<std::int64_t> shape;
  for (const int e : of.grids[grid].elements) {
    const Element& element = of.elements[static_cast<std::size_t>(e)];
    const Local& local = mine.elements[static_cast<std::size_t>(e)];
    if (element.kind == Kind::scalar) continue;
    if (element.is_domain() && !of.grids[grid].is_mask_flat) {
      shape.push_back(local.ni);
      shape.push_back(local.nj);
    } else {
      shape.push_back(local.ni * local.nj);
    }
  }
  const auto rank = static_cast<int>(shape.size());
  if (shape.empty()) shape.push_back(1);
  client::check(epios_element_set_bools(to.get(), ("mask_" + std::to_string(rank) + "d").c_str(),
                                        mine.masks[grid].data(), static_cast<int>(shape.size()),
                                        shape.data()));
}

void define_files(client::Context& context, const Case& of) {
  for (const bool is_average : {false, true}) {
    const client::Element file = context.at("file_definition").child("file");
    file.set("name", of.id + (is_average ? "_means" : "_now"));
    file.set("output_freq", is_average ? "2h" : "1h");
    if (const char* format = std::getenv("GRIDS_FORMAT")) file.set("format", format);
    if (const char* writers = std::getenv("GRIDS_WRITERS")) {
      file.set("writers_per_process", std::atoi(writers));
    }
    for (const Field& field : of.fields) {
      if (field.is_average != is_average) continue;
      file.child("field")
          .set("field_ref", field.id)
          .set("name", field.id)
          .set("operation", is_average ? "average" : "instant")
          .set("prec", field.prec);
    }
  }
}

}  // namespace

Defined define_grids(client::Context& context, const Case& of, const Client& mine) {
  context.at("calendar")
      .set("type", "NoLeap")
      .set("timestep", "1h")
      .set("start_date", "2000-01-01 00:00:00");
  Defined out;
  for (std::size_t e = 0; e < of.elements.size(); ++e) {
    out.elements.push_back(define_element(context, of.elements[e], mine.elements[e]));
  }
  for (const Grid& grid : of.grids) {
    out.grids.push_back(context.at("grid_definition").child("grid", grid.id));
    for (const int e : grid.elements) {
      const Element& element = of.elements[static_cast<std::size_t>(e)];
      out.grids.back().child(tag_of(element)).set(tag_of(element) + "_ref", element.id);
    }
    const std::size_t number = out.grids.size() - 1;
    if (!mine.masks[number].empty()) set_mask(out.grids.back(), of, mine, number);
  }
  return out;
}

void define(client::Context& context, const Case& of, const Client& mine) {
  const Defined defined = define_grids(context, of, mine);
  for (std::size_t e = 0; e < of.elements.size(); ++e) {
    describe_element(defined.elements[e], of.elements[e], mine.elements[e]);
  }
  for (const Field& field : of.fields) {
    const client::Element to = context.at("field_definition").child("field", field.id);
    to.set("grid_ref", of.grids[static_cast<std::size_t>(field.grid)].id);
    if (!field.default_value) continue;
    to.set("default_value", *field.default_value).set("detect_missing_value", true);
  }
  define_files(context, of);
}

}  // namespace grids
