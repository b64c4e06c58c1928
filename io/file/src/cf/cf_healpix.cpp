#include "cf/cf_healpix.hpp"

#include <bit>
#include <cstdint>

#include "config/model_elements.hpp"

namespace epios::io {

namespace {

constexpr double earth_radius = 6371229;

std::vector<std::int32_t> integer(std::int64_t value) { return {static_cast<std::int32_t>(value)}; }

}  // namespace

VariableSpec grid_mapping_of(const config::Domain& domain, const std::string& name) {
  const config::DomainAttributes& a = domain.attributes;
  const std::int64_t nside = a.nside.value_or(1);
  const bool is_ring = a.order == "ring";
  VariableSpec out;
  out.name = name;
  out.kind = ValueKind::int32;
  out.attributes = {
      {"grid_mapping_name", std::string("healpix")},
      {"indexing_scheme", std::string(is_ring ? "ring" : "nested")},
      {"refinement_level", integer(std::countr_zero(static_cast<std::uint64_t>(nside)))},
      {"healpix_nside", integer(nside)},
      {"healpix_order", std::string(is_ring ? "ring" : "nest")},
      {"earth_radius", std::vector<double>{a.radius.value_or(earth_radius)}}};
  static constexpr double no_meaning = 0;
  out.fixed.box = whole({});
  out.fixed.numbers = {&no_meaning, 1};
  return out;
}

VariableSpec pixel_numbers(const std::string& name, int dimension, const CoordinateSlab* slab,
                           const std::vector<double>& numbers) {
  VariableSpec out;
  out.name = name;
  out.kind = ValueKind::int32;
  out.dimensions = {dimension};
  out.attributes = {{"standard_name", std::string("healpix_index")},
                    {"long_name", std::string("Number of the pixel, from 0")},
                    {"units", std::string("1")}};
  if (slab == nullptr || slab->window.is_empty()) return out;
  out.fixed.box = slab->window;
  out.fixed.numbers = numbers;
  return out;
}

}  // namespace epios::io
