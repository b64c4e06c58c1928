// Writes what the modules of Fortran have once for each kind and rank of values: how attributes are
// set and read, and how arrays are sent and received. Sources beside this one include the parts.
// In order: the kinds of values, templates, the parts.
//
// usage: generate_values PART > PART.inc

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handles.hpp"

namespace epios::fortran {
namespace {

/// A kind of values in Fortran, how it goes to C and comes back. Functions for arrays have an "s"
/// at the end. In `to_c`, "{value}" is a value or an array.
struct ValueKind {
  std::string_view name, type;
  ValueType array;  ///< type of the attributes that are arrays of these
  std::string_view setter;
  std::string_view to_c = "{value}", row_to_c = to_c;
  std::string_view item_to_c;  ///< type of an item of the row that `row_to_c` makes
  bool is_widened = false;     ///< C has no such kind
  std::string_view getter;
  std::string_view found, found_item = found;  ///< types of what the getter gives
  std::string_view from_c = "found";
  bool is_for_xios = false;
};

constexpr std::array kinds{ValueKind{.name = "logical",
                                     .type = "logical",
                                     .array = ValueType::booleans,
                                     .setter = "epios_element_set_bool",
                                     .to_c = "merge(1_c_int, 0_c_int, {value})",
                                     .row_to_c = "merge(1_c_signed_char, 0_c_signed_char, {value})",
                                     .item_to_c = "integer(c_signed_char)",
                                     .getter = "epios_element_get_bool",
                                     .found = "integer(c_int)",
                                     .found_item = "integer(c_signed_char)",
                                     .from_c = "found /= 0",
                                     .is_for_xios = true},
                           ValueKind{.name = "integer",
                                     .type = "integer",
                                     .array = ValueType::integers,
                                     .setter = "epios_element_set_int",
                                     .to_c = "int({value}, c_int64_t)",
                                     .item_to_c = "integer(c_int64_t)",
                                     .is_widened = true,
                                     .getter = "epios_fortran_get_int",
                                     .found = "integer(c_int)",
                                     .is_for_xios = true},
                           ValueKind{.name = "long_integer",
                                     .type = "integer(c_int64_t)",
                                     .array = ValueType::integers,
                                     .setter = "epios_element_set_int",
                                     .item_to_c = "integer(c_int64_t)",
                                     .getter = "epios_element_get_int",
                                     .found = "integer(c_int64_t)"},
                           ValueKind{.name = "real",
                                     .type = "real(c_double)",
                                     .array = ValueType::reals,
                                     .setter = "epios_element_set_double",
                                     .item_to_c = "real(c_double)",
                                     .getter = "epios_element_get_double",
                                     .found = "real(c_double)",
                                     .is_for_xios = true},
                           ValueKind{.name = "single_real",
                                     .type = "real(c_float)",
                                     .array = ValueType::reals,
                                     .setter = "epios_element_set_double",
                                     .to_c = "real({value}, c_double)",
                                     .item_to_c = "real(c_double)",
                                     .is_widened = true,
                                     .getter = "epios_fortran_get_float",
                                     .found = "real(c_float)"}};

/// Returns the highest rank that an attribute of the kind has.
int most_dimensions(const ValueKind& kind) {
  int most = 1;
  for (const AttributeInfo& row : config::attribute_table()) {
    if (row.type == kind.array) most = std::max(most, rank_of(row));
  }
  return most;
}

using Words = std::vector<std::pair<std::string_view, std::string>>;

/// Returns a template in which "{word}" stands for what `words` has for it. A replacement may have
/// words that come later.
std::string filled(std::string_view text, const Words& words) {
  std::string out(text);
  for (const auto& [word, replacement] : words) {
    const std::string placeholder = fmt::format("{{{}}}", word);
    for (auto at = out.find(placeholder); at != std::string::npos; at = out.find(placeholder)) {
      out.replace(at, placeholder.size(), replacement);
    }
  }
  return out;
}

/// Returns the lines of `select rank` in which an array becomes a row, or a row an array.
std::string ranks(const ValueKind& kind, std::string_view first, std::string_view other) {
  std::string out;
  for (int rank = 1; rank <= most_dimensions(kind); ++rank) {
    out += fmt::format("      rank ({}); {}\n", rank, rank == 1 ? first : other);
  }
  return out;
}

Words words_of(const ValueKind& kind) {
  return {
      {"packing", ranks(kind, "row = {row_to_c}", "row = pack({row_to_c}, .true.)")},
      {"unpacking", ranks(kind, "values = {from_c}", "values = reshape({from_c}, shape(values))")},
      {"name", std::string(kind.name)},
      {"type", std::string(kind.type)},
      {"setter", std::string(kind.setter)},
      {"to_c", std::string(kind.to_c)},
      {"row_to_c", filled(kind.row_to_c, {{"value", "values"}})},
      {"item_to_c", std::string(kind.item_to_c)},
      {"getter", std::string(kind.getter)},
      {"found_type", std::string(kind.found)},
      {"found_item", std::string(kind.found_item)},
      {"from_c", std::string(kind.from_c)}};
}

/// Prints a template. `words` come first.
void print(std::string_view text, Words words, const Words& more = {}) {
  words.insert(words.end(), more.begin(), more.end());
  std::fputs(filled(text.substr(1), words).c_str(), stdout);  // behind the first end of a line
}

void print_c_functions() {
  for (const ValueKind& kind : kinds) {
    if (!kind.is_widened) {
      print(R"(
    integer(c_int) function {setter}(element, attribute, value) bind(c)
      import
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      {found_type}, value :: value
    end function
    integer(c_int) function {setter}s(element, attribute, values, rank, shape) bind(c)
      import
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      {item_to_c}, intent(in) :: values(*)
      integer(c_int), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
    end function
)",
            words_of(kind));
    }
    print(R"(
    integer(c_int) function {getter}(element, attribute, value) bind(c)
      import
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      {found_type}, intent(inout) :: value
    end function
    integer(c_int) function {getter}s(element, attribute, values, capacity) bind(c)
      import
      type(c_element), value :: element
      character(kind=c_char), intent(in) :: attribute(*)
      {found_item}, intent(inout) :: values(*)
      integer(c_int64_t), value :: capacity
    end function
)",
          words_of(kind));
  }
}

void print_xios_handles() {
  for (const Handle& handle : handles()) {
    if (is_transformation(handle.kind)) continue;
    print(R"(
  type, public :: xios_{name}
    integer(c_intptr_t) :: daddr = 0
  end type
)",
          {{"name", handle.name}});
  }
}

void print_xios_values() {
  for (const ValueKind& kind : kinds) {
    if (!kind.is_for_xios) continue;
    print(R"(

  subroutine put_{name}(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    {type}, intent(in) :: value

    call check({setter}(element, attribute, {to_c}))
  end subroutine put_{name}

  subroutine put_{name}s(element, attribute, values)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    {type}, intent(in) :: values(..)
    {item_to_c}, allocatable :: row(:)

    allocate(row(size(values)))
    select rank (values)
{packing}    end select
    call check({setter}s(element, attribute, row, rank(values), shape(values, kind=c_int64_t)))
  end subroutine put_{name}s

  subroutine fetch_{name}(element, attribute, value)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    {type}, intent(out) :: value
    {found_type} :: found

    call check({getter}(element, attribute, found))
    value = {from_c}
  end subroutine fetch_{name}

  subroutine fetch_{name}s(element, attribute, values)
    type(c_element), intent(in) :: element
    character(len=*), intent(in) :: attribute
    {type}, intent(out) :: values(..)
    {found_item}, allocatable :: found(:)

    call check_shape(element, attribute, shape(values, kind=c_int64_t))
    allocate(found(size(values)))
    call check({getter}s(element, attribute, found, size(found, kind=c_int64_t)))
    select rank (values)
{unpacking}    end select
  end subroutine fetch_{name}s
)",
          words_of(kind), {{"value", "value"}});
  }
}

void print_xios_grid_elements() {
  for (const std::string kind : {"domain", "axis", "scalar"}) {
    print(R"(

  subroutine field_get_{kind}_handle(field_hdl, ret, idx)
    type(xios_field), intent(in) :: field_hdl
    type(xios_{kind}), intent(out) :: ret
    integer, intent(in), optional :: idx

    ret%daddr = grid_element(field_hdl%daddr, '{kind}', idx)
  end subroutine field_get_{kind}_handle

  subroutine field_id_get_{kind}_handle(field_id, ret, idx)
    character(len=*), intent(in) :: field_id
    type(xios_{kind}), intent(out) :: ret
    integer, intent(in), optional :: idx

    ret%daddr = grid_element(handle_at('field', field_id), '{kind}', idx)
  end subroutine field_id_get_{kind}_handle
)",
          {{"kind", kind}});
  }
}

void print_xios_products() {
  struct Number {
    std::string name, type;
  };
  for (const auto& [name, type] : {Number{"real8", "real(c_double)"},
                                   Number{"real4", "real(c_float)"}, Number{"int", "integer"}}) {
    print(R"(

  elemental function {name}_duration_mult(val, dur) result(product)
    {type}, intent(in) :: val
    type(xios_duration), intent(in) :: dur
    type(xios_duration) :: product

    product = times(real(val, c_double), dur)
  end function {name}_duration_mult

  elemental function duration_{name}_mult(dur, val2) result(product)
    type(xios_duration), intent(in) :: dur
    {type}, intent(in) :: val2
    type(xios_duration) :: product

    product = times(real(val2, c_double), dur)
  end function duration_{name}_mult
)",
          {{"name", name}, {"type", type}});
  }
}

void print_bindings(std::string_view generic, const std::vector<std::string>& procedures) {
  for (const std::string& procedure : procedures) {
    fmt::print("    procedure, private :: {}\n    generic :: {} => {}\n", procedure, generic,
               procedure);
  }
}

void print_element_bindings() {
  std::vector<std::string> setters, getters;
  for (const ValueKind& kind : kinds) {
    setters.push_back(fmt::format("element_set_{}s", kind.name));
    getters.push_back(fmt::format("element_get_{}", kind.name));
    for (int rank = 1; rank <= most_dimensions(kind); ++rank) {
      getters.push_back(fmt::format("element_get_{}s_{}d", kind.name, rank));
    }
  }
  print_bindings("set", setters);
  print_bindings("get", getters);
}

void print_element_setter(const ValueKind& kind) {
  print(R"(

  subroutine element_set_{name}s(self, attribute, values, shape, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    {type}, intent(in) :: values(..)
    integer, intent(in), optional :: shape(:)
    integer, intent(out), optional :: ierr
    {item_to_c}, allocatable :: row(:)
    integer(c_int64_t), allocatable :: extents(:)

    select rank (values)
      rank (0)
        call finish({setter}(self%handle, c_text(attribute), {to_c}), ierr, self%client)
        return
{packing}    end select
    if (.not. allocated(row)) allocate (row(0))  ! of a rank that no attribute has
    allocate (extents, source=extents_of(values, shape))
    call finish({setter}s(self%handle, c_text(attribute), row, size(extents, kind=c_int), extents), ierr, &
                self%client)
  end subroutine element_set_{name}s
)",
        words_of(kind), {{"value", "values"}});
}

void print_element_getters(const ValueKind& kind) {
  print(R"(

  subroutine element_get_{name}(self, attribute, value, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    {type}, intent(out) :: value
    integer, intent(out), optional :: ierr
    {found_type} :: found
    integer(c_int) :: code

    found = 0
    code = {getter}(self%handle, c_text(attribute), found)
    value = {from_c}
    call finish(code, ierr, self%client)
  end subroutine element_get_{name}
)",
        words_of(kind));
  for (int rank = 1; rank <= most_dimensions(kind); ++rank) {
    print(R"(

  subroutine element_get_{name}s_{rank}d(self, attribute, values, ierr)
    class(epios_element), intent(in) :: self
    character(len=*), intent(in) :: attribute
    {type}, allocatable, intent(out) :: values{colons}
    integer, intent(out), optional :: ierr
    {found_item}, allocatable :: found(:)
    integer(c_int64_t) :: extents(7)
    integer(c_int) :: code

    extents = 0
    code = epios_fortran_shape_for(self%handle, c_text(attribute), {rank}_c_int, extents)
    if (code /= epios_success) extents = 0  ! an array without values
    allocate (found(product(extents(:{rank}))))
    found = 0
    if (code == epios_success) then
      code = {getter}s(self%handle, c_text(attribute), found, size(found, kind=c_int64_t))
    end if
    values = reshape({from_c}, extents(:{rank}))
    call finish(code, ierr, self%client)
  end subroutine element_get_{name}s_{rank}d
)",
          words_of(kind), {{"rank", std::to_string(rank)}, {"colons", colons(rank)}});
  }
}

void print_element_values() {
  for (const ValueKind& kind : kinds) {
    print_element_setter(kind);
    print_element_getters(kind);
  }
}

/// The kinds of arrays that are sent, and what C calls them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> array_kinds{
    {{"r8", "double"}, {"r4", "float"}}};

template <class Use>
void for_array_kinds(const Use& use) {
  for (const auto& [name, in_c] : array_kinds) {
    use(Words{{"name", std::string(name)}, {"c", std::string(in_c)}});
  }
}

void print_field_transfers() {
  for_array_kinds([](const Words& words) {
    print(R"(

  subroutine field_send_{name}(self, data, tile, ierr)
    class(epios_field), intent(in) :: self
    real(c_{c}), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send_field(self%handle, data, tile), ierr, self%client)
  end subroutine field_send_{name}

  subroutine field_borrow_{name}(self, row, ierr)
    class(epios_field), intent(in) :: self
    real(c_{c}), pointer, contiguous, intent(out) :: row(:)
    integer, intent(out), optional :: ierr
    type(c_ptr) :: address
    integer(c_int64_t) :: count

    nullify (row)
    address = c_null_ptr
    call finish(epios_field_borrow_{c}(self%handle, address, count), ierr, self%client)
    if (c_associated(address)) call c_f_pointer(address, row, [count])
  end subroutine field_borrow_{name}

  subroutine field_receive_{name}(self, data, ierr)
    class(epios_read_field), intent(in) :: self
    real(c_{c}), intent(inout) :: data(..)
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_receive_field(self%handle, data), ierr, self%client)
  end subroutine field_receive_{name}
)",
          words);
  });
}

void print_context_transfers() {
  for_array_kinds([](const Words& words) {
    print(R"(

  subroutine context_send_{name}(self, id, data, tile, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_{c}), intent(in) :: data(..)
    integer, intent(in), optional :: tile
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_send(self%handle, id, len(id, c_size_t), data, tile), ierr, self%client)
  end subroutine context_send_{name}

  subroutine context_receive_{name}(self, id, data, ierr)
    class(epios_context), intent(in) :: self
    character(len=*), intent(in) :: id
    real(c_{c}), intent(inout) :: data(..)
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_receive(self%handle, id, len(id, c_size_t), data), ierr, self%client)
  end subroutine context_receive_{name}
)",
          words);
  });
}

struct Part {
  std::string_view name;
  void (*print)();
};
constexpr std::array<Part, 9> parts{{
    {"c_functions", print_c_functions},
    {"xios_handles", print_xios_handles},
    {"xios_values", print_xios_values},
    {"xios_grid_elements", print_xios_grid_elements},
    {"xios_products", print_xios_products},
    {"element_bindings", print_element_bindings},
    {"element_values", print_element_values},
    {"field_transfers", print_field_transfers},
    {"context_transfers", print_context_transfers},
}};

}  // namespace
}  // namespace epios::fortran

int main(int argc, char** argv) {
  for (const epios::fortran::Part& part : epios::fortran::parts) {
    if (argc != 2 || part.name != argv[1]) continue;
    fmt::print("! Generated by generate_values.\n");
    part.print();
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
  fmt::print(stderr, "usage: generate_values PART\n");
  return 1;
}
