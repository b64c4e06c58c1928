#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/definitions.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"

namespace epios::client {

/// The numbers by which the time loop knows fields, found by their ids and elements. Fields that
/// the model sends have the numbers of their sources, -1 if no file needs them. Fields that it
/// receives are numbered by themselves: first those of files, then results of the workflow, then
/// those of other contexts.
class FieldNumbers {
 public:
  /// Of a field that is neither sent nor known to be needed by nobody.
  static constexpr int none = -2;

  /// `model`: before sources of the statistics file are added to it. All outlive this.
  FieldNumbers(const std::string& context, const config::Definitions& definitions,
               const config::Model& model);
  /// Learns which fields are made of others. To be called once, before anything is asked.
  void find_operands();
  /// Learns the elements of the definitions, once inheritance is solved.
  void number_elements();

  std::string_view id(config::ElementHandle element) const {
    return definitions_.id(context_, element);
  }
  /// Returns how many sources the model may send.
  std::size_t sources() const { return source_count_; }
  /// Returns the number of a field that the model sends. Throws Error{argument} or
  /// Error{configuration} when it cannot be sent, with the reason.
  int sent(std::string_view id) const;
  int sent(config::ElementHandle element) const;
  /// Returns the same without an error, `none` if it is not sent.
  int find_sent(std::string_view id) const;
  int find_sent(config::ElementHandle element) const;
  /// Returns the number of a field that the model receives. Throws Error{argument} for another one.
  int received(std::string_view id) const;
  /// Returns the same without an error, `none` if it is not received.
  int find_received(std::string_view id) const;
  /// Returns the sources that a field is made of; null if it is not made of others.
  const std::vector<config::SourceId>* operands(std::string_view id) const;
  /// Returns why the field cannot be made; null if it can.
  const config::Unmade* unmade(std::string_view id) const;
  [[noreturn]] void refuse_unmade(const config::Unmade& unmade) const;

 private:
  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  template <class T>
  using ById = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;
  [[noreturn]] void refuse_sent(std::string_view id) const;

  const std::string& context_;
  const config::Definitions& definitions_;
  const config::Model& model_;
  std::size_t source_count_;
  int first_coupled_;
  ById<int> sent_;            // and -1 for fields that no file needs
  std::vector<int> by_node_;  // of elements
  ById<int> received_;
  ById<std::vector<config::SourceId>>
      operands_;  // what is sent, of each field that is made of others
};

}  // namespace epios::client
