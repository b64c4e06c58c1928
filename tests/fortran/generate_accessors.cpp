// Writes a program that sets, gets and asks for every attribute through module xios, by id and by
// handle, with random values, and compares with what the C interface says.
//
// usage: generate_accessors > accessors.f90

#include <cstdio>
#include <string>
#include <vector>

#include "handles.hpp"

namespace {

using epios::config::AttributeInfo;
using epios::config::ElementKind;
using epios::config::ValueType;
using epios::fortran::fortran_type;
using epios::fortran::Handle;
using epios::fortran::rank_of;
using epios::fortran::rows_of;

/// The handle that elements of a kind are children of, and its id.
struct Parent {
  std::string type, id;
};

Parent parent_of(const Handle& handle) {
  if (const std::size_t slash = handle.tag.find('/'); slash != std::string::npos) {
    const std::string parent = handle.tag.substr(0, slash);
    return {parent, "the_" + parent};
  }
  if (handle.kind == ElementKind::variable) return {"file", "the_file"};
  const std::string kind(name(handle.kind));
  return {kind + "group", kind + "_definition"};
}

/// Extents 2, 3, 2, 2 ... of an array; and its size.
std::string shape_text(int rank, int& size) {
  std::string text;
  size = 1;
  for (int d = 0; d < rank; ++d) {
    const int extent = d == 1 ? 3 : 2;
    size *= extent;
    text += fmt::format("{}{}", d == 0 ? "" : ", ", extent);
  }
  return text;
}

std::string declaration(const AttributeInfo& row) {
  if (fortran_type(row) == "character(len=*)") return "character(len=60)";
  return std::string(fortran_type(row));
}

/// One attribute: Fortran sets by id and by handle, C reads; C sets, Fortran reads both ways.
void print_single(const Handle& handle, const AttributeInfo& row, const std::string& routine) {
  const std::string what = fmt::format("{} {}", handle.name, row.name);
  std::string draw = "call draw(value)";
  if (row.type == ValueType::word || (row.type == ValueType::integer && !row.words.empty())) {
    draw = fmt::format("call draw_word('{}', value)", row.words);
  } else if (row.type == ValueType::date) {
    draw = "value = '2001-02-03 04:05:06'";
  }
  const bool is_text = fortran_type(row) == "character(len=*)";
  const std::string sent = is_text ? "trim(value)" : "value";
  fmt::print(
      "\n  subroutine {0}(h, id)\n    type(xios_{1}), intent(in) :: h\n"
      "    character(len=*), intent(in) :: id\n    {2} :: value, found\n    logical :: defined\n\n"
      "    {5}\n"
      "    call xios_set_{1}_attr(id, {3}={6})\n"
      "    call expect(same_in_c(of(h%daddr), '{3}', value), '{4} set by id')\n"
      "    call xios_is_defined_{1}_attr(id, {3}=defined)\n"
      "    call expect(defined, '{4} is defined, by id')\n"
      "    call xios_get_attr(h, {3}=found)\n"
      "    call expect(same(value, found), '{4} got by handle')\n"
      "    {5}\n"
      "    call xios_set_attr(h, {3}={6})\n"
      "    call expect(same_in_c(of(h%daddr), '{3}', value), '{4} set by handle')\n"
      "    {5}\n"
      "    call put_c(of(h%daddr), '{3}', value)\n"
      "    call xios_get_{1}_attr(id, {3}=found)\n"
      "    call expect(same(value, found), '{4} got by id')\n"
      "    call xios_is_defined_attr(h, {3}=defined)\n"
      "    call expect(defined, '{4} is defined, by handle')\n"
      "  end subroutine {0}\n",
      routine, handle.name, declaration(row), row.name, what, draw, sent);
}

void print_array(const Handle& handle, const AttributeInfo& row, const std::string& routine) {
  int size = 0;
  const std::string shape = shape_text(rank_of(row), size);
  fmt::print(
      "\n  subroutine {0}(h, id)\n    type(xios_{1}), intent(in) :: h\n"
      "    character(len=*), intent(in) :: id\n"
      "    {2} :: value({3}), array({4}), found({4})\n    logical :: defined\n\n"
      "    call draw(value)\n"
      "    array = reshape(value, [{4}])\n"
      "    call xios_set_{1}_attr(id, {5}=array)\n"
      "    call expect(same_in_c(of(h%daddr), '{5}', value), '{1} {5} set by id')\n"
      "    call xios_is_defined_{1}_attr(id, {5}=defined)\n"
      "    call expect(defined, '{1} {5} is defined, by id')\n"
      "    call xios_get_attr(h, {5}=found)\n"
      "    call expect(same(value, reshape(found, [{3}])), '{1} {5} got by handle')\n"
      "    call draw(value)\n"
      "    array = reshape(value, [{4}])\n"
      "    call xios_set_attr(h, {5}=array)\n"
      "    call expect(same_in_c(of(h%daddr), '{5}', value), '{1} {5} set by handle')\n"
      "    call draw(value)\n"
      "    call put_c(of(h%daddr), '{5}', value, [{4}])\n"
      "    call xios_get_{1}_attr(id, {5}=found)\n"
      "    call expect(same(value, reshape(found, [{3}])), '{1} {5} got by id')\n"
      "    call xios_is_defined_attr(h, {5}=defined)\n"
      "    call expect(defined, '{1} {5} is defined, by handle')\n"
      "  end subroutine {0}\n",
      routine, handle.name, declaration(row), size, shape, row.name);
}

/// Makes the element, sees that nothing is defined yet, then tries each attribute.
void print_handle(const Handle& handle, std::size_t number) {
  const bool is_context = handle.kind == ElementKind::context;
  const auto rows = rows_of(handle);
  fmt::print("\n  subroutine try_{0}()\n    type(xios_{0}) :: h\n", handle.name);
  if (is_context) {
    fmt::print(
        "    character(len=*), parameter :: id = 'accessors'\n    logical :: defined\n\n"
        "    call expect(xios_is_valid_context(id), 'the context is there')\n"
        "    call xios_get_handle(id, h)\n");
  } else {
    const Parent parent = parent_of(handle);
    fmt::print(
        "    type(xios_{0}) :: parent\n    character(len=*), parameter :: id = 'the_{1}'\n{3}\n"
        "    call xios_get_handle('{2}', parent)\n"
        "    call expect(.not. xios_is_valid_{1}(id), '{1} is not there')\n"
        "    call xios_add_child(parent, h, id)\n"
        "    call expect(xios_is_valid_{1}(id), '{1} is there')\n"
        "    call xios_get_handle(id, h)\n",
        parent.type, handle.name, parent.id, rows.empty() ? "" : "    logical :: defined\n");
    if (rows.empty()) {
      // Accessors without keywords.
      fmt::print(
          "    call xios_set_{0}_attr(id)\n    call xios_get_{0}_attr(id)\n"
          "    call xios_is_defined_{0}_attr(id)\n    call xios_set_attr(h)\n"
          "    call xios_get_attr(h)\n    call xios_is_defined_attr(h)\n",
          handle.name);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fmt::print(
        "    call xios_is_defined_attr(h, {0}=defined)\n"
        "    call expect(.not. defined, '{1} {0} is not defined')\n"
        "    call try_{2}_{3}(h, id)\n",
        rows[i]->name, handle.name, number, i);
  }
  fmt::print("  end subroutine try_{}\n", handle.name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string routine = fmt::format("try_{}_{}", number, i);
    if (rank_of(*rows[i]) > 0) {
      print_array(handle, *rows[i], routine);
    } else {
      print_single(handle, *rows[i], routine);
    }
  }
}

}  // namespace

int main() {
  const std::vector<Handle> all = epios::fortran::handles();
  fmt::print(
      "! Generated from the attribute table by generate_accessors.\n"
      "program accessors\n  use xios\n  use xios_elements, only: of => element_of\n  use "
      "accessor_checks\n  implicit none\n"
      "  integer :: comm\n  integer, allocatable :: seed(:)\n  integer :: n\n\n"
      "  call random_seed(size=n)\n  allocate (seed(n))\n  seed = 20261122\n"
      "  call random_seed(put=seed)\n"
      "  call xios_initialize('accessors', return_comm=comm)\n"
      "  call xios_context_initialize('accessors', comm)\n");
  for (const Handle& handle : all) fmt::print("  call try_{}()\n", handle.name);
  // Nothing of all this makes sense as a configuration: the run ends before its definitions do.
  fmt::print("  print '(a)', 'every attribute is what was set'\n  error stop 7\n\ncontains\n");
  for (std::size_t i = 0; i < all.size(); ++i) print_handle(all[i], i);
  fmt::print("\nend program accessors\n");
  return std::fflush(stdout) == 0 ? 0 : 1;
}
