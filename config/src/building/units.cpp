#include "building/units.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace epios::config {

namespace {

template <class T, void (*Free)(T*)>
struct Freer {
  void operator()(T* held) const { Free(held); }
};
using System = std::unique_ptr<ut_system, Freer<ut_system, ut_free_system>>;
using Unit = std::unique_ptr<ut_unit, Freer<ut_unit, ut_free>>;
using Converter = std::unique_ptr<cv_converter, Freer<cv_converter, cv_free>>;

/// The library keeps the status of its last call, and other state, for the whole process.
std::mutex& turns() {
  static std::mutex mutex;
  return mutex;
}

/// Factors are measured between large numbers; those that people write have few digits, or are one
/// over such a number.
double tidy(double measured) {
  const auto short_of = [](double x) {
    return std::strtod(fmt::format("{:.12g}", x).c_str(), nullptr);
  };
  constexpr double close = 1e-13;
  const double direct = short_of(measured);
  if (std::abs(direct - measured) <= close * std::abs(measured)) return direct;
  const double inverse = 1 / short_of(1 / measured);
  return std::abs(inverse - measured) <= close * std::abs(measured) ? inverse : measured;
}

std::optional<UnitConversion> linear(const cv_converter* converter) {
  constexpr double far = 1 << 20;
  const double offset = cv_convert_double(converter, 0);
  const double above = cv_convert_double(converter, far);
  const double below = cv_convert_double(converter, -far);
  const double factor = (above - below) / (2 * far);
  const bool is_linear =
      std::isfinite(offset) && std::isfinite(factor) && factor != 0 &&
      std::abs((above + below) / 2 - offset) <= 1e-12 * (std::abs(above) + std::abs(below));
  if (!is_linear) return std::nullopt;
  return UnitConversion{tidy(factor), offset};
}

}  // namespace

UnitComparison compare_units(const std::string& from, const std::string& to) {
  const std::scoped_lock lock(turns());
  ut_set_error_message_handler(ut_ignore);
  const System system(ut_read_xml(nullptr));
  if (!system) return {{}, "the database of udunits2 is not there; is libudunits2-data installed?"};
  const auto parsed = [&](const std::string& text) {
    return Unit(ut_parse(system.get(), text.c_str(), UT_UTF8));
  };
  const Unit source = parsed(from);
  if (!source) return {{}, fmt::format("'{}' is no unit that udunits2 knows", from)};
  const Unit target = parsed(to);
  if (!target) return {{}, fmt::format("'{}' is no unit that udunits2 knows", to)};
  const Converter converter(ut_get_converter(source.get(), target.get()));
  if (!converter) return {{}, fmt::format("'{}' and '{}' measure different things", from, to)};
  const std::optional<UnitConversion> conversion = linear(converter.get());
  if (conversion) return {conversion, {}};
  return {{}, fmt::format("from '{}' to '{}' is no factor and offset", from, to)};
}

}  // namespace epios::config
