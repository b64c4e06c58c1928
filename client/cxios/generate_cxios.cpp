// Writes the C names of XIOS that follow from the attribute table: for every kind of element and
// group how its handle is found, each attribute set, got and asked for; children; arrays of fields
// by kind and rank.
//
// usage: generate_cxios > cxios_generated.cpp

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "handles.hpp"

namespace epios::fortran {
namespace {

std::string_view c_type(const AttributeInfo& row) {
  switch (row.type) {
    case ValueType::boolean:
    case ValueType::booleans:
      return "bool";
    case ValueType::integer:
    case ValueType::integers:
      return "int";
    case ValueType::real:
    case ValueType::reals:
      return "double";
    case ValueType::duration:
      return "cxios_duration";
    default:
      return "char";
  }
}

/// Texts come with their length, arrays with their extents, arrays of texts with both.
void print_attribute(const std::string& kind, const AttributeInfo& row) {
  const std::string at = fmt::format("{}_{}", kind, row.name);
  const std::string_view type = c_type(row);
  if (row.type == ValueType::strings) {
    fmt::print(
        "void cxios_set_{0}(Handle hdl, const char* texts, int length, const int* extent) {{\n"
        "  set_texts(hdl, \"{1}\", texts, length, *extent);\n}}\n"
        "void cxios_get_{0}(Handle hdl, char* texts, int size, const int* extent) {{\n"
        "  get_texts(hdl, \"{1}\", texts, size, *extent);\n}}\n",
        at, row.name);
  } else if (is_array(row)) {
    fmt::print(
        "void cxios_set_{0}(Handle hdl, const {1}* values, const int* extents) {{\n"
        "  set_array(hdl, \"{2}\", values, extents, {3});\n}}\n"
        "void cxios_get_{0}(Handle hdl, {1}* values, const int* extents) {{\n"
        "  get_array(hdl, \"{2}\", values, extents, {3});\n}}\n",
        at, type, row.name, rank_of(row));
  } else if (type == "char") {
    fmt::print(
        "void cxios_set_{0}(Handle hdl, const char* text, int length) {{\n"
        "  set_text(hdl, \"{1}\", text, length);\n}}\n"
        "void cxios_get_{0}(Handle hdl, char* text, int size) {{\n"
        "  get_text(hdl, \"{1}\", text, size);\n}}\n",
        at, row.name);
  } else {
    fmt::print(
        "void cxios_set_{0}(Handle hdl, {1} value) {{ set(hdl, \"{2}\", value); }}\n"
        "void cxios_get_{0}(Handle hdl, {1}* value) {{ get(hdl, \"{2}\", value); }}\n",
        at, type, row.name);
  }
  fmt::print("bool cxios_is_defined_{0}(Handle hdl) {{ return is_defined(hdl, \"{1}\"); }}\n", at,
             row.name);
}

void print_kind(const Handle& handle) {
  fmt::print(
      "\n// {0}\n\n"
      "void cxios_{0}_handle_create(Handle* ret, const char* id, int length) {{\n"
      "  *ret = handle_at(\"{1}\", id, length);\n}}\n"
      "void cxios_{0}_valid_id(bool* ret, const char* id, int length) {{\n"
      "  *ret = has(\"{1}\", id, length);\n}}\n",
      handle.name, handle.tag);
  for (const AttributeInfo* row : rows_of(handle)) print_attribute(handle.name, *row);
}

void print_children() {
  fmt::print("\n// Children\n\n");
  for (const Child& row : children()) {
    fmt::print(
        "void cxios_xml_tree_{0}(Handle parent, Handle* child, const char* id, int length) {{\n"
        "  *child = add_child(parent, \"{1}\", id, length);\n}}\n",
        row.procedure, row.tag);
  }
}

/// Arrays of one kind and rank, by id and by handle. What is sent ends with the number of a tile,
/// as callers declare it.
void print_data(int kind, int rank) {
  std::string extents;
  std::string names;
  for (int d = 1; d <= rank; ++d) {
    extents += fmt::format(", int n{}", d);
    names += fmt::format("{}n{}", d == 1 ? "" : ", ", d);
  }
  const std::string_view type = kind == 8 ? "double" : "float";
  fmt::print(
      "void cxios_write_data_k{0}{1}(const char* id, int length, const {2}* data{3}, int tile) {{\n"
      "  send(field_of(id, length), data, {{{4}}}, tile);\n}}\n"
      "void cxios_write_data_k{0}{1}_hdl(Handle field, const {2}* data{3}, int tile) {{\n"
      "  send(field_of(field), data, {{{4}}}, tile);\n}}\n"
      "void cxios_read_data_k{0}{1}(const char* id, int length, {2}* data{3}) {{\n"
      "  receive(field_of(id, length), data, {{{4}}});\n}}\n"
      "void cxios_read_data_k{0}{1}_hdl(Handle field, {2}* data{3}) {{\n"
      "  receive(field_of(field), data, {{{4}}});\n}}\n",
      kind, rank, type, extents, names);
}

}  // namespace
}  // namespace epios::fortran

int main() {
  using namespace epios::fortran;
  fmt::print(
      "// Generated from the attribute table by generate_cxios.\n\n#include \"cxios.hpp\"\n\n"
      "using namespace epios::cxios;\n\nextern \"C\" {{\n");
  print_kind({"calendar_wrapper", "calendar", ElementKind::calendar});
  for (const Handle& handle : handles()) print_kind(handle);
  for (const Handle& handle : handles_beside()) print_kind(handle);
  print_children();
  fmt::print("\n// Arrays\n\n");
  for_kinds_and_ranks(print_data);
  fmt::print("\n}}  // extern \"C\"\n");
  return std::fflush(stdout) == 0 ? 0 : 1;
}
