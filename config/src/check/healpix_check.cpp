#include "check/healpix_check.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "config/attributes.hpp"

namespace epios::config {

namespace {

/// One more level has more cells than a dimension of a file can have in all formats.
constexpr std::int64_t largest_nside = 8192;

constexpr std::array<std::string_view, 9> coordinates{
    "nvertex",       "lonvalue_1d",   "latvalue_1d",   "lonvalue_2d",  "latvalue_2d",
    "bounds_lon_1d", "bounds_lat_1d", "bounds_lon_2d", "bounds_lat_2d"};

class HealpixCheck {
 public:
  explicit HealpixCheck(const LayoutContext& context) : c_(context) {}

  const Setting* given(std::string_view attribute) const { return c_.resolved.find(attribute); }

  std::string problem(std::string_view attribute) const {
    return fmt::format("attribute '{}' of {}", attribute, c_.title);
  }

  void error(Code code, std::string_view attribute, std::string why,
             std::string suggestion = {}) const {
    const Setting* const setting = given(attribute);
    c_.findings.error(code, setting != nullptr ? setting->origin : c_.origin, problem(attribute),
                      std::move(why), std::move(suggestion));
  }

  /// Returns true if nside is usable.
  bool has_nside(const DomainAttributes& domain) const {
    if (c_.resolved.is_broken("nside")) return false;
    const Setting* const setting = given("nside");
    if (!domain.nside) {
      Gap gap = c_.gap;
      gap.attribute = "nside";
      c_.findings.missing(Code::no_size, setting != nullptr ? setting->origin : c_.origin, gap,
                          fmt::format("{} has no nside", c_.title),
                          "it says how many pixels HEALPix has",
                          "Set nside to a power of two in XML or from the model.");
      return false;
    }
    if (*domain.nside >= 1 && *domain.nside <= largest_nside &&
        std::has_single_bit(static_cast<std::uint64_t>(*domain.nside))) {
      return true;
    }
    error(Code::bad_size, "nside",
          fmt::format("{} is no power of two from 1 to {}", *domain.nside, largest_nside));
    return false;
  }

  void leave_out_coordinates() const {
    for (const std::string_view attribute : coordinates) {
      if (given(attribute) == nullptr) continue;
      error(Code::bad_array, attribute, "coordinates of HEALPix follow from nside and order",
            "Leave it out, or use type=\"unstructured\".");
    }
  }

  void warn_of(std::string_view attribute) const {
    const Setting* const setting = given(attribute);
    if (setting == nullptr) return;
    c_.findings.warning(Code::without_effect, setting->origin, problem(attribute),
                        "it has no effect: it is for domains of type healpix",
                        "Add type=\"healpix\"?");
  }

 private:
  const LayoutContext& c_;
};

}  // namespace

bool complete_healpix(const LayoutContext& context, DomainAttributes& domain) {
  const HealpixCheck check(context);
  if (domain.type != "healpix") {
    if (!domain.type) return true;  // which the model may still say
    check.warn_of("nside");
    check.warn_of("order");
    domain.nside = std::nullopt;
    domain.order = std::nullopt;
    return true;
  }
  if (!check.has_nside(domain)) return false;
  if (!domain.order) domain.order = "nested";
  check.leave_out_coordinates();
  const std::int64_t cells = 12 * *domain.nside * *domain.nside;
  if (domain.ni_glo.value_or(0) != 0 && *domain.ni_glo != cells) {
    check.error(Code::bad_size, "ni_glo",
                fmt::format("HEALPix with nside=\"{}\" has {} cells", *domain.nside, cells),
                "Leave it out.");
    return false;
  }
  domain.ni_glo = cells;
  return true;
}

}  // namespace epios::config
