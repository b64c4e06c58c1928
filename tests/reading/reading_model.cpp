// Round trips: random cases of grids are written by one context and read back by another one, whose
// clients have other parts of them. Every value is compared, bit by bit, with what the lowest rank
// that had the point has written.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../grids/case_program.hpp"
#include "../grids/define_case.hpp"
#include "../grids/random_case.hpp"

namespace {

namespace client = epios::client;
using grids::Case;
using grids::Element;
using grids::Field;
using grids::Kind;
using grids::Local;

constexpr double untouched = -123456.75;  // also as a float

/// The array of what a client writes of a field.
std::vector<double> sent_array(const Case& of, const grids::Client& mine, const Field& field,
                               std::int64_t step, int rank) {
  std::vector<double> data(static_cast<std::size_t>(array_size(of, mine, field.grid)), 7.5e30);
  for (std::size_t place = 0; place < data.size(); ++place) {
    const auto point = point_at(of, mine, field.grid, static_cast<std::int64_t>(place));
    if (std::all_of(point.begin(), point.end(), [](auto index) { return index >= 0; })) {
      data[place] = value_at(of, field, step, rank, point);
    }
  }
  return data;
}

void write_case(client::Client& client, const Case& of, const grids::Client& mine) {
  client::Context context = client.open_context(of.id);
  define_grids(context, of, mine);
  const client::Element file = context.at("file_definition").child("file");
  file.set("name", of.id).set("output_freq", "1h");
  if (of.salt % 3 == 0) file.set("compression_level", 1);
  for (const Field& field : of.fields) {
    const client::Element to = context.at("field_definition").child("field", field.id);
    to.set("grid_ref", of.grids[static_cast<std::size_t>(field.grid)].id);
    if (field.default_value) {
      to.set("default_value", *field.default_value).set("detect_missing_value", true);
    }
    file.child("field")
        .set("field_ref", field.id)
        .set("name", field.id)
        .set("operation", "instant")
        .set("prec", field.prec);
  }
  context.close_definition();
  for (std::int64_t step = 1; step <= grids::steps; ++step) {
    context.update_calendar(step);
    for (const Field& field : of.fields) {
      const auto data = sent_array(of, mine, field, step, client.rank());
      context.send(field.id, std::span<const double>(data));
    }
  }
  context.finalize();
}

/// The same grids in other parts.
Case dealt_anew(const Case& of) {
  Case out = of;
  out.id += "_read";
  for (Element& element : out.elements) {
    element.salt = element.salt * 6364136223846793005U + 1442695040888963407U;
    const int turn = static_cast<int>(element.salt >> 60U);
    element.dealing = static_cast<grids::Dealing>((static_cast<int>(element.dealing) + turn) % 5);
    if (element.kind == Kind::scalar) element.dealing = grids::Dealing::whole;
  }
  // Other points have no value then, also on grids that had all of them.
  std::uint64_t salt = out.salt;
  for (grids::Grid& grid : out.grids) {
    salt = salt * 6364136223846793005U + 1442695040888963407U;
    grid.has_mask = salt >> 62U == 0;
  }
  return out;
}

struct Written {
  const Case& of;
  std::vector<grids::Client> clients;

  /// What the file has at a point; none: nobody has written it.
  std::optional<double> at(const Field& field, std::int64_t step,
                           const std::vector<std::int64_t>& point) const {
    for (std::size_t rank = 0; rank < clients.size(); ++rank) {
      if (place_of(of, clients[rank], field.grid, point) < 0) continue;
      const double value = value_at(of, field, step, static_cast<int>(rank), point);
      return field.prec == 4 ? static_cast<double>(static_cast<float>(value)) : value;
    }
    return std::nullopt;
  }
};

/// Whether the cell at a place of the array is masked: its point may be somewhere else, too.
bool is_masked(const Case& of, const grids::Client& mine, int grid, std::int64_t place) {
  const std::vector<unsigned char>& mask = mine.masks[static_cast<std::size_t>(grid)];
  std::int64_t cell_of_grid = 0;
  std::int64_t stride = 1;
  for (const int e : of.grids[static_cast<std::size_t>(grid)].elements) {
    const Local& local = mine.elements[static_cast<std::size_t>(e)];
    const auto count = static_cast<std::int64_t>(local.places.size());
    const std::int64_t cell = local.places[static_cast<std::size_t>(place % count)];
    place /= count;
    if (cell < 0) return true;
    if (!local.mask.empty() && local.mask[static_cast<std::size_t>(cell)] == 0) return true;
    cell_of_grid += cell * stride;
    stride *= static_cast<std::int64_t>(local.cells.size());
  }
  return !mask.empty() && mask[static_cast<std::size_t>(cell_of_grid)] == 0;
}

template <class T>
void check(const Written& written, const Case& of, const grids::Client& mine, const Field& field,
           std::int64_t step, bool fills, const std::vector<T>& data) {
  for (std::size_t place = 0; place < data.size(); ++place) {
    const auto point = point_at(of, mine, field.grid, static_cast<std::int64_t>(place));
    const bool is_point =
        std::all_of(point.begin(), point.end(), [](auto index) { return index >= 0; });
    const bool is_own =
        is_point && !is_masked(of, mine, field.grid, static_cast<std::int64_t>(place));
    const std::int64_t own = is_own ? place_of(of, mine, field.grid, point) : -1;
    double wanted = fills ? *field.default_value : untouched;
    if (own >= 0) {
      const auto value = written.at(field, step, point);
      if (!value && !field.default_value) continue;  // whatever the file holds
      wanted = value.value_or(field.default_value.value_or(0));
      if (field.prec == 4) wanted = static_cast<double>(static_cast<float>(wanted));
    }
    const T expected = static_cast<T>(wanted);
    if (data[place] == expected || (std::isnan(data[place]) && std::isnan(expected))) continue;
    throw std::runtime_error("field " + field.id + ", step " + std::to_string(step) + ", place " +
                             std::to_string(place) + " of " + std::to_string(data.size()) +
                             (own >= 0 ? "" : " (no point)") + ": " + std::to_string(data[place]) +
                             " (expected " + std::to_string(expected) + ")");
  }
}

void read_case(client::Client& client, const Written& written) {
  const Case of = dealt_anew(written.of);
  const grids::Client mine = make_client(of, client.rank(), client.size());
  client::Context context = client.open_context(of.id);
  define_grids(context, of, mine);
  const bool is_late = of.salt % 2 == 0;
  const bool fills = of.salt % 5 < 2;
  const client::Element file = context.at("file_definition").child("file");
  file.set("name", written.of.id).set("output_freq", "1h").set("mode", "read");
  for (const Field& field : of.fields) {
    const client::Element to = file.child("field", field.id);
    to.set("grid_ref", of.grids[static_cast<std::size_t>(field.grid)].id);
    to.set("operation", "instant").set("read_access", of.salt % 7 != 0);
    if (is_late) to.set("freq_offset", "1h");
    if (fills && field.default_value) to.set("default_value", *field.default_value);
  }
  context.close_definition();
  std::mt19937_64 random(of.salt);
  for (std::int64_t step = 1; step <= grids::steps; ++step) {
    const std::int64_t now = is_late ? step : step - 1;
    context.update_calendar(now);
    std::vector<const Field*> fields;
    for (const Field& field : of.fields) fields.push_back(&field);
    if (random() % 2 == 0) std::shuffle(fields.begin(), fields.end(), random);
    for (const Field* field : fields) {
      if (random() % 4 == 0) continue;
      const auto size = static_cast<std::size_t>(array_size(of, mine, field->grid));
      const bool filled = fills && field->default_value.has_value();
      if (field->is_single) {
        std::vector<float> data(size, static_cast<float>(untouched));
        context.receive(field->id, std::span<float>(data));
        check(written, of, mine, *field, step, filled, data);
      } else {
        std::vector<double> data(size, untouched);
        context.receive(field->id, std::span<double>(data));
        check(written, of, mine, *field, step, filled, data);
      }
    }
  }
  context.finalize();
}

void run_case(client::Client& client, Case of) {
  for (Field& field : of.fields) field.is_average = false;
  Written written{of, {}};
  for (int rank = 0; rank < client.size(); ++rank) {
    written.clients.push_back(make_client(of, rank, client.size()));
  }
  write_case(client, of, written.clients[static_cast<std::size_t>(client.rank())]);
  read_case(client, written);
}

void run_client(const grids::CaseOptions& options, const client::Session& session, int index) {
  client::Client client(session, index);
  for (int number = options.first; number <= options.last; ++number) {
    try {
      run_case(client, grids::make_case(options.seed, number));
    } catch (const std::exception& error) {
      grids::give_up("reading_model", client, number, error.what());
    }
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  return grids::play_cases(argc, argv, "reading_model", "reading",
                           [](const grids::CaseOptions& options, const client::Session& session) {
                             grids::run_in_threads(options.threads, [&](int thread) {
                               run_client(options, session, thread);
                             });
                           });
}
