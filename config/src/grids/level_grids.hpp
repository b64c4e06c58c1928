/// @file
/// Grids of the coarser levels of a hierarchy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "language/inheritance.hpp"

namespace epios::config {

/// Adds domains and grids of coarser levels to a copy of a context. Fields on the same grid share
/// them.
class LevelGrids {
 public:
  /// `inheritance` is that of `written`, of which `store` is a copy.
  LevelGrids(const ContextStore& written, Inheritance& inheritance, ContextStore& store)
      : written_(written), inheritance_(inheritance), store_(store) {}

  /// How each level is made from the finer one.
  struct Rule {
    std::string operation;
    double min_valid_share = 0;
    std::string place;  ///< empty: that of the last transformation of the finest domain
    Origin origin;      ///< place of the hierarchy
  };

  /// Returns the field that says which grid the data of a field comes on: the field itself, else an
  /// operand of its expression; -1 if none does.
  int grid_owner(int field);
  /// Returns the grid that the owner of a field's grid names, also through "field::"; -1 if it
  /// names none.
  int named_grid(int owner);
  /// Returns false if something that the grid of such a field refers to is not there, which is
  /// reported elsewhere.
  bool is_known(int owner);
  /// Returns the domains of the grid of such a field.
  std::vector<int> domains(int owner);
  /// Returns the number of levels that a domain can have, itself counted, as far as its size is
  /// known.
  std::optional<std::int64_t> most_levels(int domain);
  /// Returns a word of a domain's attributes, or "".
  std::string word(int domain, const char* attribute);

  /// Gives `field` of the store the grid of `owner` on a level, from 1 on.
  void set_grid(int field, int owner, std::int64_t level, const Rule& rule);

 private:
  int domain_of_level(int domain, std::int64_t level, const Rule& rule);
  int grid_of_level(int grid, std::int64_t level, const Rule& rule);
  /// Returns the element that a nameless one of a grid only refers to, or itself.
  int standing_for(int element);
  /// Returns true if servers make what lies on a domain.
  bool is_made_on_servers(int domain);
  std::string free_id(ElementKind kind, const std::string& wanted) const;
  void set(int node, const char* attribute, Value value, const Origin& origin);

  using Key = std::tuple<int, std::int64_t, std::string, double, std::string>;
  const ContextStore& written_;
  Inheritance& inheritance_;
  ContextStore& store_;
  std::map<Key, int> domains_;
  std::map<Key, int> grids_;
};

}  // namespace epios::config
