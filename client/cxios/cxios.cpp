#include "cxios.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

namespace epios::cxios {
namespace {

std::vector<std::int64_t> shape_of(const int* extents, int rank) {
  return {extents, extents + rank};
}

/// Returns 0 for invalid extents, which the call that gets them refuses.
std::size_t count_of(const int* extents, int rank) {
  std::size_t count = 1;
  for (int d = 0; d < rank; ++d) count *= static_cast<std::size_t>(std::max(extents[d], 0));
  return count;
}

/// Returns the element if the attribute has the shape of the given array.
epios_element checked_element(Handle handle, const char* attribute, const int* extents, int rank) {
  const epios_element element = element_of(handle);
  check(epios_xios_check_shape(element, attribute, rank, shape_of(extents, rank).data()));
  return element;
}

std::int64_t product(std::initializer_list<int> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

epios_field found(const Field& field) {
  epios_field out{};
  check(epios_find_field(field.context, field.id.c_str(), &out));
  return out;
}

}  // namespace

void check(int code) {
  if (code != EPIOS_SUCCESS) epios_xios_fail();
}

std::string text_of(const char* text, int length) {
  if (text == nullptr || length <= 0) return {};
  const std::string_view all(text, static_cast<std::size_t>(length));
  const std::size_t end = all.find_last_not_of(' ');
  return end == std::string_view::npos ? std::string() : std::string(all.substr(0, end + 1));
}

epios_element element_of(Handle handle) {
  epios_element element{};
  check(epios_xios_element(reinterpret_cast<std::intptr_t>(handle), &element));
  return element;
}

Handle handle_of(const epios_element& element) {
  std::intptr_t number = 0;
  check(epios_xios_handle(element, &number));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): models hold an address, we a number
  return reinterpret_cast<Handle>(number);
}

Handle handle_at(const char* tag, const char* id, int length) {
  epios_element element{};
  check(epios_xios_at(tag, text_of(id, length).c_str(), &element));
  return handle_of(element);
}

bool has(const char* tag, const char* id, int length) {
  int found = 0;
  check(epios_xios_has(tag, text_of(id, length).c_str(), &found));
  return found != 0;
}

Handle add_child(Handle parent, const char* tag, const char* id, int length) {
  epios_element child{};
  check(epios_child(element_of(parent), tag, text_of(id, length).c_str(), &child));
  return handle_of(child);
}

bool is_defined(Handle handle, const char* attribute) {
  int defined = 0;
  check(epios_element_is_defined(element_of(handle), attribute, &defined));
  return defined != 0;
}

void set_text(Handle handle, const char* attribute, const char* text, int length) {
  check(epios_element_set_text(element_of(handle), attribute, text_of(text, length).c_str()));
}

void get_text(Handle handle, const char* attribute, char* text, int size) {
  const epios_element element = element_of(handle);
  put_text(
      [&](char* out, std::size_t capacity) {
        return epios_element_get_text(element, attribute, out, capacity);
      },
      text, size);
}

void set_texts(Handle handle, const char* attribute, const char* texts, int length, int extent) {
  std::vector<std::string> own(static_cast<std::size_t>(std::max(extent, 0)));
  std::vector<const char*> pointers(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = text_of(texts + i * static_cast<std::size_t>(length), length);
    pointers[i] = own[i].c_str();
  }
  check(epios_element_set_texts(element_of(handle), attribute, pointers.data(), extent));
}

void get_texts(Handle handle, const char* attribute, char* texts, int size, int extent) {
  const epios_element element = checked_element(handle, attribute, &extent, 1);
  for (int i = 0; i < extent; ++i) {
    put_text(
        [&](char* out, std::size_t capacity) {
          return epios_element_get_item(element, attribute, i, out, capacity);
        },
        texts + std::ptrdiff_t{i} * size, size);
  }
}

void set(Handle handle, const char* attribute, bool value) {
  check(epios_element_set_bool(element_of(handle), attribute, value ? 1 : 0));
}

void set(Handle handle, const char* attribute, int value) {
  check(epios_element_set_int(element_of(handle), attribute, value));
}

void set(Handle handle, const char* attribute, double value) {
  check(epios_element_set_double(element_of(handle), attribute, value));
}

void set(Handle handle, const char* attribute, const cxios_duration& value) {
  check(epios_element_set_duration(element_of(handle), attribute,
                                   {value.year, value.month, value.day, value.hour, value.minute,
                                    value.second, value.timestep}));
}

void get(Handle handle, const char* attribute, bool* value) {
  int found = 0;
  check(epios_element_get_bool(element_of(handle), attribute, &found));
  *value = found != 0;
}

void get(Handle handle, const char* attribute, int* value) {
  std::int64_t found = 0;
  check(epios_element_get_int(element_of(handle), attribute, &found));
  check(epios_fortran_narrow_ints(&found, 1, value));
}

void get(Handle handle, const char* attribute, double* value) {
  check(epios_element_get_double(element_of(handle), attribute, value));
}

void get(Handle handle, const char* attribute, cxios_duration* value) {
  epios_duration found{};
  check(epios_element_get_duration(element_of(handle), attribute, &found));
  *value = {found.year,   found.month,  found.day,     found.hour,
            found.minute, found.second, found.timestep};
}

void set_array(Handle handle, const char* attribute, const bool* values, const int* extents,
               int rank) {
  const std::vector<unsigned char> flags(values, values + count_of(extents, rank));
  check(epios_element_set_bools(element_of(handle), attribute, flags.data(), rank,
                                shape_of(extents, rank).data()));
}

void set_array(Handle handle, const char* attribute, const int* values, const int* extents,
               int rank) {
  const std::vector<std::int64_t> wide(values, values + count_of(extents, rank));
  check(epios_element_set_ints(element_of(handle), attribute, wide.data(), rank,
                               shape_of(extents, rank).data()));
}

void set_array(Handle handle, const char* attribute, const double* values, const int* extents,
               int rank) {
  check(epios_element_set_doubles(element_of(handle), attribute, values, rank,
                                  shape_of(extents, rank).data()));
}

void get_array(Handle handle, const char* attribute, bool* values, const int* extents, int rank) {
  std::vector<unsigned char> flags(count_of(extents, rank));
  check(epios_element_get_bools(checked_element(handle, attribute, extents, rank), attribute,
                                flags.data(), std::ssize(flags)));
  std::transform(flags.begin(), flags.end(), values, [](unsigned char flag) { return flag != 0; });
}

void get_array(Handle handle, const char* attribute, int* values, const int* extents, int rank) {
  std::vector<std::int64_t> wide(count_of(extents, rank));
  check(epios_element_get_ints(checked_element(handle, attribute, extents, rank), attribute,
                               wide.data(), std::ssize(wide)));
  check(epios_fortran_narrow_ints(wide.data(), std::ssize(wide), values));
}

void get_array(Handle handle, const char* attribute, double* values, const int* extents, int rank) {
  check(epios_element_get_doubles(checked_element(handle, attribute, extents, rank), attribute,
                                  values, static_cast<std::int64_t>(count_of(extents, rank))));
}

void send(const Field& field, const double* data, std::initializer_list<int> extents, int tile) {
  if (tile < 0) {
    check(epios_send_double(field.context, field.id.c_str(), data, product(extents)));
  } else {
    check(epios_field_send_tile_double(found(field), tile, data, product(extents)));
  }
}

void send(const Field& field, const float* data, std::initializer_list<int> extents, int tile) {
  if (tile < 0) {
    check(epios_send_float(field.context, field.id.c_str(), data, product(extents)));
  } else {
    check(epios_field_send_tile_float(found(field), tile, data, product(extents)));
  }
}

void receive(const Field& field, double* data, std::initializer_list<int> extents) {
  check(epios_recv_double(field.context, field.id.c_str(), data, product(extents)));
}

void receive(const Field& field, float* data, std::initializer_list<int> extents) {
  check(epios_recv_float(field.context, field.id.c_str(), data, product(extents)));
}

Field field_of(const char* id, int length) {
  epios_element context{};
  check(epios_xios_current_context(&context));
  return {context.context, text_of(id, length)};
}

Field field_of(Handle field) {
  const epios_element element = element_of(field);
  std::array<char, 1024> id{};
  check(epios_element_id(element, id.data(), id.size()));
  return {element.context, id.data()};
}

}  // namespace epios::cxios
