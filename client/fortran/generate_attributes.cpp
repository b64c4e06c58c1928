// Writes the part of `module xios` that follows from the attribute table: for every kind of element
// and group its handle's accessors, with one optional keyword per attribute; and what adds
// children.
//
// usage: generate_attributes > xios_attributes.f90

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "handles.hpp"

namespace {

using epios::config::AttributeInfo;
using epios::fortran::dimensions;
using epios::fortran::fortran_type;
using epios::fortran::Handle;
using epios::fortran::handles;
using epios::fortran::is_array;
using epios::fortran::rows_of;

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
    fmt::print("    if (present({0})) &\n      call {1}{3}({2}_hdl%element, '{0}' // nul, {0})\n",
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
      "\nmodule {0}\n  use xios_elements\n  use xios_c, only: nul\n  implicit none\n  private\n\n"
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

/// How a child comes into its parent: "add_fieldtofile", of types xios_file and xios_field, by tag.
struct Child {
  std::string_view procedure, parent, child, tag;
};

constexpr Child children[] = {
    {"add_scalar", "scalargroup", "scalar", "scalar"},
    {"add_axis", "axisgroup", "axis", "axis"},
    {"add_file", "filegroup", "file", "file"},
    {"add_grid", "gridgroup", "grid", "grid"},
    {"add_field", "fieldgroup", "field", "field"},
    {"add_domain", "domaingroup", "domain", "domain"},
    {"add_scalargroup", "scalargroup", "scalargroup", "scalar_group"},
    {"add_axisgroup", "axisgroup", "axisgroup", "axis_group"},
    {"add_filegroup", "filegroup", "filegroup", "file_group"},
    {"add_gridgroup", "gridgroup", "gridgroup", "grid_group"},
    {"add_fieldgroup", "fieldgroup", "fieldgroup", "field_group"},
    {"add_domaingroup", "domaingroup", "domaingroup", "domain_group"},
    {"add_fieldtofile", "file", "field", "field"},
    {"add_fieldgrouptofile", "file", "fieldgroup", "field_group"},
    {"add_variabletofile", "file", "variable", "variable"},
    {"add_variablegrouptofile", "file", "variablegroup", "variable_group"},
    {"add_variabletofield", "field", "variable", "variable"},
    {"add_variablegrouptofield", "field", "variablegroup", "variable_group"},
    {"add_scalartogrid", "grid", "scalar", "scalar"},
    {"add_axistogrid", "grid", "axis", "axis"},
    {"add_domaintogrid", "grid", "domain", "domain"},
    {"add_zoomdomaintodomain", "domain", "zoom_domain", "zoom_domain"},
    {"add_extractdomaintodomain", "domain", "extract_domain", "extract_domain"},
    {"add_interpolatedomaintodomain", "domain", "interpolate_domain", "interpolate_domain"},
    {"add_generatedomaintodomain", "domain", "generate_rectilinear_domain",
     "generate_rectilinear_domain"},
    {"add_computeconnectivitydomaintodomain", "domain", "compute_connectivity_domain",
     "compute_connectivity_domain"},
    {"add_expanddomaintodomain", "domain", "expand_domain", "expand_domain"},
    {"add_redistributedomain", "domain", "redistribute_domain", "redistribute_domain"},
    {"add_zoomaxistoaxis", "axis", "zoom_axis", "zoom_axis"},
    {"add_extractaxistoaxis", "axis", "extract_axis", "extract_axis"},
    {"add_interpolateaxistoaxis", "axis", "interpolate_axis", "interpolate_axis"},
    {"add_inverseaxistoaxis", "axis", "inverse_axis", "inverse_axis"},
    {"add_reducedomaintoaxistoaxis", "axis", "reduce_domain_to_axis", "reduce_domain"},
    {"add_extractdomaintoaxistoaxis", "axis", "extract_domain_to_axis", "extract_domain"},
    {"add_redistributeaxis", "axis", "redistribute_axis", "redistribute_axis"},
    {"add_reduceaxistoscalartoscalar", "scalar", "reduce_axis_to_scalar", "reduce_axis"},
    {"add_extractaxistoscalartoscalar", "scalar", "extract_axis_to_scalar", "extract_axis"},
    {"add_reducedomaintoscalartoscalar", "scalar", "reduce_domain_to_scalar", "reduce_domain"},
    {"add_redistributescalar", "scalar", "redistribute_scalar", "redistribute_scalar"}};

void print_children() {
  fmt::print(
      "\nmodule xios_children\n  use xios_elements\n  implicit none\n  private\n\n"
      "  public :: xios_add_child\n\n  interface xios_add_child\n");
  for (const Child& row : children) fmt::print("    module procedure {}\n", row.procedure);
  fmt::print("  end interface\n\ncontains\n");
  for (const Child& row : children) {
    fmt::print(
        "\n  subroutine {0}(parent_hdl, child_hdl, child_id)\n"
        "    type(xios_{1}), intent(in) :: parent_hdl\n"
        "    type(xios_{2}), intent(out) :: child_hdl\n"
        "    character(len=*), intent(in), optional :: child_id\n\n"
        "    call add(parent_hdl%element, '{3}', child_hdl%element, child_id)\n"
        "  end subroutine {0}\n",
        row.procedure, row.parent, row.child, row.tag);
  }
  fmt::print("\nend module xios_children\n");
}

}  // namespace

int main() {
  fmt::print("! Generated from the attribute table by generate_attributes.\n");
  const std::vector<Handle> all = handles();
  for (const Handle& handle : all) print_module(handle);
  print_children();
  fmt::print("\nmodule xios_attributes\n");
  for (const Handle& handle : all) fmt::print("  use xios_{}_attributes\n", handle.name);
  fmt::print("  implicit none\n  public\nend module xios_attributes\n");
  return std::fflush(stdout) == 0 ? 0 : 1;
}
