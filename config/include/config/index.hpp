/// @file
/// Indices that know what they number. An Index of grids neither compares with an Index of fields
/// nor finds anything in a vector of fields; both are as cheap as the int that they hold. The names
/// are in `epios` itself, because all modules use them.
///
///     using GridId = Index<Grid>;
///     IndexedVector<GridId, Grid> grids;
///     const GridId first = grids.push_back({});
///     for (const GridId g : grids.ids()) print(grids[g]);
#pragma once

#include <fmt/core.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace epios {

/// The number of a thing among its like, from 0 on, or -1 for none. `Tag` says of what; it may be
/// an incomplete type. Converts to int by itself, but never from int or from another Index.
template <class Tag>
class Index {
 public:
  /// Makes the index of nothing, which is less than all others.
  constexpr Index() = default;
  constexpr explicit Index(int number) : number_(number) {}
  template <class Other>
  requires(!std::same_as<Tag, Other>) explicit Index(Index<Other>) = delete;

  // NOLINTNEXTLINE(google-explicit-constructor): an index may be printed, sent and counted with
  constexpr operator int() const { return number_; }

  constexpr Index& operator++() {
    ++number_;
    return *this;
  }
  constexpr Index operator++(int) {
    const Index before = *this;
    ++number_;
    return before;
  }
  friend constexpr bool operator==(Index, Index) = default;
  friend constexpr auto operator<=>(Index, Index) = default;

 private:
  int number_ = -1;
};

template <class A, class B>
requires(!std::same_as<A, B>) bool operator==(Index<A>, Index<B>) = delete;
template <class A, class B>
requires(!std::same_as<A, B>) std::strong_ordering operator<=>(Index<A>, Index<B>) = delete;

template <class T>
inline constexpr bool is_typed_index = false;
template <class Tag>
inline constexpr bool is_typed_index<Index<Tag>> = true;

/// All indices below an end, for range-for.
template <class Id>
class IdRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Id;
    using difference_type = std::ptrdiff_t;
    using pointer = const Id*;
    using reference = Id;

    Iterator() = default;
    constexpr explicit Iterator(Id id) : id_(id) {}
    constexpr Id operator*() const { return id_; }
    constexpr Iterator& operator++() {
      ++id_;
      return *this;
    }
    constexpr Iterator operator++(int) { return Iterator(id_++); }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Id id_{};
  };

  constexpr explicit IdRange(Id end) : end_(end) {}
  constexpr Iterator begin() const { return Iterator(Id(0)); }
  constexpr Iterator end() const { return Iterator(end_); }

 private:
  Id end_;
};

/// A std::vector whose elements are found by `Id`: an Index, or int where things are numbered only
/// within one function. Where standard algorithms need an offset, begin() has one. With
/// _GLIBCXX_ASSERTIONS an index that is not in the vector ends the program. Local.
template <class Id, class T>
class IndexedVector : private std::vector<T> {
  using Items = std::vector<T>;
  struct Constant {
    // NOLINTNEXTLINE(google-explicit-constructor): compiles for constants only
    consteval Constant(int number) : value(static_cast<std::size_t>(number)) {}
    std::size_t value;
  };

 public:
  using typename Items::const_iterator;
  using typename Items::const_reference;
  using typename Items::difference_type;
  using typename Items::iterator;
  using typename Items::reference;
  using typename Items::size_type;
  using typename Items::value_type;

  using Items::Items;
  IndexedVector() = default;
  IndexedVector(std::initializer_list<T> items) : Items(items) {}
  /// Takes the items of a vector, in their order.
  explicit IndexedVector(Items items) : Items(std::move(items)) {}

  using Items::assign;
  using Items::at;
  using Items::back;
  using Items::begin;
  using Items::clear;
  using Items::data;
  using Items::emplace_back;
  using Items::empty;
  using Items::end;
  using Items::erase;
  using Items::front;
  using Items::insert;
  using Items::pop_back;
  using Items::rbegin;
  using Items::rend;
  using Items::reserve;
  using Items::resize;
  using Items::size;

  /// The same as a plain vector.
  const Items& items() const { return *this; }

  reference operator[](Id id) { return Items::operator[](position(id)); }
  const_reference operator[](Id id) const { return Items::operator[](position(id)); }
  /// Finds by a number that is written in the source: `grids[0]` cannot mix up indices.
  reference operator[](Constant number) { return Items::operator[](number.value); }
  const_reference operator[](Constant number) const { return Items::operator[](number.value); }
  /// Finds by an offset from begin(), like that of an algorithm; see nth() below.
  reference nth(std::size_t offset) { return Items::operator[](offset); }
  const_reference nth(std::size_t offset) const { return Items::operator[](offset); }
  template <class Other>
  requires(!std::same_as<Id, Index<Other>>) const_reference operator[](Index<Other>) const = delete;

  /// True for the index of an item, false for -1 and for what is behind the last one.
  bool contains(Id id) const { return number(id) >= 0 && position(id) < size(); }
  /// Returns the index that the next item gets.
  Id end_id() const { return Id(static_cast<int>(size())); }
  /// Returns the index of the last item, or none (-1).
  Id last_id() const { return Id(static_cast<int>(size()) - 1); }
  /// Returns the indices of all items, in their order.
  IdRange<Id> ids() const { return IdRange<Id>(end_id()); }
  Id push_back(T item) {
    Items::push_back(std::move(item));
    return last_id();
  }

  friend bool operator==(const IndexedVector& a, const IndexedVector& b) {
    return a.items() == b.items();
  }

 private:
  static int number(Id id) { return id; }
  static std::size_t position(Id id) { return static_cast<std::size_t>(number(id)); }
};

/// Returns item `i`, from 0 on, of a vector, an array or a span without indices of its own:
/// `items[i]` without a cast. Of an IndexedVector it is the way to find by a plain offset, which
/// can be mixed up. With _GLIBCXX_ASSERTIONS a negative number ends the program.
template <class Items, class Number>
requires(std::integral<Number> || std::is_enum_v<Number> ||
         is_typed_index<Number>) constexpr decltype(auto) nth(Items&& items, Number i) {
  const auto offset = static_cast<std::size_t>(static_cast<std::int64_t>(i));
  if constexpr (requires { items.nth(offset); } && is_typed_index<Number>) {
    return std::forward<Items>(items)[i];  // of the right type, or it does not compile
  } else if constexpr (requires { items.nth(offset); }) {
    return items.nth(offset);
  } else {
    return std::forward<Items>(items)[offset];
  }
}

}  // namespace epios

template <class Tag>
struct std::hash<epios::Index<Tag>> {
  std::size_t operator()(epios::Index<Tag> id) const noexcept { return std::hash<int>()(id); }
};

template <class Tag>
struct fmt::formatter<epios::Index<Tag>> : fmt::formatter<int> {
  template <class Context>
  auto format(epios::Index<Tag> id, Context& context) const {
    return fmt::formatter<int>::format(id, context);
  }
};
