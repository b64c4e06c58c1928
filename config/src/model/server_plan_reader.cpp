// Reads pools and services of context xios into a ServerPlan, so that a run and a check see the
// same mistakes. For each pool it claims its share of the servers and then shares these out to
// services; it also checks services inside services, and partitions.
#include "model/server_plan_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "language/attribute_fill.hpp"
#include "language/inheritance.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr std::array<std::string_view, 4> size_attributes{"nprocs", "global_fraction",
                                                          "remain_fraction", "remain"};

/// Not negative, of a word that is nothing else.
std::optional<int> number_of(std::string_view word) {
  int value = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  const bool is_number = error == std::errc{} && stopped == end && value >= 0;
  return is_number ? std::optional(value) : std::nullopt;
}

/// "3", "0-3"; names of nodes may have a '-', too.
std::optional<NodeChoice::Range> range_of(std::string_view word) {
  const std::size_t dash = word.find('-');
  const std::optional<int> first = number_of(word.substr(0, dash));
  const std::optional<int> last =
      dash == std::string_view::npos ? first : number_of(word.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return NodeChoice::Range{*first, *last};
}

class ServerPlanReader {
 public:
  ServerPlanReader(const ContextStore& store, Findings& findings)
      : store_(store), findings_(findings), inheritance_(store, findings) {}

  ServerPlan read() {
    ServerPlan plan;
    Names names;
    const int root = store_.root_of(ElementKind::pool);
    for (const int node : store_.elements_below(root, ElementKind::pool)) {
      const Node& element = store_.at(node);
      Pool pool;
      pool.id = element.id;
      pool.where = element.origin.text();
      pool.attributes = filled<PoolAttributes>(inheritance_.of(node));
      pool.name = pool.attributes.name.value_or(pool.id);
      claim(node, pool.name, names);
      pool.share = share(node, pool.attributes);
      pool.share.nodes = nodes(node, pool.attributes);
      Names in_pool;
      pool.services = services_of(node, ElementKind::pool, in_pool);
      if (pool.services.empty()) {
        findings_.warning(Code::bad_servers, element.origin,
                          fmt::format("{} has no service", title(node)), "nothing would run on it",
                          "Add <service type=\"writer\"/>?");
      }
      plan.pools.push_back(std::move(pool));
    }
    return plan;
  }

 private:
  using Names = std::unordered_map<std::string, std::string>;

  /// By its name when it has no id.
  std::string title(int node) {
    const Node& element = store_.at(node);
    const Setting* setting = inheritance_.of(node).find("name");
    if (!element.has_automatic_id || setting == nullptr) return element.title();
    return fmt::format("{} '{}'", config::name(element.kind),
                       std::get<std::string>(*setting->value));
  }

  std::vector<Service> services_of(int around, ElementKind around_kind, Names& names) {
    std::vector<Service> result;
    for (const int node : store_.elements_below(around, ElementKind::service)) {
      const Node& element = store_.at(node);
      const bool is_inside = around_kind == ElementKind::service;
      Service service;
      service.id = element.id;
      service.where = element.origin.text();
      service.attributes = filled<ServiceAttributes>(inheritance_.of(node));
      service.name = service.attributes.name.value_or(service.id);
      claim(node, service.name, names);
      if (!service.attributes.type && !inheritance_.of(node).is_broken("type")) {
        findings_.error(Code::bad_servers, element.origin,
                        fmt::format("{} has no type", title(node)), "nothing says what it does",
                        "Add type=\"writer\"?");
      }
      if (is_inside) {
        check_inside(node);
        service.share.kind = ServerShare::Kind::of_parent;
      } else {
        service.share = share(node, service.attributes);
        service.share.nodes = nodes(node, service.attributes);
        check_partitions(node, service);
      }
      service.onto = services_of(node, ElementKind::service, names);
      result.push_back(std::move(service));
    }
    return result;
  }

  void claim(int node, const std::string& name, Names& names) {
    const Node& element = store_.at(node);
    if (element.has_automatic_id && inheritance_.of(node).find("name") == nullptr) {
      findings_.error(Code::no_id, element.origin,
                      fmt::format("{} has neither id nor name", title(node)),
                      "files and contexts refer to it by name", "Add name=\"...\".");
      return;
    }
    const auto [other, is_free] = names.emplace(name, element.origin.text());
    if (is_free) return;
    findings_.error(
        Code::same_name, element.origin,
        fmt::format("two {} have the name '{}'",
                    element.kind == ElementKind::pool ? "pools" : "services of a pool", name),
        fmt::format("the other one is at {}", other->second), "Give one of them another name.");
  }

  /// Exactly one of the four sizes.
  template <class Attributes>
  ServerShare share(int node, const Attributes& attributes) {
    const Node& element = store_.at(node);
    const Resolved& resolved = inheritance_.of(node);
    std::vector<std::string_view> given;
    for (const std::string_view attribute : size_attributes) {
      const bool is_off = attribute == "remain" && !attributes.remain.value_or(true);
      if (resolved.find(attribute) != nullptr && !is_off) given.push_back(attribute);
      if (resolved.is_broken(attribute)) return {};
    }
    if (given.size() != 1) {
      findings_.error(
          Code::bad_servers,
          given.empty() ? element.origin : origin_of(resolved, given.back(), element),
          fmt::format("{} has {}", title(node),
                      given.empty() ? "no size" : fmt::format("{} sizes", given.size())),
          given.empty() ? "nothing says how many processes it takes"
                        : fmt::format("given are {}", joined(given)),
          "Give one of nprocs, global_fraction, remain_fraction and remain.");
      return {};
    }
    if (attributes.nprocs && given.front() == "nprocs") {
      if (*attributes.nprocs < 1) refuse(node, "nprocs", "it takes one process at least");
      return {ServerShare::Kind::processes, static_cast<double>(*attributes.nprocs)};
    }
    if (given.front() == "remain") return {ServerShare::Kind::remain, 0};
    const bool is_of_all = given.front() == "global_fraction";
    const double fraction = is_of_all ? *attributes.global_fraction : *attributes.remain_fraction;
    if (!(fraction > 0 && fraction <= 1)) {
      refuse(node, given.front(), "a fraction is more than 0 and not more than 1");
    }
    return {is_of_all ? ServerShare::Kind::fraction_of_all : ServerShare::Kind::fraction_of_remain,
            fraction};
  }

  template <class Attributes>
  NodeChoice nodes(int node, const Attributes& attributes) {
    NodeChoice result;
    if (attributes.on_node) {
      if (auto read = read_nodes(*attributes.on_node)) {
        result = *std::move(read);
      } else {
        refuse(node, "on_node",
               "it names nodes, or has their numbers, as in \"n12 n13\" or \"0-3\"");
      }
    }
    if (!attributes.per_node) return result;
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (*attributes.per_node < 1)
      refuse(node, "per_node", "it takes one server of a node at least");
    result.per_node = static_cast<int>(std::clamp<std::int64_t>(*attributes.per_node, 0, most));
    return result;
  }

  void refuse(int node, std::string_view attribute, std::string why) {
    const Node& element = store_.at(node);
    findings_.error(Code::bad_servers, origin_of(inheritance_.of(node), attribute, element),
                    fmt::format("attribute '{}' of {}", attribute, title(node)), std::move(why));
  }

  void check_inside(int node) {
    for (const Setting& setting : store_.at(node).settings) {
      const std::string_view attribute = setting.row->name;
      if (attribute == "name" || attribute == "type") continue;
      findings_.error(Code::bad_servers, setting.origin,
                      fmt::format("attribute '{}' of {}", attribute, title(node)),
                      "a service inside another one shares its processes, and has a name and a "
                      "type only",
                      "Remove it, or put the service into the pool.");
    }
  }

  void check_partitions(int node, const Service& service) {
    const auto partitions = service.attributes.nb_partitions;
    if (!partitions) return;
    if (*partitions < 1) {
      refuse(node, "nb_partitions", "there is one group at least");
    } else if (service.share.kind == ServerShare::Kind::processes &&
               static_cast<double>(*partitions) > service.share.amount) {
      refuse(node, "nb_partitions",
             fmt::format("{} processes are not {} groups", service.share.amount, *partitions));
    }
  }

  const ContextStore& store_;
  Findings& findings_;
  Inheritance inheritance_;
};

}  // namespace

std::optional<NodeChoice> read_nodes(std::string_view text) {
  constexpr std::string_view between = ", \t\r\n";
  NodeChoice result;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;
       at = text.find_first_not_of(between, at)) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (const auto range = range_of(word)) {
      if (range->first > range->last) return std::nullopt;
      result.numbers.push_back(*range);
    } else {
      result.names.emplace_back(word);
    }
  }
  if (result.is_any()) return std::nullopt;
  return result;
}

ServerPlan read_server_plan(const ContextStore& store, Findings& findings) {
  return ServerPlanReader(store, findings).read();
}

void check_no_servers(const ContextStore& store, Findings& findings) {
  for (const ElementKind kind : {ElementKind::pool, ElementKind::service}) {
    for (const int node : store.elements_below(store.root_of(kind), kind)) {
      findings.warning(
          Code::without_effect, store.at(node).origin,
          fmt::format("{} of context '{}' has no effect", store.at(node).title(), store.id()),
          "servers are shared out in context 'xios'");
    }
  }
}

}  // namespace epios::config
