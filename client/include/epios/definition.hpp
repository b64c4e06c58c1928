/// @file
/// Elements of a configuration in C++: a thin, header-only façade over <epios/definition.h>. Each
/// method has the pre- and postconditions of the C function that its comment names; a failure is an
/// Error.
#pragma once

#include <epios/definition.h>
#include <epios/epios.h>

#include <cstddef>
#include <cstdint>
#include <epios/error.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace epios::client {

/// Extents of an array argument. Throws Error if their product differs from the number of values.
class ArrayShape {
 public:
  ArrayShape(std::size_t count, std::initializer_list<std::int64_t> shape) : extents_(shape) {
    if (extents_.empty()) extents_.push_back(static_cast<std::int64_t>(count));
    std::int64_t volume = 1;
    for (const std::int64_t extent : extents_) volume *= extent;
    if (volume != static_cast<std::int64_t>(count)) {
      fail(EPIOS_ERR_ARGUMENT, "array has " + std::to_string(count) + " values (its shape holds " +
                                   std::to_string(volume) +
                                   "). Does the shape list every dimension?");
    }
  }
  int rank() const { return static_cast<int>(extents_.size()); }
  const std::int64_t* data() const { return extents_.data(); }

 private:
  std::vector<std::int64_t> extents_;
};

/// A handle to an element, a group or a definition element of a context (<epios/definition.h>). It
/// may be copied and is valid as long as its context.
class Element {
 public:
  /// Adds or reopens a child (epios_child). Makes up an id if none is given.
  Element child(const std::string& tag, const std::string& id = "") const {
    Element out;
    check(epios_child(handle_, tag.c_str(), id.c_str(), &out.handle_));
    return out;
  }
  /// Returns the id (epios_element_id).
  std::string id() const {
    std::string text(1024, '\0');
    check(epios_element_id(handle_, text.data(), text.size()));
    text.resize(text.find('\0'));
    return text;
  }

  /// Set an attribute (epios_element_set_text and its siblings). Each returns the element, so that
  /// calls can be chained.
  const Element& set(const std::string& attribute, const char* text) const {
    check(epios_element_set_text(handle_, attribute.c_str(), text));
    return *this;
  }
  const Element& set(const std::string& attribute, const std::string& text) const {
    return set(attribute, text.c_str());
  }
  const Element& set(const std::string& attribute, bool value) const {
    check(epios_element_set_bool(handle_, attribute.c_str(), value ? 1 : 0));
    return *this;
  }
  const Element& set(const std::string& attribute, std::int64_t value) const {
    check(epios_element_set_int(handle_, attribute.c_str(), value));
    return *this;
  }
  const Element& set(const std::string& attribute, int value) const {
    return set(attribute, static_cast<std::int64_t>(value));
  }
  const Element& set(const std::string& attribute, double value) const {
    check(epios_element_set_double(handle_, attribute.c_str(), value));
    return *this;
  }
  const Element& set(const std::string& attribute, const epios_duration& value) const {
    check(epios_element_set_duration(handle_, attribute.c_str(), value));
    return *this;
  }
  /// Set an array, first index fastest. Without a shape it has one dimension.
  const Element& set(const std::string& attribute, std::span<const double> values,
                     std::initializer_list<std::int64_t> shape = {}) const {
    const ArrayShape s(values.size(), shape);
    check(epios_element_set_doubles(handle_, attribute.c_str(), values.data(), s.rank(), s.data()));
    return *this;
  }
  const Element& set(const std::string& attribute, std::span<const std::int64_t> values,
                     std::initializer_list<std::int64_t> shape = {}) const {
    const ArrayShape s(values.size(), shape);
    check(epios_element_set_ints(handle_, attribute.c_str(), values.data(), s.rank(), s.data()));
    return *this;
  }
  const Element& set(const std::string& attribute, std::span<const unsigned char> values,
                     std::initializer_list<std::int64_t> shape = {}) const {
    const ArrayShape s(values.size(), shape);
    check(epios_element_set_bools(handle_, attribute.c_str(), values.data(), s.rank(), s.data()));
    return *this;
  }
  const Element& set(const std::string& attribute, const std::vector<std::string>& texts) const {
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    check(epios_element_set_texts(handle_, attribute.c_str(), pointers.data(),
                                  static_cast<std::int64_t>(pointers.size())));
    return *this;
  }

  /// Returns true if the attribute has a value (epios_element_is_defined).
  bool is_defined(const std::string& attribute) const {
    int defined = 0;
    check(epios_element_is_defined(handle_, attribute.c_str(), &defined));
    return defined != 0;
  }
  /// Returns the kind of the value, which must be there (epios_element_kind).
  epios_value_kind kind(const std::string& attribute) const {
    epios_value_kind out = EPIOS_VALUE_TEXT;
    check(epios_element_kind(handle_, attribute.c_str(), &out));
    return out;
  }
  /// Returns the extents of the value, none for a single value (epios_element_shape).
  std::vector<std::int64_t> shape(const std::string& attribute) const {
    int rank = 0;
    std::int64_t extents[7];
    check(epios_element_shape(handle_, attribute.c_str(), &rank, extents));
    return {extents, extents + rank};
  }
  /// Returns the value as T, or nullopt if there is none. T is std::string (any attribute, in XML
  /// syntax), bool, int, std::int64_t, double, epios_duration, or a vector of unsigned char,
  /// std::int64_t, double or std::string.
  template <class T>
  std::optional<T> get(const std::string& attribute) const {
    if (!is_defined(attribute)) return std::nullopt;
    T value{};
    read(attribute, value);
    return value;
  }

  epios_element get() const noexcept { return handle_; }

 private:
  friend class Context;
  Element() = default;

  void read(const std::string& attribute, std::string& value) const {
    std::int64_t length = 0;
    check(epios_element_text_length(handle_, attribute.c_str(), &length));
    value.resize(static_cast<std::size_t>(length) + 1);
    check(epios_element_get_text(handle_, attribute.c_str(), value.data(), value.size()));
    value.pop_back();
  }
  void read(const std::string& attribute, bool& value) const {
    int number = 0;
    check(epios_element_get_bool(handle_, attribute.c_str(), &number));
    value = number != 0;
  }
  void read(const std::string& attribute, std::int64_t& value) const {
    check(epios_element_get_int(handle_, attribute.c_str(), &value));
  }
  void read(const std::string& attribute, int& value) const {
    std::int64_t wide = 0;
    read(attribute, wide);
    value = static_cast<int>(wide);
    if (value != wide)
      fail(EPIOS_ERR_ARGUMENT, "attribute '" + attribute + "' is " + std::to_string(wide) +
                                   " (too large for an int). Read it as std::int64_t?");
  }
  void read(const std::string& attribute, double& value) const {
    check(epios_element_get_double(handle_, attribute.c_str(), &value));
  }
  void read(const std::string& attribute, epios_duration& value) const {
    check(epios_element_get_duration(handle_, attribute.c_str(), &value));
  }
  void read(const std::string& attribute, std::vector<std::string>& values) const {
    std::int64_t length = 0;  // length of all texts together
    check(epios_element_text_length(handle_, attribute.c_str(), &length));
    resize(attribute, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].resize(static_cast<std::size_t>(length) + 1);
      check(epios_element_get_item(handle_, attribute.c_str(), static_cast<std::int64_t>(i),
                                   values[i].data(), values[i].size()));
      values[i].resize(values[i].find('\0'));
    }
  }
  void read(const std::string& attribute, std::vector<unsigned char>& values) const {
    resize(attribute, values);
    check(epios_element_get_bools(handle_, attribute.c_str(), values.data(),
                                  static_cast<std::int64_t>(values.size())));
  }
  void read(const std::string& attribute, std::vector<std::int64_t>& values) const {
    resize(attribute, values);
    check(epios_element_get_ints(handle_, attribute.c_str(), values.data(),
                                 static_cast<std::int64_t>(values.size())));
  }
  void read(const std::string& attribute, std::vector<double>& values) const {
    resize(attribute, values);
    check(epios_element_get_doubles(handle_, attribute.c_str(), values.data(),
                                    static_cast<std::int64_t>(values.size())));
  }
  template <class T>
  void resize(const std::string& attribute, std::vector<T>& values) const {
    std::int64_t volume = 1;
    for (const std::int64_t extent : shape(attribute)) volume *= extent;
    values.resize(static_cast<std::size_t>(volume));
  }

  epios_element handle_{nullptr, -1};
};

}  // namespace epios::client
