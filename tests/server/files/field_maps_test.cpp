// Coarse samples of fields, from the slabs of servers through pages to who watches.
#include "files/field_maps.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "config/watched_runs.hpp"
#include "grid/layout.hpp"
#include "grid/part.hpp"

namespace epios::server::field_maps_test {
namespace {

using config::GridElement;

/// A model with one domain, three levels, and a field on each of both grids.
config::Model model_of(const std::string& type, std::int64_t ni, std::int64_t nj) {
  config::Model model;
  model.context_id = "o";
  model.calendar_type = config::CalendarType::no_leap;
  model.timestep = {.hour = 1};
  model.start_date = model.calendar().instant({2000, 1, 1});
  config::Domain& domain = model.domains.emplace_back();
  domain.id = domain.name = "globe";
  domain.attributes.type = type;
  domain.attributes.ni_glo = ni;
  domain.attributes.nj_glo = nj;
  config::Axis& axis = model.axes.emplace_back();
  axis.id = axis.name = "lev";
  axis.attributes.n_glo = 3;
  const GridElement globe{GridElement::Kind::domain, 0};
  model.grids.push_back({"surface", {globe}});
  model.grids.push_back({"levels", {globe, {GridElement::Kind::axis, 0}}});
  model.grids.push_back({"line", {{GridElement::Kind::axis, 0}}});
  config::File& file = model.files.emplace_back();
  file.id = "out";
  for (const int grid : {0, 1, 2}) {
    config::Stream stream;
    stream.name = grid == 0 ? "tos" : grid == 1 ? "thetao" : "mean";
    stream.file = config::FileId(0);
    stream.grid = config::GridId(grid);
    stream.sampling = {config::Operation::average, {.hour = 1}, {}, {.hour = 6}};
    stream.attributes.operation = "average";
    stream.attributes.unit = "degC";
    stream.attributes.default_value = -999;
    stream.attributes.prec = 4;
    file.streams.push_back(model.streams.end_id());
    model.streams.push_back(stream);
  }
  return model;
}

bool is_rectilinear(const config::Model& model) {
  return io::is_rectilinear(model, {GridElement::Kind::domain, 0});
}

/// The place of a cell of the domain on the globe.
std::pair<double, double> place(const config::Model& model, std::int64_t row, std::int64_t column) {
  const io::Extents shape = io::element_shape(model, {GridElement::Kind::domain, 0});
  if (shape.size() == 1) {
    return {std::fmod(0.37 * static_cast<double>(column), 360),
            -90 + 180 * (static_cast<double>(column) + 0.5) / static_cast<double>(shape[0])};
  }
  const double tilt = is_rectilinear(model) ? 0 : 0.01 * static_cast<double>(row);
  return {360 * (static_cast<double>(column) + 0.5) / static_cast<double>(shape[1]) + tilt,
          -90 + 180 * (static_cast<double>(row) + 0.5) / static_cast<double>(shape[0]) + tilt};
}

double value_at(double lon, double lat, std::int64_t level, std::int64_t record) {
  const double value = lat + lon / 1000 + 1000 * static_cast<double>(level + 10 * record);
  return std::abs(lat) > 70 ? -999 : value;  // missing near the poles
}

/// Servers of one job, each with a page of its own.
class Job {
 public:
  Job(config::Model model, int servers, std::int64_t shared_bytes, std::uint32_t slots = 64)
      : model_(std::move(model)),
        placements_(io::place_files(model_, servers, shared_bytes)),
        pieces_(io::pieces_of(model_, placements_, servers)) {
    forms_.axes.resize(1);
    forms_.domains.push_back({});
    forms_.domains[0].has_lon = forms_.domains[0].has_lat = true;
    for (int s = 0; s < servers; ++s) {
      config::RunPage::Contents contents;
      contents.job = job();
      contents.process = s;
      contents.processes = servers;
      contents.slots = {0, 1, 1, 1, slots, 1};
      Server& server = *servers_.emplace_back(std::make_unique<Server>());
      server.page = std::make_unique<config::RunPage>(contents, 1);
      const io::Pieces& pieces = pieces_[static_cast<std::size_t>(s)];
      server.grids = assign_pieces(pieces, {});
      server.shares = assign_streams(model_, pieces, server.grids);
      for (const io::ElementPiece& window : pieces.coordinate_windows) {
        server.coordinates.push_back(coordinates_of(window));
      }
      server.maps.open({model_, pieces, server.shares, forms_, server.coordinates}, *server.page,
                       "ocean", s);
      server.coordinates.clear();  // as ContextOpening::drop_coordinates()
    }
  }
  static std::string job() {
    return std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
           std::to_string(::getpid());
  }
  /// One server writes a record of a field, all of them if none is named.
  void write(int stream, std::int64_t record, int only = -1) {
    for (int s = 0; s < static_cast<int>(servers_.size()); ++s) {
      if (only >= 0 && s != only) continue;
      Server& server = *servers_[static_cast<std::size_t>(s)];
      const StreamAssignment& share = server.shares[static_cast<std::size_t>(stream)];
      if (share.is_concerned()) server.maps.show(stream, record, slab(share, record));
    }
  }
  std::optional<config::MapSample> look(const std::string& field) const {
    config::WatchedMap wanted;
    wanted.component = "ocean";
    wanted.context = "o";
    wanted.field = field;
    config::RunWatch watch(job());
    watch.look();
    return watch.map(job(), wanted);
  }
  /// As if the server were on another node.
  void hide(int server) { servers_[static_cast<std::size_t>(server)]->page->unlink(); }
  const config::Model& model() const { return model_; }
  FieldMaps& maps(int server) { return servers_[static_cast<std::size_t>(server)]->maps; }
  const StreamAssignment& share(int server, int stream) const {
    return servers_[static_cast<std::size_t>(server)]->shares[static_cast<std::size_t>(stream)];
  }
  std::span<const std::byte> slab(const StreamAssignment& share, std::int64_t record) {
    const io::Box& box = share.box_on_file();
    const bool has_rows = io::element_shape(model_, {GridElement::Kind::domain, 0}).size() == 2;
    const std::size_t levels = box.rank() - (has_rows ? 2 : 1);
    values_.clear();
    for (std::int64_t n = 0; n < box.volume(); ++n) {
      std::vector<std::int64_t> at(box.rank());
      std::int64_t rest = n;
      for (std::size_t d = box.rank(); d-- > 0; rest /= box.size[d]) {
        at[d] = box.begin[d] + rest % box.size[d];
      }
      const auto [lon, lat] = place(model_, has_rows ? at[levels] : 0, at.back());
      values_.push_back(
          static_cast<float>(value_at(lon, lat, levels == 0 ? 0 : at.front(), record)));
    }
    return std::as_bytes(std::span(values_));
  }

 private:
  struct Server {
    std::unique_ptr<config::RunPage> page;
    std::vector<PieceAssignment> grids;
    std::vector<StreamAssignment> shares;
    std::vector<io::CoordinateSlab> coordinates;
    FieldMaps maps;  // before the page ends
  };
  io::CoordinateSlab coordinates_of(const io::ElementPiece& piece) const {
    io::CoordinateSlab out{piece.element, piece.window, {}, {}, {}, {}, {}, {}, {}, {}};
    if (piece.element.kind != GridElement::Kind::domain || piece.window.is_empty()) return out;
    const io::Box& box = piece.window;
    if (is_rectilinear(model_)) {
      for (std::int64_t i = 0; i < box.size[1]; ++i) {
        out.lon.push_back(place(model_, 0, box.begin[1] + i).first);
      }
      for (std::int64_t j = 0; j < box.size[0]; ++j) {
        out.lat.push_back(place(model_, box.begin[0] + j, 0).second);
      }
      return out;
    }
    for (std::int64_t n = 0; n < box.volume(); ++n) {
      const std::int64_t columns = box.size.back();
      const auto [lon, lat] = place(model_, box.rank() == 2 ? box.begin[0] + n / columns : 0,
                                    box.begin.back() + n % columns);
      out.lon.push_back(lon);
      out.lat.push_back(lat);
    }
    return out;
  }

  config::Model model_;
  std::vector<io::FilePlacement> placements_;
  std::vector<io::Pieces> pieces_;
  io::CoordinateForms forms_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<float> values_;
};

/// All cells are there, at their places, with the values of the first level.
void expect_whole(const config::MapSample& sample, std::int64_t cells, std::int64_t record) {
  EXPECT_EQ(sample.columns * sample.rows, cells);
  ASSERT_EQ(std::ssize(sample.values), cells);
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const double expected = value_at(sample.lon[i], sample.lat[i], 0, record);
    if (std::isnan(sample.values[i])) {
      ++missing;
      ASSERT_LT(expected, -900) << "cell " << i;
    } else {
      ASSERT_NEAR(sample.values[i], expected, 2e-4 * (1 + 10 * static_cast<double>(record)))
          << "cell " << i << " at " << sample.lon[i] << ", " << sample.lat[i];
    }
  }
  EXPECT_GT(missing, 0);
  EXPECT_LT(missing, cells / 2);
}

TEST(FieldMaps, SamplesAreEvenAndInRange) {
  const DomainSample globe = sample_of({1000, 3});
  EXPECT_EQ(globe.columns, 3);
  EXPECT_EQ(globe.rows, 32);
  EXPECT_EQ(globe.places[0].front(), 16);
  EXPECT_EQ(globe.places[0].back(), 996);
  EXPECT_EQ(globe.places[1], (std::vector<std::int64_t>{0, 1, 2}));
  for (const std::int64_t cells :
       {std::int64_t{1}, std::int64_t{2047}, std::int64_t{2049}, std::int64_t{1'000'003}}) {
    const DomainSample mesh = sample_of({cells});
    EXPECT_EQ(mesh.rows, 1);
    EXPECT_LE(mesh.columns, 2048);
    EXPECT_GE(mesh.columns, std::min<std::int64_t>(cells, 1024));
    const std::vector<std::int64_t>& places = mesh.places[0];
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_EQ(std::set<std::int64_t>(places.begin(), places.end()).size(), places.size());
    EXPECT_LT(places.back(), cells);
  }
}

TEST(FieldMaps, ShowEveryKindOfDomainFromAnyNumberOfServers) {
  struct Case {
    const char* type;
    std::int64_t ni, nj, cells;
  };
  for (const Case& one :
       {Case{"rectilinear", 360, 180, 60 * 30}, Case{"rectilinear", 10, 5, 50},
        Case{"curvilinear", 100, 60, 50 * 30}, Case{"unstructured", 12'000, 1, 2000},
        Case{"unstructured", 300, 1, 300}, Case{"healpix", 12 * 32 * 32, 1, 2048},
        Case{"gaussian", 6'114, 1, 2038}}) {
    for (const int servers : {1, 2, 3}) {
      for (const std::int64_t shared_bytes : {1, 1'000'000'000}) {
        SCOPED_TRACE(std::string(one.type) + " " + std::to_string(one.ni) + " on " +
                     std::to_string(servers) + (shared_bytes == 1 ? ", shared" : ", owned"));
        Job job(model_of(one.type, one.ni, one.nj), servers, shared_bytes);
        EXPECT_FALSE(job.look("tos")) << "before the first record";
        job.write(0, 0);
        job.write(0, 1);
        job.write(1, 2);
        const auto surface = job.look("tos");
        ASSERT_TRUE(surface);
        expect_whole(*surface, one.cells, 1);
        EXPECT_EQ(surface->elsewhere, 0);
        EXPECT_EQ(surface->map.date, "2000-01-01 12:00:00");
        EXPECT_EQ(surface->map.unit, "degC");
        EXPECT_EQ(surface->map.level, "");
        EXPECT_EQ(surface->map.record, 1);
        EXPECT_EQ(surface->oldest_record, 1);
        const auto levels = job.look("thetao");
        ASSERT_TRUE(levels);
        expect_whole(*levels, one.cells, 2);
        EXPECT_EQ(levels->map.level, "lev 1 of 3");
        EXPECT_FALSE(job.look("mean")) << "has no domain";
      }
    }
  }
}

// What other nodes write looked like missing values, wherever this node knew its coordinates.
TEST(FieldMaps, LeaveOutWhatOtherNodesWrite) {
  struct Case {
    const char* type;
    std::int64_t ni, nj, cells;
  };
  for (const Case& one : {Case{"rectilinear", 36, 18, 36 * 18}, Case{"curvilinear", 40, 30, 1200},
                          Case{"healpix", 12 * 8 * 8, 1, 768}}) {
    SCOPED_TRACE(one.type);
    Job job(model_of(one.type, one.ni, one.nj), 3, 1);
    job.hide(2);
    job.write(0, 0);
    const auto sample = job.look("tos");
    ASSERT_TRUE(sample);
    EXPECT_GT(sample->elsewhere, one.cells / 5);
    EXPECT_LT(sample->elsewhere, one.cells / 2);
    ASSERT_EQ(std::ssize(sample->values) + sample->elsewhere, one.cells);
    for (std::size_t i = 0; i < sample->values.size(); ++i) {
      const double expected = value_at(sample->lon[i], sample->lat[i], 0, 0);
      EXPECT_EQ(std::isnan(sample->values[i]), expected < -900) << "cell " << i;
    }
  }
}

TEST(FieldMaps, AreListedWithTheRun) {
  Job job(model_of("rectilinear", 36, 18), 2, 1);
  const auto maps = [] {
    const config::WatchedRuns runs = config::RunWatch(Job::job()).look();
    return runs.jobs.at(0).maps;
  };
  ASSERT_EQ(maps().size(), 2U);
  EXPECT_EQ(maps()[0].field, "thetao");
  EXPECT_EQ(maps()[1].field, "tos");
  EXPECT_EQ(maps()[1].record, -1);
  EXPECT_EQ(maps()[1].date, "");
  job.write(0, 3, 1);
  EXPECT_EQ(maps()[1].record, 3);
  EXPECT_EQ(maps()[1].date, "2000-01-02 00:00:00");
  // While one server is ahead, the map says so.
  job.write(0, 2, 0);
  const auto sample = job.look("tos");
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->map.record, 3);
  EXPECT_EQ(sample->oldest_record, 2);
  const std::string json = config::to_json(*sample);
  EXPECT_NE(json.find(R"("field":"tos","unit":"degC","level":"","date":"2000-01-02 00:00:00",)"
                      R"("record":3,"oldest_record":2,"columns":36,"rows":18,"elsewhere":0,)"),
            std::string::npos)
      << json.substr(0, 300);
  EXPECT_NE(json.find("null"), std::string::npos);
}

TEST(FieldMaps, AreThoseOfTheLastOpening) {
  Job before(model_of("curvilinear", 100, 60), 1, 1);
  before.write(0, 9);
  Job other_grid(model_of("rectilinear", 10, 5), 1, 1);
  other_grid.write(0, 8);
  Job job(model_of("curvilinear", 100, 60), 1, 1);
  job.write(0, 1);
  const auto sample = job.look("tos");
  ASSERT_TRUE(sample);
  expect_whole(*sample, 50 * 30, 1);
  EXPECT_EQ(sample->map.record, 1);
}

TEST(FieldMaps, ReadWhatPackingMakesOfValues) {
  config::Model model = model_of("rectilinear", 8, 4);
  auto& attributes = model.streams[config::StreamId(0)].attributes;
  attributes.prec = 2;
  attributes.scale_factor = 0.5;
  attributes.add_offset = 100;
  Job job(std::move(model), 1, 1);
  ASSERT_EQ(job.share(0, 0).form.file_bytes, 2);
  std::vector<std::int16_t> values(32, 7);
  values[0] = static_cast<std::int16_t>(*io::file_fill(job.model().streams[config::StreamId(0)]));
  job.maps(0).show(0, 0, std::as_bytes(std::span(values)));
  const auto sample = job.look("tos");
  ASSERT_TRUE(sample);
  EXPECT_TRUE(std::isnan(sample->values[0]));
  EXPECT_EQ(sample->values[1], 103.5F);
}

TEST(FieldMaps, AreAsManyAsThePageHasRoomFor) {
  config::Model model = model_of("rectilinear", 360, 180);
  const config::Stream field = model.streams[config::StreamId(0)];
  for (int i = 0; i < 30; ++i) {
    model.files[config::FileId(0)].streams.push_back(model.streams.end_id());
    model.streams.push_back(field);
    model.streams.back().name = "f" + std::to_string(i);
  }
  io::CoordinateForms forms;
  forms.axes.resize(1);
  forms.domains.resize(1);
  EXPECT_TRUE(fields_on_maps(model, forms, 16).empty()) << "without coordinates";
  forms.domains[0].has_lon = forms.domains[0].has_lat = true;
  EXPECT_EQ(fields_on_maps(model, forms, 16).size(), 16U);
  EXPECT_EQ(fields_on_maps(model, forms, 99).size(), 32U);
  {
    Job job(model, 1, 1, 20);  // 8 slots each
    job.write(0, 0);
    job.write(1, 0);
    job.write(3, 0);
    EXPECT_TRUE(job.look("tos"));
    EXPECT_TRUE(job.look("thetao"));
    EXPECT_FALSE(job.look("f0")) << "no map in part";
    EXPECT_EQ(config::RunWatch(Job::job()).look().jobs.at(0).unseen, 0);
  }
  ::setenv("EPIOS_PAGE", "0", 1);
  Job job(model, 1, 1);
  ::unsetenv("EPIOS_PAGE");
  job.write(0, 0);
  EXPECT_FALSE(job.look("tos"));
}

TEST(FieldMaps, CostLittle) {
  Job job(model_of("rectilinear", 1440, 720), 1, 1);
  const std::vector<std::byte> slab = [&] {
    const auto values = job.slab(job.share(0, 0), 0);
    return std::vector<std::byte>(values.begin(), values.end());
  }();
  constexpr int records = 200;
  const auto start = std::chrono::steady_clock::now();
  for (int record = 0; record < records; ++record) job.maps(0).show(0, record, slab);
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  std::vector<std::byte> copy(slab.size());
  const auto start_copy = std::chrono::steady_clock::now();
  for (int record = 0; record < records; ++record) {
    std::memcpy(copy.data(), slab.data(), slab.size());
    copy[static_cast<std::size_t>(record)] = std::byte{0};
  }
  const std::chrono::duration<double, std::micro> copying =
      std::chrono::steady_clock::now() - start_copy;
  std::cout << "a map of 4 MB: " << time.count() / records
            << " us; to copy the record once: " << copying.count() / records << " us\n";
  EXPECT_LT(time, copying);
}

}  // namespace
}  // namespace epios::server::field_maps_test
