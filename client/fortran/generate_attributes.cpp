// Writes the part of `module xios` that follows from the attribute table: for every kind of element
// and group its handle's accessors, with one optional keyword per attribute.
//
// usage: generate_attributes > xios_attributes.f90

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"

namespace {

using epios::config::AttributeInfo;
using epios::config::ElementKind;
using epios::config::ValueType;

/// A type of the Fortran interface: "axisgroup", the tag that finds it, and whose attributes it
/// has.
struct Handle {
  std::string name;
  std::string tag;
  ElementKind kind;
  bool is_group = false;
};

std::vector<Handle> handles() {
  using K = ElementKind;
  std::vector<Handle> out{{"context", "context", K::context}};
  for (const K kind : {K::scalar, K::axis, K::domain, K::grid, K::field, K::file, K::variable}) {
    const std::string tag(name(kind));
    out.push_back({tag, tag, kind});
    out.push_back({tag + "group", tag + "_group", kind, true});
  }
  const std::vector<Handle> transformations{
      {"extract_domain", "domain/extract_domain", K::extract_domain},
      {"zoom_domain", "domain/zoom_domain", K::extract_domain},
      {"interpolate_domain", "domain/interpolate_domain", K::interpolate_domain},
      {"generate_rectilinear_domain", "domain/generate_rectilinear_domain",
       K::generate_rectilinear_domain},
      {"compute_connectivity_domain", "domain/compute_connectivity_domain",
       K::compute_connectivity_domain},
      {"expand_domain", "domain/expand_domain", K::expand_domain},
      {"redistribute_domain", "domain/redistribute_domain", K::redistribute_domain},
      {"extract_axis", "axis/extract_axis", K::extract_axis},
      {"zoom_axis", "axis/zoom_axis", K::extract_axis},
      {"interpolate_axis", "axis/interpolate_axis", K::interpolate_axis},
      {"inverse_axis", "axis/inverse_axis", K::inverse_axis},
      {"reduce_domain_to_axis", "axis/reduce_domain", K::reduce_domain_to_axis},
      {"extract_domain_to_axis", "axis/extract_domain", K::extract_domain_to_axis},
      {"redistribute_axis", "axis/redistribute_axis", K::redistribute_axis},
      {"reduce_axis_to_scalar", "scalar/reduce_axis", K::reduce_axis_to_scalar},
      {"reduce_domain_to_scalar", "scalar/reduce_domain", K::reduce_domain_to_scalar},
      {"extract_axis_to_scalar", "scalar/extract_axis", K::extract_axis_to_scalar},
      {"redistribute_scalar", "scalar/redistribute_scalar", K::redistribute_scalar}};
  out.insert(out.end(), transformations.begin(), transformations.end());
  return out;
}

std::vector<const AttributeInfo*> rows_of(const Handle& handle) {
  std::vector<const AttributeInfo*> rows;
  for (const AttributeInfo& row : attributes_of(handle.kind)) rows.push_back(&row);
  if (handle.is_group && handle.kind == ElementKind::field) {
    rows.push_back(epios::config::find_attribute(ElementKind::any, "group_ref"));
  }
  return rows;
}

/// ", dimension(:,:)", "" for single values.
std::string dimensions(const AttributeInfo& row) {
  if (row.type < ValueType::booleans) return "";
  const int rank = row.words.empty() ? 1 : row.words.front() - '0';
  std::string colons = ":";
  for (int i = 1; i < rank; ++i) colons += ",:";
  return fmt::format(", dimension({})", colons);
}

std::string_view fortran_type(const AttributeInfo& row) {
  switch (row.type) {
    case ValueType::boolean:
    case ValueType::booleans:
      return "logical";
    case ValueType::integer:
    case ValueType::integers:
      return "integer";
    case ValueType::real:
    case ValueType::reals:
      return "real(kind=8)";
    case ValueType::duration:
      return "type(xios_duration)";
    default:
      return "character(len=*)";
  }
}

/// Arrays of texts have one rank, and are told from single ones by it.
bool is_array(const AttributeInfo& row) {
  return row.type >= ValueType::booleans && row.type != ValueType::strings;
}

enum class Access { set, get, is_defined };

struct Words {
  std::string_view verb, call, intent;
};

Words words_of(Access access) {
  if (access == Access::set) return {"set", "put", "in"};
  if (access == Access::get) return {"get", "fetch", "out"};
  return {"is_defined", "ask", "out"};
}

/// "first, a, b, ...)", over several lines.
void print_arguments(const std::string& first, const std::vector<const AttributeInfo*>& rows) {
  std::string line = first;
  for (const AttributeInfo* row : rows) {
    line += ',';
    if (line.size() + row->name.size() > 96) {
      fmt::print("{} &\n", line);
      line = "     ";
    }
    line += fmt::format(" {}", row->name);
  }
  fmt::print("{})\n", line);
}

void print_declarations(const std::vector<const AttributeInfo*>& rows, Access access) {
  for (const AttributeInfo* row : rows) {
    if (access == Access::is_defined) {
      fmt::print("    logical, intent(out), optional :: {}\n", row->name);
    } else {
      fmt::print("    {}{}, intent({}), optional :: {}\n", fortran_type(*row), dimensions(*row),
                 words_of(access).intent, row->name);
    }
  }
}

/// One accessor by handle, and one by id that finds the handle.
void print_accessor(const Handle& handle, Access access) {
  const Words words = words_of(access);
  const auto rows = rows_of(handle);
  const std::string by_handle = fmt::format("{}_{}_attr_hdl", words.verb, handle.name);
  const std::string by_id = fmt::format("xios_{}_{}_attr", words.verb, handle.name);
  fmt::print("\n");
  print_arguments(fmt::format("  subroutine {}({}_hdl", by_handle, handle.name), rows);
  fmt::print("    type(xios_{0}), intent(in) :: {0}_hdl\n", handle.name);
  print_declarations(rows, access);
  fmt::print("\n");
  for (const AttributeInfo* row : rows) {
    fmt::print("    if (present({0})) &\n      call {1}{3}({2}_hdl%element, '{0}', {0})\n",
               row->name, words.call, handle.name,
               access != Access::is_defined && is_array(*row) ? "_array" : "");
  }
  fmt::print("  end subroutine {}\n", by_handle);

  fmt::print("\n");
  print_arguments(fmt::format("  subroutine {}({}_id", by_id, handle.name), rows);
  fmt::print("    character(len=*), intent(in) :: {}_id\n", handle.name);
  print_declarations(rows, access);
  fmt::print("    type(xios_{0}) :: handle\n\n", handle.name);
  fmt::print("    call at('{}', {}_id, handle%element)\n", handle.tag, handle.name);
  print_arguments(fmt::format("    call {}(handle", by_handle), rows);
  fmt::print("  end subroutine {}\n", by_id);
}

void print_module(const Handle& handle) {
  const std::string module_name = fmt::format("xios_{}_attributes", handle.name);
  fmt::print(
      "\nmodule {0}\n  use xios_elements\n  implicit none\n  private\n\n"
      "  public :: xios_is_valid_{1}\n"
      "  public :: xios_get_handle, xios_set_attr, xios_get_attr, xios_is_defined_attr\n",
      module_name, handle.name);
  for (const std::string_view verb : {"set", "get", "is_defined"}) {
    fmt::print("  public :: xios_{}_{}_attr\n", verb, handle.name);
  }
  fmt::print("\n  interface xios_get_handle\n    module procedure get_{}_handle\n  end interface\n",
             handle.name);
  for (const std::string_view verb : {"set", "get", "is_defined"}) {
    fmt::print(
        "  interface xios_{0}_attr\n    module procedure {0}_{1}_attr_hdl\n  end interface\n", verb,
        handle.name);
  }
  fmt::print(
      "\ncontains\n\n"
      "  subroutine get_{0}_handle(idt, ret)\n"
      "    character(len=*), intent(in) :: idt\n"
      "    type(xios_{0}), intent(out) :: ret\n\n"
      "    call at('{1}', idt, ret%element)\n"
      "  end subroutine get_{0}_handle\n\n"
      "  logical function xios_is_valid_{0}(idt)\n"
      "    character(len=*), intent(in) :: idt\n\n"
      "    xios_is_valid_{0} = is_there('{1}', idt)\n"
      "  end function xios_is_valid_{0}\n",
      handle.name, handle.tag);
  for (const Access access : {Access::set, Access::get, Access::is_defined}) {
    print_accessor(handle, access);
  }
  fmt::print("\nend module {}\n", module_name);
}

}  // namespace

int main() {
  fmt::print("! Generated from the attribute table by generate_attributes.\n");
  const std::vector<Handle> all = handles();
  for (const Handle& handle : all) print_module(handle);
  fmt::print("\nmodule xios_attributes\n");
  for (const Handle& handle : all) fmt::print("  use xios_{}_attributes\n", handle.name);
  fmt::print("  implicit none\n  public\nend module xios_attributes\n");
  return std::fflush(stdout) == 0 ? 0 : 1;
}
