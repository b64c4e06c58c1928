// Writes the modules of Fortran that follow from the attribute table, under the names that XIOS
// gives them: for every kind of element and group its handle (idomain) and its accessors with one
// optional keyword per attribute (idomain_attr, idomaingroup_attr); what adds children (ixml_tree);
// what sends and receives, by kind and rank (idata); and what `module xios` exports of them.
//
// usage: generate_modules > xios_modules.f90

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "handles.hpp"

namespace epios::fortran {
namespace {

enum class Access { set, get, is_defined };

constexpr Access accesses[] = {Access::set, Access::get, Access::is_defined};

struct Words {
  std::string_view verb, call, intent;
};

Words words_of(Access access) {
  if (access == Access::set) return {"set", "put", "in"};
  if (access == Access::get) return {"get", "fetch", "out"};
  return {"is_defined", "ask", "out"};
}

/// Prints "first, a, b, ...)", over several lines.
void print_arguments(const std::string& first, const std::vector<Keyword>& keywords) {
  std::string line = first;
  for (const Keyword& keyword : keywords) {
    line += ',';
    if (line.size() + keyword.name.size() > 96) {
      fmt::print("{} &\n", line);
      line = "     ";
    }
    line += fmt::format(" {}", keyword.name);
  }
  fmt::print("{})\n", line);
}

void print_declarations(const std::vector<Keyword>& keywords, Access access) {
  for (const Keyword& keyword : keywords) {
    if (access == Access::is_defined) {
      fmt::print("    logical, intent(out), optional :: {}\n", keyword.name);
    } else {
      fmt::print("    {}, intent({}), optional :: {}{}\n", fortran_type(*keyword.row),
                 words_of(access).intent, keyword.name, colons(rank_of(*keyword.row)));
    }
  }
}

/// Prints one accessor by handle, and one by id that finds the handle.
void print_accessor(const Handle& handle, Access access) {
  const Words words = words_of(access);
  const auto keywords = keywords_of(handle);
  const std::string by_id = fmt::format("xios_{}_{}_attr", words.verb, handle.name);
  const std::string by_handle = by_id + "_hdl";
  fmt::print("\n");
  print_arguments(fmt::format("  subroutine {}({}_hdl", by_handle, handle.name), keywords);
  fmt::print("    type(xios_{0}), intent(in) :: {0}_hdl\n", handle.name);
  print_declarations(keywords, access);
  fmt::print("    type(c_element) :: element\n\n    element = element_of({}_hdl%daddr)\n",
             handle.name);
  for (const Keyword& keyword : keywords) {
    fmt::print("    if (present({0})) call {1}{3}(element, '{2}' // nul, {0})\n", keyword.name,
               words.call, keyword.row->name,
               access != Access::is_defined && is_array(*keyword.row) ? "_array" : "");
  }
  fmt::print("  end subroutine {}\n", by_handle);

  fmt::print("\n");
  print_arguments(fmt::format("  subroutine {}({}_id", by_id, handle.name), keywords);
  fmt::print("    character(len=*), intent(in) :: {}_id\n", handle.name);
  print_declarations(keywords, access);
  fmt::print("\n");
  fmt::print("    call {}( &\n", by_handle);
  print_arguments(
      fmt::format("      xios_{}(handle_at('{}', {}_id))", handle.name, handle.tag, handle.name),
      keywords);
  fmt::print("  end subroutine {}\n", by_id);
}

/// Returns "domain" for the handles "domain" and "domaingroup", which share a module.
std::string module_of(const Handle& handle) {
  return handle.is_group ? std::string(name(handle.kind)) : handle.name;
}

/// Prints the handles of a kind and of its groups: how they are found, and what is particular to
/// the kind.
void print_handle_module(const std::string& module, const std::vector<Handle>& all) {
  std::string from_run;
  if (module == "context") {
    from_run = "xios_set_current_context, xios_get_current_context";
  } else if (module == "field") {
    from_run =
        "xios_field_is_active, xios_field_get_domain, xios_field_get_axis, xios_field_get_scalar";
  }
  fmt::print("\nmodule i{}\n", module);
  std::string imported;
  std::string defined;
  std::string names;
  for (const Handle& handle : all) {
    if (module_of(handle) != module) continue;
    if (is_transformation(handle.kind)) {
      defined += fmt::format(
          "  type :: xios_{}\n    integer(c_intptr_t) :: daddr = 0\n  end type\n", handle.name);
    } else {
      imported += fmt::format(", xios_{}", handle.name);
    }
    names +=
        fmt::format("  public :: xios_{0}, xios_get_{0}_handle, xios_is_valid_{0}\n", handle.name);
  }
  if (!defined.empty()) fmt::print("  use, intrinsic :: iso_c_binding, only: c_intptr_t\n");
  fmt::print("  use xios_elements, only: handle_at, is_there{}\n", imported);
  if (!from_run.empty()) {
    fmt::print("  use xios_run, only: {}\n", from_run);
    names += fmt::format("  public :: {}\n", from_run);
  }
  fmt::print("  implicit none\n  private\n{}{}\ncontains\n", names, defined);
  for (const Handle& handle : all) {
    if (module_of(handle) != module) continue;
    fmt::print(
        "\n  subroutine xios_get_{0}_handle(idt, ret)\n"
        "    character(len=*), intent(in) :: idt\n"
        "    type(xios_{0}), intent(out) :: ret\n\n"
        "    ret%daddr = handle_at('{1}', idt)\n"
        "  end subroutine xios_get_{0}_handle\n\n"
        "  logical function xios_is_valid_{0}(idt)\n"
        "    character(len=*), intent(in) :: idt\n\n"
        "    xios_is_valid_{0} = is_there('{1}', idt)\n"
        "  end function xios_is_valid_{0}\n",
        handle.name, handle.tag);
  }
  fmt::print("\nend module i{}\n", module);
}

/// Includes the handles, because some models use this module alone.
void print_attribute_module(const Handle& handle) {
  fmt::print(
      "\nmodule i{0}_attr\n  use i{1}\n"
      "  use xios_elements, only: element_of, handle_at, put, put_array, fetch, fetch_array, ask, "
      "xios_duration\n"
      "  use xios_c, only: nul, c_element\n  implicit none\n  public\n"
      "  private :: element_of, handle_at, put, put_array, fetch, fetch_array, ask, nul, "
      "c_element\n"
      "\ncontains\n",
      handle.name, module_of(handle));
  for (const Access access : accesses) print_accessor(handle, access);
  fmt::print("\nend module i{}_attr\n", handle.name);
}

void print_children(const std::vector<std::string>& modules) {
  fmt::print("\nmodule ixml_tree\n");
  for (const std::string& module : modules) fmt::print("  use i{}\n", module);
  fmt::print(
      "  use xios_elements, only: add\n  implicit none\n  public\n  private :: add\n\ncontains\n");
  for (const Child& row : children()) {
    fmt::print(
        "\n  subroutine xios_{0}(parent_hdl, child_hdl, child_id)\n"
        "    type(xios_{1}), intent(in) :: parent_hdl\n"
        "    type(xios_{2}), intent(out) :: child_hdl\n"
        "    character(len=*), intent(in), optional :: child_id\n\n"
        "    call add(parent_hdl%daddr, '{3}', child_hdl%daddr, child_id)\n"
        "  end subroutine xios_{0}\n",
        row.procedure, row.parent, row.child, row.tag);
  }
  fmt::print("\nend module ixml_tree\n");
}

/// Prints a procedure that sends or receives arrays of a kind and rank, with the name and keywords
/// of XIOS. A received array has no intent(out), so that places without data keep their values.
void print_transfer(bool sends, int kind, int rank, bool by_handle) {
  const std::string_view verb = sends ? "send" : "recv";
  const std::string name =
      fmt::format("xios_{}_field_r{}_{}d{}", verb, kind, rank, by_handle ? "_hdl" : "");
  const std::string data =
      rank == 0 && sends ? fmt::format("data_k{}", kind) : fmt::format("data{}d_k{}", rank, kind);
  const std::string_view tile = sends ? ", tileid" : "";
  fmt::print("\n  subroutine {}({}, {}{})\n", name, by_handle ? "field_hdl" : "fieldid", data,
             tile);
  fmt::print("    {} :: {}\n",
             by_handle ? "type(xios_field), intent(in)" : "character(len=*), intent(in)",
             by_handle ? "field_hdl" : "fieldid");
  fmt::print("    real(kind={}), intent({}) :: {}{}\n", kind, sends ? "in" : "inout", data,
             colons(rank));
  if (sends) fmt::print("    integer, intent(in), optional :: tileid\n");
  const std::string_view call = sends ? "epios_xios_send" : "epios_xios_receive";
  if (by_handle) {
    fmt::print("\n    call check({}_element(element_of(field_hdl%daddr), {}{}))\n", call, data,
               tile);
  } else {
    fmt::print("\n    call check({}(fieldid, len(fieldid, c_size_t), {}{}))\n", call, data, tile);
  }
  fmt::print("  end subroutine {}\n", name);
}

template <class Use>
void for_transfers(bool sends, const Use& use) {
  for (const bool by_handle : {false, true}) {
    for_kinds_and_ranks([&](int kind, int rank) { use(sends, kind, rank, by_handle); });
  }
}

void print_data() {
  fmt::print(
      "\nmodule idata\n  use, intrinsic :: iso_c_binding, only: c_size_t\n"
      "  use xios_c, only: check, epios_xios_send, epios_xios_send_element, epios_xios_receive, &\n"
      "    epios_xios_receive_element\n"
      "  use xios_elements, only: xios_field, element_of\n"
      "  use xios_run, only: xios_initialize, xios_init_server, xios_finalize, xios_oasis_enddef, "
      "&\n"
      "    xios_context_initialize, xios_context_is_initialized, xios_context_finalize, &\n"
      "    xios_solve_inheritance, xios_close_context_definition, xios_getVar, xios_setVar\n"
      "  implicit none\n  public\n"
      "  private :: c_size_t, check, epios_xios_send, epios_xios_send_element\n"
      "  private :: epios_xios_receive, epios_xios_receive_element, element_of\n");
  for (const bool sends : {true, false}) {
    const std::string_view verb = sends ? "send" : "recv";
    fmt::print("\n  interface xios_{}_field\n", verb);
    for_transfers(sends, [&](bool, int kind, int rank, bool by_handle) {
      fmt::print("    module procedure xios_{}_field_r{}_{}d{}\n", verb, kind, rank,
                 by_handle ? "_hdl" : "");
    });
    fmt::print("  end interface\n");
  }
  fmt::print("\ncontains\n");
  for (const bool sends : {true, false}) for_transfers(sends, print_transfer);
  fmt::print("\nend module idata\n");
}

void print_generic(std::string_view generic, const std::vector<std::string>& specifics) {
  fmt::print("\n  interface {}\n", generic);
  for (const std::string& specific : specifics) fmt::print("    procedure {}\n", specific);
  fmt::print("  end interface\n");
}

/// Prints what `module xios` exports of the above: generic names, and procedures that take ids.
void print_exports(const std::vector<std::string>& modules, const std::vector<Handle>& all) {
  fmt::print("\nmodule xios_generated\n");
  for (const std::string& module : modules) fmt::print("  use i{}\n", module);
  for (const Handle& handle : all) fmt::print("  use i{}_attr\n", handle.name);
  fmt::print(
      "  use ixml_tree\n  use idata, only: xios_send_field, xios_recv_field\n"
      "  implicit none\n  private\n\n"
      "  public :: xios_send_field, xios_recv_field\n"
      "  public :: xios_get_handle, xios_set_attr, xios_get_attr, xios_is_defined_attr\n"
      "  public :: xios_add_child\n");
  std::vector<std::string> handle_names;
  for (const Handle& handle : all) {
    fmt::print("  public :: xios_{0}, xios_is_valid_{0}\n", handle.name);
    for (const Access access : accesses) {
      fmt::print("  public :: xios_{}_{}_attr\n", words_of(access).verb, handle.name);
    }
    handle_names.push_back(fmt::format("xios_get_{}_handle", handle.name));
  }
  print_generic("xios_get_handle", handle_names);
  for (const Access access : accesses) {
    std::vector<std::string> accessors;
    accessors.reserve(all.size());
    for (const Handle& handle : all) {
      accessors.push_back(fmt::format("xios_{}_{}_attr_hdl", words_of(access).verb, handle.name));
    }
    print_generic(fmt::format("xios_{}_attr", words_of(access).verb), accessors);
  }
  std::vector<std::string> adders;
  for (const Child& row : children()) adders.push_back(fmt::format("xios_{}", row.procedure));
  print_generic("xios_add_child", adders);
  fmt::print("end module xios_generated\n");
}

std::vector<std::string> modules_of(const std::vector<Handle>& all) {
  std::vector<std::string> modules;
  modules.reserve(all.size());
  for (const Handle& handle : all) {
    if (!handle.is_group) modules.push_back(handle.name);
  }
  return modules;
}

void print_kinds(const std::vector<Handle>& all) {
  for (const std::string& module : modules_of(all)) print_handle_module(module, all);
  for (const Handle& handle : all) print_attribute_module(handle);
}

}  // namespace
}  // namespace epios::fortran

int main() {
  using namespace epios::fortran;
  fmt::print("! Generated from the attribute table by generate_modules.\n");
  const std::vector<Handle> exported = handles();
  const std::vector<Handle> beside = handles_beside();
  print_kinds(exported);
  print_kinds(beside);
  print_children(modules_of(exported));
  print_data();
  print_exports(modules_of(exported), exported);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
