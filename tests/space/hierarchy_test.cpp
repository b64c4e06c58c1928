// Hierarchies in whole runs: each level against a loop over all cells of the finest one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "space_run.hpp"
#include "sphere/healpix.hpp"

namespace epios::client::hierarchy_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double degree = std::numbers::pi / 180;
constexpr double marked = -999;
constexpr int nside = 8, pixels = 768, levels = 2;
constexpr int ni = 7, nj = 5;

/// Values of the finest level, with holes of all sizes.
double pixel_value(std::int64_t pixel, std::int64_t level) {
  const bool is_hole = pixel % 5 == level || (pixel / 16) % 7 == 3 || pixel / 64 == 2;
  return is_hole ? std::nan("")
                 : std::sin(0.37 * static_cast<double>(pixel)) + 2.0 * static_cast<double>(level);
}
double cell_value(int i, int j) {
  return i == 3 && j > 1 ? std::nan("") : 10 + i * i - 3.5 * j + 0.25 * i * j;
}
bool counts(int i, int j) { return !(i < 2 && j < 2) && !(i == 5 && j == 4); }

const char* const definitions = R"(
    <axis_definition><axis id="z" n_glo="2"/></axis_definition>
    <domain_definition>
      <domain id="hp" type="healpix" nside="8" prec="8"/>
      <domain id="ring" type="healpix" nside="4" order="ring" prec="8"/>
      <domain id="r" type="rectilinear" ni_glo="7" nj_glo="5" prec="8"/>
      <domain id="k" type="curvilinear" ni_glo="7" nj_glo="5" prec="8" nvertex="4"/>
      <domain id="flat" type="curvilinear" ni_glo="7" nj_glo="5" prec="8" nvertex="4"/>
      <domain id="odd" type="curvilinear" ni_glo="7" nj_glo="5" prec="8" nvertex="3"/>
      <domain id="target" type="healpix" nside="4" prec="8"><interpolate_domain order="1"/></domain>
      <domain id="direct"><coarsen_domain operation="max" min_valid_share="0"/></domain>
    </domain_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="hp"/><axis axis_ref="z"/></grid>
      <grid id="turned"><axis axis_ref="z"/><domain domain_ref="hp"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999" detect_missing_value="true">
      <field id="p" grid_ref="g"/>
      <field id="q" grid_ref="turned"/>
      <field id="s" domain_ref="ring"/>
      <field id="c" domain_ref="r"/>
      <field id="v" domain_ref="k"/>
      <field id="w" domain_ref="flat"/>
      <field id="u" domain_ref="odd"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="any">
        <field field_ref="p"/><field field_ref="q"/><field field_ref="c"/>
        <field field_ref="v"/><field field_ref="w"/>
        <hierarchy levels="4" min_valid_share="0"/>
      </file>
      <file id="stores" format="zarr">
        <field field_ref="p"/><field field_ref="q"/><field field_ref="c"/>
        <field field_ref="v"/><field field_ref="w"/>
        <hierarchy levels="4" min_valid_share="0"/>
      </file>
      <file id="half"><field field_ref="p"/><hierarchy levels="3"/></file>
    </file_definition>)";
const char* const more_files = R"(
    <file_definition output_freq="1h">
      <file id="all"><field field_ref="p"/>
        <hierarchy levels="4" min_valid_share="1" name_rule="%name%_n%nside%"/>
      </file>
      <file id="least"><field field_ref="c"/><hierarchy levels="3" operation="min" min_valid_share="0"/></file>
      <file id="sums"><field field_ref="c"/><hierarchy levels="3" operation="sum" min_valid_share="0"/></file>
      <file id="rings"><field field_ref="s"/><hierarchy levels="3"/></file>
      <file id="made" name="made">
        <field field_ref="s" name="twice" expr="s * 2"/>
        <field field_ref="c" name="c_made" domain_ref="target"/>
        <hierarchy levels="2" min_valid_share="0"/>
      </file>
      <file id="greatest"><field field_ref="c" domain_ref="direct"/></file>
      <file id="triangles"><field field_ref="u"/><hierarchy levels="3" min_valid_share="0"/></file>
      <file id="hourly">
        <field field_ref="c" operation="average"/><field field_ref="c" name="largest" operation="maximum"/>
        <field field_ref="c" name="now"/>
        <hierarchy levels="2" min_valid_share="0" periods="2h, 4h"/>
      </file>
    </file_definition>)";

const std::vector<double> lon_edges{0, 40, 90, 160, 200, 270, 330, 360};
const std::vector<double> lat_edges{-90, -50, -10, 20, 60, 90};
/// On a plane, in metres.
const std::vector<double> y_edges{1000, 1300, 1500, 2000, 2100, 3000};

std::int64_t nested(std::int64_t ring) {
  return io::HealpixGrid(4, io::HealpixGrid::Order::ring).in_other_order(ring);
}

double or_marked(double value) { return std::isnan(value) ? marked : value; }

/// Columns of the rectilinear domain; pixels; levels. Blocks of cells lie on several clients.
struct Share {
  int column = 0, columns = 0;
  std::int64_t pixel = 0, pixels = 0;
  int level = 0, levels = 0;
};
Share share_of(int rank, int size, bool is_stacked) {
  const auto cut = [size](int n, int piece) {
    return piece == 0 ? 0 : piece == size ? n : (n * piece + 1) / size;
  };
  Share out;
  out.column = cut(ni, rank);
  out.columns = cut(ni, rank + 1) - out.column;
  if (is_stacked) {
    out.pixels = pixels;
    out.level = std::min(rank, levels);
    out.levels = rank + 1 == size ? levels - out.level : rank < levels ? 1 : 0;
    return out;
  }
  out.pixel = cut(pixels, rank) + (rank == 1 ? 2 : 0);
  out.pixels = cut(pixels, rank + 1) + (rank == 0 && size > 1 ? 2 : 0) - out.pixel;
  out.levels = levels;
  return out;
}

void describe(Context& context, const Share& share) {
  context.at("domain", "hp").set("ibegin", share.pixel).set("ni", share.pixels);
  context.at("axis", "z").set("begin", share.level).set("n", share.levels);
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> lon_bounds;
  std::vector<double> lat_bounds;
  const auto add = [](const std::vector<double>& edges, int at, auto& centres, auto& bounds) {
    const auto k = static_cast<std::size_t>(at);
    centres.push_back((edges[k] + edges[k + 1]) / 2);
    bounds.insert(bounds.end(), {edges[k], edges[k + 1]});
  };
  for (int i = share.column; i < share.column + share.columns; ++i)
    add(lon_edges, i, lon, lon_bounds);
  for (int j = 0; j < nj; ++j) add(lat_edges, j, lat, lat_bounds);
  // Edges at 0 degrees as some models write them: from 360 to 40, from 330 to 0. Would have found
  // cells 320 and 330 degrees wide in weights and in bounds.
  if (share.column == 0) lon_bounds.front() = lon_edges.back();
  if (share.column + share.columns == ni) lon_bounds.back() = lon_edges.front();
  std::vector<unsigned char> mask;
  for (int j = 0; j < nj; ++j) {
    for (int i = share.column; i < share.column + share.columns; ++i) {
      mask.push_back(counts(i, j) ? 1 : 0);
    }
  }
  context.at("domain", "r")
      .set("ibegin", share.column)
      .set("ni", share.columns)
      .set("jbegin", 0)
      .set("nj", nj)
      .set("lonvalue_1d", lon)
      .set("latvalue_1d", lat)
      .set("bounds_lon_1d", std::span<const double>(lon_bounds), {2, share.columns})
      .set("bounds_lat_1d", std::span<const double>(lat_bounds), {2, nj})
      .set("mask_2d", std::span<const unsigned char>(mask), {share.columns, nj});
}

/// Cells as quadrangles whose corners begin anywhere. On the sphere with areas of boxes, so that
/// the means are those of the rectilinear domain; on the plane without any.
void describe_curved(Context& context, const std::string& id, const std::vector<double>& rows,
                     const Share& share) {
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> corners_lon;
  std::vector<double> corners_lat;
  std::vector<double> areas;
  std::vector<unsigned char> mask;
  for (std::size_t j = 0; j < nj; ++j) {
    for (int i = share.column; i < share.column + share.columns; ++i) {
      const auto k = static_cast<std::size_t>(i);
      lon.push_back((lon_edges[k] + lon_edges[k + 1]) / 2);
      lat.push_back((rows[j] + rows[j + 1]) / 2);
      corners_lon.insert(corners_lon.end(),
                         {lon_edges[k + 1], lon_edges[k + 1], lon_edges[k], lon_edges[k]});
      corners_lat.insert(corners_lat.end(), {rows[j], rows[j + 1], rows[j + 1], rows[j]});
      areas.push_back((lon_edges[k + 1] - lon_edges[k]) *
                      (std::sin(rows[j + 1] * degree) - std::sin(rows[j] * degree)));
      mask.push_back(counts(i, static_cast<int>(j)) ? 1 : 0);
    }
  }
  const std::int64_t columns = share.columns;
  context.at("domain", id)
      .set("ibegin", share.column)
      .set("ni", share.columns)
      .set("jbegin", 0)
      .set("nj", nj)
      .set("lonvalue_2d", std::span<const double>(lon), {columns, nj})
      .set("latvalue_2d", std::span<const double>(lat), {columns, nj})
      .set("bounds_lon_2d", std::span<const double>(corners_lon), {4, columns, nj})
      .set("bounds_lat_2d", std::span<const double>(corners_lat), {4, columns, nj})
      .set("mask_2d", std::span<const unsigned char>(mask), {columns, nj});
  if (id == "k")
    context.at("domain", id).set("area", std::span<const double>(areas), {columns, nj});
}

/// Cells whose corners are not four: nothing weights them.
void describe_odd(Context& context, const Share& share) {
  const auto cells = static_cast<std::size_t>(share.columns * nj);
  const std::vector<double> places(cells, 1);
  const std::vector<double> corners(3 * cells, 1);
  context.at("domain", "odd")
      .set("ibegin", share.column)
      .set("ni", share.columns)
      .set("jbegin", 0)
      .set("nj", nj)
      .set("lonvalue_2d", std::span<const double>(places), {share.columns, nj})
      .set("latvalue_2d", std::span<const double>(places), {share.columns, nj})
      .set("bounds_lon_2d", std::span<const double>(corners), {3, share.columns, nj})
      .set("bounds_lat_2d", std::span<const double>(corners), {3, share.columns, nj});
}

double at_step(double value, int step) { return or_marked(value + 0.5 * (step - 1)); }

void run(Client& client, bool is_stacked) {
  Context context = client.open_context(is_stacked ? "stacked" : "cells");
  const Share share = share_of(client.rank(), client.size(), is_stacked);
  describe(context, share);
  describe_curved(context, "k", lat_edges, share);
  describe_curved(context, "flat", y_edges, share);
  describe_odd(context, share);
  context.close_definition();
  const auto first_ring = context.at("domain", "ring").get<std::int64_t>("ibegin").value_or(0);
  const auto rings = context.at("domain", "ring").get<std::int64_t>("ni").value_or(0);
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    std::vector<double> p;
    std::vector<double> q;
    std::vector<double> s;
    std::vector<double> c;
    for (int k = share.level; k < share.level + share.levels; ++k) {
      for (std::int64_t x = share.pixel; x < share.pixel + share.pixels; ++x) {
        p.push_back(or_marked(pixel_value(x, k)));
      }
    }
    for (std::int64_t x = share.pixel; x < share.pixel + share.pixels; ++x) {
      for (int k = share.level; k < share.level + share.levels; ++k) {
        q.push_back(or_marked(pixel_value(x, k)));
      }
    }
    for (std::int64_t x = first_ring; x < first_ring + rings; ++x) {
      s.push_back(or_marked(pixel_value(nested(x), 0)));
    }
    for (int j = 0; j < nj; ++j) {
      for (int i = share.column; i < share.column + share.columns; ++i) {
        c.push_back(at_step(cell_value(i, j), step));
      }
    }
    context.send("p", p);
    context.send("q", q);
    context.send("s", s);
    context.send("c", c);
    context.send("v", c);
    context.send("w", c);
    context.send("u", c);
  }
  context.finalize();
}

/// Files are printed once.
const std::string& printed(const std::string& file) {
  static std::map<std::string, std::string> known;
  const auto [at, is_new] = known.try_emplace(file);
  if (is_new) at->second = test::dumped(file);
  return at->second;
}

/// Of one record: the first one, unless told.
std::vector<double> record(const std::string& file, const std::string& name, std::size_t size,
                           std::size_t number = 0) {
  const std::vector<double> all = test::values(printed(file), name);
  EXPECT_GE(all.size(), size * (number + 1)) << file << " " << name;
  if (all.size() < size * (number + 1)) return {};
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(size * number);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

void expect_same(const std::vector<double>& found, const std::vector<double>& wanted,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(std::isnan(found[k]), std::isnan(wanted[k])) << what << " " << k;
    if (std::isnan(wanted[k])) continue;
    EXPECT_NEAR(found[k], wanted[k], 1e-12) << what << " " << k;
  }
}

double mean_of(double sum, double count) { return count > 0 ? sum / count : std::nan(""); }

/// Means of all finest pixels with values below each pixel.
std::vector<double> means_of_pixels(int level) {
  std::vector<double> out;
  const std::int64_t below = std::int64_t{1} << (2 * level);
  for (int k = 0; k < levels; ++k) {
    for (std::int64_t c = 0; c < pixels / below; ++c) {
      double sum = 0;
      double count = 0;
      for (std::int64_t x = c * below; x < (c + 1) * below; ++x) {
        if (std::isnan(pixel_value(x, k))) continue;
        sum += pixel_value(x, k);
        count += 1;
      }
      out.push_back(mean_of(sum, count));
    }
  }
  return out;
}

/// Sums and counts of the finest pixels below, those of pixels that fall short left out.
std::vector<double> means_with_least_share(int level, double least) {
  std::vector<double> out;
  for (int k = 0; k < levels; ++k) {
    std::vector<std::pair<double, double>> cells;  // sum, share
    for (std::int64_t x = 0; x < pixels; ++x) {
      const double value = pixel_value(x, k);
      cells.emplace_back(std::isnan(value) ? 0 : value, std::isnan(value) ? 0 : 1);
    }
    for (int n = 0; n < level; ++n) {
      std::vector<std::pair<double, double>> coarser;
      for (std::size_t c = 0; c < cells.size(); c += 4) {
        std::pair<double, double> cell{0, 0};
        for (std::size_t child = c; child < c + 4; ++child) {
          cell.first += cells[child].first / 4;
          cell.second += cells[child].second / 4;
        }
        if (cell.second < least) cell = {0, 0};
        coarser.push_back(cell);
      }
      cells = coarser;
    }
    for (const auto& [sum, share] : cells) out.push_back(mean_of(sum, share));
  }
  return out;
}

/// What all finest cells with values in a block become.
struct OfBlock {
  double mean = 0, sum = 0, least = 0, greatest = 0;
};
std::vector<OfBlock> blocks_of_cells(int level, bool is_flat = false) {
  std::vector<OfBlock> out;
  const int side = 1 << level;
  for (int j = 0; j < nj; j += side) {
    for (int i = 0; i < ni; i += side) {
      OfBlock block{0, 0, 1e30, -1e30};
      double area = 0;
      for (int y = j; y < std::min(nj, j + side); ++y) {
        for (int x = i; x < std::min(ni, i + side); ++x) {
          if (!counts(x, y) || std::isnan(cell_value(x, y))) continue;
          const auto at = [](const std::vector<double>& edges, int k) {
            return edges[static_cast<std::size_t>(k)];
          };
          const double height = is_flat ? at(y_edges, y + 1) - at(y_edges, y)
                                        : std::sin(at(lat_edges, y + 1) * degree) -
                                              std::sin(at(lat_edges, y) * degree);
          const double part = (at(lon_edges, x + 1) - at(lon_edges, x)) * height;
          const double value = cell_value(x, y);
          block.mean += part * value;
          area += part;
          block.sum += value;
          block.least = std::min(block.least, value);
          block.greatest = std::max(block.greatest, value);
        }
      }
      if (area > 0) {
        block.mean /= area;
      } else {
        block = {std::nan(""), std::nan(""), std::nan(""), std::nan("")};
      }
      out.push_back(block);
    }
  }
  return out;
}
std::vector<double> all_of(const std::vector<OfBlock>& blocks, double OfBlock::*which) {
  std::vector<double> out;
  for (const OfBlock& block : blocks) out.push_back(block.*which);
  return out;
}

void look_at_pixels(const std::string& in) {
  for (int level = 1; level <= 3; ++level) {
    const std::string number = std::to_string(level);
    const std::size_t size = static_cast<std::size_t>(levels) * (pixels >> (2 * level));
    const std::vector<double> wanted = means_of_pixels(level);
    expect_same(record(in + "any_level" + number + ".nc", "p", size), wanted, "p " + number);
    std::vector<double> turned;  // levels are the slower dimension of p, the faster one of q
    for (std::size_t x = 0; x < size / levels; ++x) {
      for (std::size_t k = 0; k < levels; ++k) turned.push_back(wanted[k * (size / levels) + x]);
    }
    expect_same(record(in + "any_level" + number + ".nc", "q", size), turned, "q " + number);
    if (level < 3) {
      expect_same(record(in + "half_level" + number + ".nc", "p", size),
                  means_with_least_share(level, 0.5), "half " + number);
    }
  }
}

/// Would have found a level whose store has other values or coordinates than the NetCDF file.
void look_at_stores(const std::string& in) {
  for (const char* const level : {"", "_level1", "_level2", "_level3"}) {
    const std::string command = std::string(EPIOS_COMMAND) + " diff " + in + "any" + level +
                                ".nc " + in + "stores" + level + ".zarr > diff.txt";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

void look_at_other_pixels(const std::string& in) {
  for (int level = 1; level <= 3; ++level) {
    const std::string number = std::to_string(level);
    const std::size_t size = static_cast<std::size_t>(levels) * (pixels >> (2 * level));
    const std::string nsides = std::to_string(nside >> level);
    expect_same(record(in + "all_n" + nsides + ".nc", "p", size), means_with_least_share(level, 1),
                "all " + number);
  }
  for (int level = 1; level <= 2; ++level) {
    const std::string file = in + "rings_level" + std::to_string(level) + ".nc";
    const std::int64_t below = std::int64_t{1} << (2 * level);
    const io::HealpixGrid coarse(4 >> level, io::HealpixGrid::Order::nested);
    std::vector<double> wanted(static_cast<std::size_t>(192 / below));
    for (std::int64_t c = 0; c < 192 / below; ++c) {
      std::vector<std::pair<double, double>> cells;
      for (std::int64_t x = c * below; x < (c + 1) * below; ++x) {
        const double value = pixel_value(x, 0);
        cells.emplace_back(std::isnan(value) ? 0 : value, std::isnan(value) ? 0 : 1);
      }
      while (cells.size() > 1) {
        std::vector<std::pair<double, double>> coarser;
        for (std::size_t k = 0; k < cells.size(); k += 4) {
          std::pair<double, double> cell{0, 0};
          for (std::size_t child = k; child < k + 4; ++child) {
            cell.first += cells[child].first / 4;
            cell.second += cells[child].second / 4;
          }
          coarser.push_back(cell.second < 0.5 ? std::pair(0.0, 0.0) : cell);
        }
        cells = coarser;
      }
      wanted[static_cast<std::size_t>(coarse.in_other_order(c))] =
          mean_of(cells[0].first, cells[0].second);
    }
    expect_same(record(file, "s", wanted.size()), wanted, file);
    EXPECT_THAT(printed(file), HasSubstr(R"(crs:healpix_order = "ring" ;)"));
  }
}

void look_at_blocks(const std::string& in) {
  const std::vector<std::size_t> sizes{35, 12, 4, 1};
  for (int level = 1; level <= 3; ++level) {
    const std::string number = std::to_string(level);
    const std::vector<OfBlock> wanted = blocks_of_cells(level);
    const std::size_t size = sizes.at(static_cast<std::size_t>(level));
    expect_same(record(in + "any_level" + number + ".nc", "c", size),
                all_of(wanted, &OfBlock::mean), "c " + number);
    expect_same(record(in + "any_level" + number + ".nc", "v", size),
                all_of(wanted, &OfBlock::mean), "v " + number);
    expect_same(record(in + "any_level" + number + ".nc", "w", size),
                all_of(blocks_of_cells(level, true), &OfBlock::mean), "w " + number);
  }
  // Corners of the first block of level 1 and of the last one, of one column and one row.
  const std::string text = printed(in + "any_level1.nc");
  const std::vector<double> lon = test::values(text, "bounds_nav_lon_flat");
  const std::vector<double> lat = test::values(text, "bounds_nav_lat_flat");
  const auto corners = [](const std::vector<double>& list, std::size_t block) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(4 * block);
    return std::multiset<double>(begin, begin + 4);
  };
  ASSERT_EQ(lon.size(), 48U) << text.substr(0, 6000);
  EXPECT_EQ(corners(lon, 0), (std::multiset<double>{0, 0, 90, 90}));
  EXPECT_EQ(corners(lat, 0), (std::multiset<double>{1000, 1000, 1500, 1500}));
  EXPECT_EQ(corners(lon, 11), (std::multiset<double>{330, 330, 360, 360}));
  EXPECT_EQ(corners(lat, 11), (std::multiset<double>{2100, 2100, 3000, 3000}));
  EXPECT_EQ(corners(lon, 3), (std::multiset<double>{330, 330, 360, 360}));
  EXPECT_EQ(corners(lat, 3), (std::multiset<double>{1000, 1000, 1500, 1500}));
}

void look_at_other_blocks(const std::string& in) {
  const std::vector<std::size_t> sizes{35, 12, 4};
  for (int level = 1; level <= 2; ++level) {
    const std::string number = std::to_string(level);
    const std::vector<OfBlock> wanted = blocks_of_cells(level);
    const std::size_t size = sizes.at(static_cast<std::size_t>(level));
    expect_same(record(in + "least_level" + number + ".nc", "c", size),
                all_of(wanted, &OfBlock::least), "least");
    expect_same(record(in + "sums_level" + number + ".nc", "c", size),
                all_of(wanted, &OfBlock::sum), "sums");
  }
  expect_same(record(in + "greatest.nc", "c", 12), all_of(blocks_of_cells(1), &OfBlock::greatest),
              "greatest");
  std::vector<double> alike;
  for (int j = 0; j < nj; j += 2) {
    for (int i = 0; i < ni; i += 2) {
      double sum = 0;
      double count = 0;
      for (int y = j; y < std::min(nj, j + 2); ++y) {
        for (int x = i; x < std::min(ni, i + 2); ++x) {
          if (std::isnan(cell_value(x, y))) continue;
          sum += cell_value(x, y);
          count += 1;
        }
      }
      alike.push_back(mean_of(sum, count));
    }
  }
  expect_same(record(in + "triangles_level1.nc", "u", 12), alike, "triangles");
  const std::vector<double> made = record(in + "made.nc", "c_made", 192);
  std::vector<double> coarser;
  for (std::size_t c = 0; c < made.size(); c += 4) {
    double sum = 0;
    double count = 0;
    for (std::size_t child = c; child < c + 4; ++child) {
      if (std::isnan(made[child])) continue;
      sum += made[child];
      count += 1;
    }
    coarser.push_back(mean_of(sum, count));
  }
  expect_same(record(in + "made_level1.nc", "c_made", 48), coarser, "made");
  EXPECT_GT(std::count_if(coarser.begin(), coarser.end(), [](double v) { return !std::isnan(v); }),
            40);
}

void look_at_descriptions(const std::string& in) {
  const std::string any = printed(in + "least_level1.nc");
  const std::vector<double> lon{42.5, 152.5, 267.5, 345};
  expect_same(test::values(any, "lon"), lon, "lon");
  expect_same(test::values(any, "bounds_lon"), {0, 90, 90, 200, 200, 330, 330, 360}, "bounds_lon");
  expect_same(test::values(any, "lat"), {-50, 22.5, 75}, "lat");
  expect_same(test::values(any, "bounds_lat"), {-90, -10, -10, 60, 60, 90}, "bounds_lat");
  EXPECT_THAT(any, HasSubstr(R"(c:cell_methods = "area: minimum time: point")"));
  EXPECT_THAT(printed(in + "sums_level2.nc"),
              HasSubstr(R"(c:cell_methods = "area: sum time: point")"));
}

void look_at_pixels_of_levels(const std::string& in) {
  const std::string half = printed(in + "half_level2.nc");
  EXPECT_THAT(half, HasSubstr("cell = 48 ;"));
  EXPECT_THAT(half, HasSubstr("crs:healpix_nside = 2 ;"));
  EXPECT_THAT(half, HasSubstr("crs:refinement_level = 1 ;"));
  EXPECT_THAT(half, HasSubstr(R"(p:cell_methods = "area: mean time: point")"));
  const io::HealpixGrid grid(2, io::HealpixGrid::Order::nested);
  const std::vector<double> lat = test::values(half, "lat");
  ASSERT_EQ(lat.size(), 48U);
  for (std::int64_t c = 0; c < 48; ++c) {
    EXPECT_NEAR(lat[static_cast<std::size_t>(c)], grid.centre(c).lat, 1e-12);
  }
}

void look_at_periods(const std::string& in) {
  const std::vector<double> means = all_of(blocks_of_cells(0), &OfBlock::mean);
  const std::vector<double> coarse = all_of(blocks_of_cells(1), &OfBlock::mean);
  const auto plus = [](std::vector<double> values, double offset) {
    for (double& value : values) value += offset;
    return values;
  };
  for (const auto& [file, size, wanted] :
       {std::tuple("", std::size_t{35}, means), std::tuple("_level1", std::size_t{12}, coarse)}) {
    const std::string two = in + std::string("hourly_2h") + file + ".nc";
    const std::string four = in + std::string("hourly_4h") + file + ".nc";
    for (std::size_t r = 0; r < 2; ++r) {
      const double hours = static_cast<double>(r);
      expect_same(record(two, "c", size, r), plus(wanted, 0.25 + hours), two);
      expect_same(record(two, "largest", size, r), plus(wanted, 0.5 + hours), two);
      expect_same(record(two, "now", size, r), plus(wanted, 0.5 + hours), two);
    }
    expect_same(record(four, "c", size), plus(wanted, 0.75), four);
    expect_same(record(four, "largest", size), plus(wanted, 1.5), four);
    expect_same(record(four, "now", size), plus(wanted, 1.5), four);
    const std::string text = printed(four);
    EXPECT_THAT(text, HasSubstr("time_counter = UNLIMITED ; // (1 currently)"));
    expect_same(test::values(text, "time_centered"), {7200}, "time of " + four);
    expect_same(test::values(text, "time_centered_bounds"), {0, 14400}, "bounds of " + four);
  }
}

TEST(Hierarchy, has_the_means_of_all_cells_below) {
  const std::string calendar = R"(<calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>)";
  const std::string stacked =
      "<context id=\"stacked\" output_dir=\"stacked\">" + calendar + definitions + "</context>";
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::testing::internal::CaptureStderr();
  test::run_three_or_one(
      "<simulation>" + test::context("cells", definitions + std::string(more_files)) + stacked +
          "</simulation>",
      [](Client& client) {
        run(client, false);
        run(client, true);
      },
      [] {
        for (const char* const in : {"", "stacked/"}) {
          look_at_pixels(in);
          look_at_blocks(in);
          look_at_pixels_of_levels(in);
          look_at_stores(in);
        }
        look_at_other_pixels("");
        look_at_other_blocks("");
        look_at_descriptions("");
        look_at_periods("");
      });
  const std::string told = ::testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  // Would have found that corners which are there were said to be missing, once for each level.
  EXPECT_THAT(told,
              HasSubstr("all cells of domain 'odd' count alike in <coarsen_domain> (it has no "
                        "areas, and cells without four corners). Give it area?"));
  EXPECT_EQ(told.find("count alike"), told.rfind("count alike")) << told;
}

}  // namespace
}  // namespace epios::client::hierarchy_test
