/// @file
/// The lock-free parts of the libraries as small programs, each with the orders of its source.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "weak_memory.hpp"

namespace epios::memory_model {

enum class Use : std::uint8_t { load, store, update, fence };

/// One place of the source that names an order.
struct Site {
  Use use;
  std::string_view file;
  std::string_view text;  ///< stands in the file, but for white space
  Order order;
  Order enough;               ///< the weakest that is right, if every other place is as it is
  std::string_view why = "";  ///< the source has a stronger one
};

inline constexpr std::string_view inbox_file = "ep_core/src/shm/inbox.cpp";

struct Model {
  std::string name;
  std::vector<Site> sites;
  /// Makes the program with one order for each site.
  std::function<void(Program&, const std::vector<Order>&)> build;
};

/// Prints a model where a test fails.
inline void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

std::vector<Model> ring_models();
std::vector<Model> waiting_models();
std::vector<Model> hand_over_models();

}  // namespace epios::memory_model
