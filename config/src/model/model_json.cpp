// Prints the global part of a Model as JSON, for golden tests and people. A printer takes each
// value of the archive (model_archive.hpp) in turn, so that bytes and JSON always have the same
// contents.
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "config/model.hpp"
#include "config/server_plan.hpp"
#include "model/model_archive.hpp"

namespace epios::config {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Duration& v) { return v.text(); }
template <class T>
Json json_of(const Array<T>& v) {
  return v.values;
}
template <class T>
Json json_of(const T& v) {
  return v;
}

/// Prints attributes of global scope that have a value.
template <class Attributes>
Json attributes_of_element(const Attributes& a) {
  Json object = Json::object();
  for_each_attribute(a, [&](const AttributeInfo& row, const auto& member) {
    if (row.scope == Scope::global && member) object[std::string(row.name)] = json_of(*member);
  });
  return object;
}

// Text from users may be any bytes; what is no UTF-8 is shown as replacement characters.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const ServerShare& share) {
  constexpr std::array<const char*, 5> words{"processes", "fraction_of_all", "fraction_of_remain",
                                             "remain", "of_parent"};
  Json result{{"kind", words.at(static_cast<std::size_t>(share.kind))}};
  if (share.kind < ServerShare::Kind::remain) result["amount"] = share.amount;
  return result;
}

Json json_of(const std::vector<Service>& services) {
  Json list = Json::array();
  for (const Service& service : services) {
    list.push_back({{"id", service.id},
                    {"name", service.name},
                    {"share", json_of(service.share)},
                    {"attributes", attributes_of_element(service.attributes)},
                    {"onto", json_of(service.onto)}});
  }
  return list;
}

/// Prints what describe() walks. Enumerations and dates as people write them.
class JsonPrinter {
 public:
  explicit JsonPrinter(const Model& model)
      : calendar_(model.calendar_type, {}, model.user_calendar) {}

  Json result = Json::object();

  template <class T>
  void value(const char* name, const T& v) {
    (*at_)[name] = json_of(v);
  }
  template <class T>
  void rare_value(const char* name, const T& v) {
    if (v != T{}) value(name, v);
  }
  void duration(const char* name, const Duration& v) { value(name, v); }
  void instant(const char* name, const Instant& v) { (*at_)[name] = calendar_.text(v); }
  void word(const char* name, CalendarType v, int) { (*at_)[name] = cf_name(v); }
  void word(const char* name, Operation v, int) { (*at_)[name] = config::name(v); }
  void word(const char* name, GridElement::Kind v, int) {
    constexpr std::array<const char*, 3> words{"scalar", "axis", "domain"};
    (*at_)[name] = words.at(static_cast<std::size_t>(v));
  }
  void word(const char* name, ElementKind v, int) { (*at_)[name] = config::name(v); }
  void properties(const char* name, const std::vector<Property>& v) {
    Json object = Json::object();
    for (const Property& property : v) {
      object[property.name] =
          std::visit([](const auto& held) { return json_of(held); }, property.value);
    }
    (*at_)[name] = std::move(object);
  }
  void word(const char* name, ExpressionOp v, int) { (*at_)[name] = config::name(v); }
  void index(const char* name, int v, std::size_t) { (*at_)[name] = v; }
  void link(const char* name, int v) {
    if (v >= 0) (*at_)[name] = v;
  }
  template <class Items, class Visit>
  void rare_list(const char* name, const Items& v, Visit visit) {
    if (!v.empty()) list(name, v, visit);
  }
  template <class Items, class Visit>
  void list(const char* name, const Items& v, Visit visit) {
    using T = typename Items::value_type;
    Json items = Json::array();
    Json* const outer = at_;
    for (const T& item : v) {
      Json object = Json::object();
      at_ = &object;
      visit(item);
      // Lists of plain things print as such.
      if constexpr (std::is_same_v<T, int> || is_typed_index<T> ||
                    std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> ||
                    std::is_same_v<T, std::string>) {
        items.push_back(object.front());
      } else {
        items.push_back(std::move(object));
      }
    }
    at_ = outer;
    (*at_)[name] = std::move(items);
  }
  template <class Attributes>
  void attributes(const Attributes& a) {
    (*at_)["attributes"] = attributes_of_element(a);
  }

 private:
  Calendar calendar_;
  Json* at_ = &result;
};

}  // namespace

std::string to_json(const Model& model) {
  JsonPrinter printer(model);
  describe(printer, model);
  return dumped(printer.result);
}

std::string to_json(const ServerPlan& plan) {
  Json pools = Json::array();
  for (const Pool& pool : plan.pools) {
    pools.push_back({{"id", pool.id},
                     {"name", pool.name},
                     {"share", json_of(pool.share)},
                     {"attributes", attributes_of_element(pool.attributes)},
                     {"services", json_of(pool.services)}});
  }
  return dumped({{"pools", std::move(pools)}});
}

}  // namespace epios::config
