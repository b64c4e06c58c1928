// Chooses algorithms: overrides first, then the cheapest usable one. Files and environment
// variables are read here, with messages that name what exists. In order: named costs, overrides,
// the choice, reading of overrides and costs, the environment.
#include "schedules/algorithm_choice.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <limits>
#include <list>
#include <mutex>
#include <set>
#include <sstream>

#include "process/error.hpp"

namespace ep {

namespace {

std::string all_collectives() {
  std::string names;
  for (std::size_t i = 0; i < collective_count; ++i) {
    if (i > 0) names += ", ";
    names += name_of(static_cast<Collective>(i));
  }
  return names;
}

void add_override(AlgorithmOverrides& overrides, Collective collective, std::string_view name,
                  std::string_view origin) {
  Algorithm algorithm{};
  if (!find_algorithm(collective, name, algorithm)) {
    fail(EP_ERR_ARG, origin, " asks for ", name_of(collective), " by '", name,
         "' (there are: ", names_of_algorithms(collective), ").");
  }
  overrides.set(collective, algorithm);
}

struct NamedCost {
  const char* name = "";
  double& value;
  const char* nearest = nullptr;  // the cost whose value this one gets if a file names only that
};

constexpr const char* cached_bytes_name = "cached_bytes";

std::array<NamedCost, 12> named(CostParameters& costs) {
  return {{{"inside.alpha_s", costs.inside.alpha_s},
           {"inside.beta_s_per_byte", costs.inside.beta_s_per_byte},
           {"between.alpha_s", costs.between.alpha_s},
           {"between.beta_s_per_byte", costs.between.beta_s_per_byte},
           {"one_way_s_per_byte", costs.one_way_s_per_byte, "between.beta_s_per_byte"},
           {"overhead_s", costs.overhead_s},
           {"gamma_s_per_byte", costs.gamma_s_per_byte},
           {cached_bytes_name, costs.cached_bytes},
           {"beyond.copied_s_per_byte", costs.beyond.copied_s, "inside.beta_s_per_byte"},
           {"beyond.exchanged_s_per_byte", costs.beyond.exchanged_s, "between.beta_s_per_byte"},
           {"beyond.one_way_s_per_byte", costs.beyond.one_way_s, "one_way_s_per_byte"},
           {"beyond.combined_s_per_byte", costs.beyond.combined_s, "gamma_s_per_byte"}}};
}

bool is_of(double value, const NamedCost& cost) {
  return value >= 0 && (cost.name == cached_bytes_name || value <= 1);
}

const char* expected_of(const NamedCost& cost) {
  return cost.name == cached_bytes_name ? "a number of bytes" : "seconds from 0 to 1";
}

std::string variable_of(Collective collective) {
  std::string name = "EP_ALGORITHM_";
  for (const char c : name_of(collective)) {
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace

void AlgorithmOverrides::complete(const AlgorithmOverrides& other) noexcept {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (overrides_[i] == none) overrides_[i] = other.overrides_[i];
  }
}

const CostModel& kept(const CostModel& model) {
  static std::mutex mutex;
  static std::list<CostModel> all;
  const std::lock_guard lock(mutex);
  const auto found = std::find(all.begin(), all.end(), model);
  return found != all.end() ? *found : all.emplace_back(model);
}

Algorithm choose(const CostModel& model, Collective collective, const Shape& shape,
                 std::int64_t bytes, AlgorithmSet usable) {
  if (model.overrides.has(collective) && usable.has(model.overrides.of(collective))) {
    return model.overrides.of(collective);
  }
  const CostParameters costs = model.costs.at(static_cast<double>(bytes));
  Algorithm best = algorithms_of(collective).front();
  double best_s = std::numeric_limits<double>::infinity();
  for (const Algorithm algorithm : algorithms_of(collective)) {
    if (!usable.has(algorithm)) continue;
    if (model.ignores_sizes) return algorithm;
    const double time_s = work_between(costs, collective, algorithm, shape, bytes).seconds(costs);
    if (time_s >= best_s) continue;
    best_s = time_s;
    best = algorithm;
  }
  return best;
}

AlgorithmOverrides parse_overrides(std::string_view text, std::string_view origin) {
  AlgorithmOverrides overrides;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      fail(EP_ERR_ARG, origin, " has '", entry,
           "' (expected collective=algorithm, several separated by commas).");
    }
    Collective collective{};
    if (!find_collective(entry.substr(0, equals), collective)) {
      fail(EP_ERR_ARG, origin, " names the collective '", entry.substr(0, equals),
           "' (there are: ", all_collectives(), ").");
    }
    add_override(overrides, collective, entry.substr(equals + 1), origin);
  }
  return overrides;
}

std::string known_overrides() {
  std::string text;
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    if (i > 0) text += ", ";
    text += std::string(name_of(collective)) + "=";
    for (const Algorithm algorithm : algorithms_of(collective)) {
      if (algorithm != algorithms_of(collective).front()) text += "|";
      text += name_of(algorithm);
    }
  }
  return text;
}

CostParameters read_costs(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail(EP_ERR_ARG, "cannot read the costs in ", path, ". Write them with ep_calibrate?");
  CostParameters costs;
  const auto known = named(costs);
  std::set<std::string_view> said;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    std::string value;
    if (!(words >> name)) continue;
    words >> value;
    const auto* const found = std::find_if(known.begin(), known.end(),
                                           [&](const NamedCost& one) { return name == one.name; });
    if (found == known.end()) {
      fail(EP_ERR_ARG, path, ":", number, ": unknown cost '", name, "'. Written by ep_calibrate?");
    }
    // The number is read independently of the program's locale.
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), found->value);
    if (error != std::errc{} || end != value.data() + value.size() ||
        !is_of(found->value, *found)) {
      fail(EP_ERR_ARG, path, ":", number, ": ", name, " is '", value, "' (expected ",
           expected_of(*found), ").");
    }
    said.insert(found->name);
  }
  // The table lists every cost after the one whose value it may get.
  for (const NamedCost& cost : known) {
    if (cost.nearest == nullptr || said.count(cost.name) > 0 || said.count(cost.nearest) == 0)
      continue;
    cost.value = std::find_if(known.begin(), known.end(), [&](const NamedCost& other) {
                   return std::string_view(other.name) == cost.nearest;
                 })->value;
    said.insert(cost.name);
  }
  return costs;
}

std::string write_costs(const CostParameters& costs) {
  CostParameters copy = costs;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << "# Costs of links and of combining, by ep_calibrate. EP_COSTS names this file.\n";
  for (const NamedCost& cost : named(copy)) {
    text << cost.name << " " << std::setprecision(6) << cost.value << "\n";
  }
  return text.str();
}

CostModel model_of_environment() {
  CostModel model;
  if (const char* const path = std::getenv("EP_COSTS"); path != nullptr && *path != '\0') {
    model.costs = read_costs(path);
  }
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    const std::string variable = variable_of(collective);
    const char* const name = std::getenv(variable.c_str());
    if (name != nullptr && *name != '\0') add_override(model.overrides, collective, name, variable);
  }
  const char* const checks = std::getenv("EP_CHECK_TYPES");
  model.ignores_sizes = checks != nullptr && std::atoi(checks) != 0;
  return model;
}

}  // namespace ep
