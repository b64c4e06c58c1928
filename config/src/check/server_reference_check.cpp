// Checks that pools and services which files and contexts name exist and do what is asked of them.
// A table lists the roles with their attributes.
#include "check/server_reference_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "language/inheritance.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// The task of a service, and the attributes of files and contexts that name one.
struct Role {
  std::string_view type, pool, service, default_pool, default_service;
};

constexpr std::array<Role, 3> roles{{
    {"writer", "pool_writer", "writer", "default_pool_writer", "default_writer"},
    {"gatherer", "pool_gatherer", "gatherer", "default_pool_gatherer", "default_gatherer"},
    {"reader", "pool_reader", "reader", "default_pool_reader", "default_reader"},
}};

/// The clients themselves.
constexpr std::string_view attached = "attached";

bool names_a_server(const AttributeInfo& row) {
  if (row.name == "default_pool") return true;
  return std::any_of(roles.begin(), roles.end(), [&row](const Role& role) {
    return row.name == role.pool || row.name == role.service || row.name == role.default_pool ||
           row.name == role.default_service;
  });
}

void add_services(const std::vector<Service>& services, std::vector<const Service*>& result) {
  for (const Service& service : services) {
    result.push_back(&service);
    add_services(service.onto, result);
  }
}

class ServerReferenceCheck {
 public:
  ServerReferenceCheck(const ContextStore& store, const ServerPlan& plan, Findings& findings)
      : store_(store), plan_(plan), findings_(findings), inheritance_(store, ignored_) {}

  void run() {
    const Resolved& context = inheritance_.of(store_.context_node());
    const Setting* everywhere = context.find("default_pool");
    check_pool(everywhere);
    std::vector<const Setting*> pools;
    for (const Role& role : roles) {
      const Setting* own = context.find(role.default_pool);
      check_pool(own);
      pools.push_back(own != nullptr ? own : everywhere);
      check_service(role, context.find(role.default_service), pools.back());
    }
    const ElementKind kind = ElementKind::file;
    for (const int file : store_.elements_below(store_.root_of(kind), kind)) {
      const Resolved& resolved = inheritance_.of(file);
      for (std::size_t i = 0; i < roles.size(); ++i) {
        const Setting* own = resolved.find(roles.at(i).pool);
        check_pool(own);
        check_service(roles.at(i), resolved.find(roles.at(i).service),
                      own != nullptr ? own : pools[i]);
      }
    }
  }

 private:
  static const std::string& text_of(const Setting& setting) {
    return std::get<std::string>(*setting.value);
  }

  void doubt_attached(const Role& role, const Setting& setting) {
    if (role.type != "reader") return;
    findings_.warning(
        Code::without_effect, setting.origin,
        fmt::format("{} 'attached' is ignored", setting.row->name),
        "files are read by the servers, ahead of the model, each once for all clients",
        "Remove it; without dedicated servers those in the clients' processes read.");
  }

  const Pool* pool_named(const Setting& setting) const {
    const std::string_view name = trimmed(text_of(setting));
    const auto found =
        std::find_if(plan_.pools.begin(), plan_.pools.end(),
                     [name](const Pool& pool) { return pool.name == name || pool.id == name; });
    return found == plan_.pools.end() ? nullptr : &*found;
  }

  void check_pool(const Setting* setting) {
    if (setting == nullptr || pool_named(*setting) != nullptr) return;
    const auto names = [this] {
      std::vector<std::string_view> result;
      result.reserve(plan_.pools.size());
      for (const Pool& pool : plan_.pools) result.push_back(pool.name);
      return result;
    };
    const std::string& name = text_of(*setting);
    findings_.error(Code::refers_to_nothing, setting->origin,
                    fmt::format("{} '{}' refers to nothing", setting->row->name, name),
                    fmt::format("there is no pool '{}' in context 'xios'", name),
                    findings_.suggestions().text("pool", name, names));
  }

  /// In the pool, or in any when none is named.
  void check_service(const Role& role, const Setting* setting, const Setting* pool) {
    if (setting == nullptr) return;
    if (trimmed(text_of(*setting)) == attached) return doubt_attached(role, *setting);
    const Pool* its = pool == nullptr ? nullptr : pool_named(*pool);
    if (pool != nullptr && its == nullptr) return;  // reported
    std::vector<const Service*> services;
    for (const Pool& one : plan_.pools) {
      if (its == nullptr || its == &one) add_services(one.services, services);
    }
    const std::string_view name = trimmed(text_of(*setting));
    const Service* found = nullptr;
    for (const Service* service : services) {
      if (service->name != name && service->id != name) continue;
      if (!service->attributes.type || *service->attributes.type == role.type) return;
      found = service;
    }
    const std::string problem = fmt::format("{} '{}' refers to nothing", setting->row->name, name);
    if (found != nullptr) {
      findings_.error(Code::refers_to_nothing, setting->origin, problem,
                      fmt::format("service '{}' is a {}", name, *found->attributes.type),
                      fmt::format("Name a service of type {}.", role.type));
      return;
    }
    const auto names = [&] {
      std::vector<std::string_view> result;
      result.reserve(services.size());
      for (const Service* service : services) result.push_back(service->name);
      return result;
    };
    const std::string where = its == nullptr ? "" : fmt::format(" in pool '{}'", its->name);
    findings_.error(Code::refers_to_nothing, setting->origin, problem,
                    fmt::format("there is no service '{}'{} in context 'xios'", name, where),
                    findings_.suggestions().text(fmt::format("service{}", where), name, names));
  }

  const ContextStore& store_;
  const ServerPlan& plan_;
  Findings& findings_;
  Findings ignored_;  // mistakes in files are reported where files are resolved
  Inheritance inheritance_;
};

}  // namespace

void check_server_references(const ContextStore& store, const ServerPlan& plan,
                             Findings& findings) {
  for (int node = 0; node < store.size(); ++node) {
    for (const Setting& setting : store.at(node).settings) {
      if (!names_a_server(*setting.row)) continue;
      return ServerReferenceCheck(store, plan, findings).run();
    }
  }
}

}  // namespace epios::config
