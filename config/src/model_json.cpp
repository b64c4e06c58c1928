#include <nlohmann/json.hpp>
#include <type_traits>

#include "config/model.hpp"
#include "model_archive.hpp"

namespace epios::config {

namespace {

using Json = nlohmann::ordered_json;

/// Prints what describe() walks. Enumerations and dates as people write them.
class Printer {
 public:
  explicit Printer(const Model& model) : calendar_(model.calendar_type, {}, model.user_calendar) {}

  Json result = Json::object();

  template <class T>
  void value(const char* name, const T& v) {
    (*at_)[name] = json_of(v);
  }
  void duration(const char* name, const Duration& v) { value(name, v); }
  void instant(const char* name, const Instant& v) { (*at_)[name] = calendar_.text(v); }
  void word(const char* name, CalendarType v, int) { (*at_)[name] = cf_name(v); }
  void word(const char* name, Operation v, int) {
    constexpr std::array<const char*, 6> words{"instant", "average", "accumulate",
                                               "minimum", "maximum", "once"};
    (*at_)[name] = words.at(static_cast<std::size_t>(v));
  }
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
  void index(const char* name, int v, std::size_t) { (*at_)[name] = v; }
  template <class T, class Visit>
  void list(const char* name, const std::vector<T>& v, Visit visit) {
    Json items = Json::array();
    Json* const outer = at_;
    for (const T& item : v) {
      Json object = Json::object();
      at_ = &object;
      visit(item);
      // Lists of plain things print as such.
      if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> ||
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
    Json object = Json::object();
    for_each_attribute(a, [&](const AttributeInfo& row, const auto& member) {
      if (row.scope == Scope::global && member) object[std::string(row.name)] = json_of(*member);
    });
    (*at_)["attributes"] = std::move(object);
  }

 private:
  static Json json_of(const Duration& v) { return v.text(); }
  template <class T>
  static Json json_of(const Array<T>& v) {
    return v.values;
  }
  template <class T>
  static Json json_of(const T& v) {
    return v;
  }

  Calendar calendar_;
  Json* at_ = &result;
};

}  // namespace

std::string to_json(const Model& model) {
  Printer printer(model);
  describe(printer, model);
  // Text from users may be any bytes; what is no UTF-8 is shown as replacement characters.
  return printer.result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace epios::config
