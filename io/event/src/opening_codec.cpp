#include "config/bytes.hpp"
#include "event/opening.hpp"
#include "message.hpp"

namespace epios::io {

namespace {

using config::ByteReader;
using config::ByteWriter;

void put_coordinates(ByteWriter& writer, const CoordinateOffer& offer) {
  put_runs(writer, offer.cells);
  put_runs(writer, offer.rows);
  put_runs(writer, offer.area_cells);
  for (const auto* values : {&offer.values, &offer.bounds, &offer.lon, &offer.lat,
                             &offer.bounds_lon, &offer.bounds_lat, &offer.area}) {
    writer.put(*values);
  }
  writer.put(static_cast<std::uint64_t>(offer.labels.size()));
  for (const std::string& label : offer.labels) writer.put(std::string_view(label));
}

CoordinateOffer get_coordinates(ByteReader& reader) {
  CoordinateOffer offer;
  offer.cells = get_runs(reader);
  offer.rows = get_runs(reader);
  offer.area_cells = get_runs(reader);
  for (auto* values : {&offer.values, &offer.bounds, &offer.lon, &offer.lat, &offer.bounds_lon,
                       &offer.bounds_lat, &offer.area}) {
    *values = reader.get_vector<double>();
  }
  offer.labels.resize(reader.get_length(sizeof(std::uint64_t)));
  for (std::string& label : offer.labels) label = reader.get_string();
  return offer;
}

void put_rows(ByteWriter& writer, const StepRows& rows) {
  writer.put(rows.targets);
  writer.put(rows.begin);
  writer.put(rows.sources);
  writer.put(rows.weights);
  writer.put(rows.first_order);
}

StepRows get_rows(ByteReader& reader) {
  StepRows rows;
  rows.targets = reader.get_vector<std::int64_t>();
  rows.begin = reader.get_vector<std::int64_t>();
  rows.sources = reader.get_vector<std::int64_t>();
  rows.weights = reader.get_vector<double>();
  rows.first_order = reader.get_vector<double>();
  return rows;
}

}  // namespace

std::vector<std::byte> encode(const OpeningPart& part) {
  ByteWriter writer = begin_message(MessageKind::opening_part);
  writer.put(part.opening);
  writer.put(part.client);
  writer.put(part.remote_rank);
  writer.put(part.offered);
  writer.put(static_cast<std::uint64_t>(part.windows.size()));
  for (const auto& runs : part.windows) put_runs(writer, runs);
  for (const auto& runs : part.held) put_runs(writer, runs);
  writer.put(static_cast<std::uint64_t>(part.masks.size()));
  for (const auto& mask : part.masks) writer.put(mask);
  writer.put(static_cast<std::uint64_t>(part.coordinates.size()));
  for (const auto& offer : part.coordinates) put_coordinates(writer, offer);
  writer.put(static_cast<std::uint64_t>(part.read_windows.size()));
  for (const auto& runs : part.read_windows) put_runs(writer, runs);
  writer.put(part.hears_of);
  writer.put(static_cast<std::uint64_t>(part.rows.size()));
  for (const StepRows& rows : part.rows) put_rows(writer, rows);
  put_runs(writer, part.clients);
  writer.put(std::string_view(part.error));
  return writer.take();
}

std::uint64_t opening_of(std::span<const std::byte> bytes) {
  return open_message(bytes, MessageKind::opening_part).get<std::uint64_t>();
}

OpeningPart decode_opening_part(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::opening_part);
  OpeningPart part;
  part.opening = reader.get<std::uint64_t>();
  part.client = reader.get<int>();
  part.remote_rank = reader.get<int>();
  part.offered = reader.get_vector<std::uint8_t>();
  part.windows.resize(reader.get_length(sizeof(std::uint64_t)));
  for (auto& runs : part.windows) runs = get_runs(reader);
  part.held.resize(part.windows.size());
  for (auto& runs : part.held) runs = get_runs(reader);
  part.masks.resize(reader.get_length(sizeof(std::uint64_t)));
  for (auto& mask : part.masks) mask = reader.get_vector<std::uint64_t>();
  constexpr std::size_t min_offer_bytes = 11 * sizeof(std::uint64_t);
  part.coordinates.resize(reader.get_length(min_offer_bytes));
  for (auto& offer : part.coordinates) offer = get_coordinates(reader);
  part.read_windows.resize(reader.get_length(sizeof(std::uint64_t)));
  for (auto& runs : part.read_windows) runs = get_runs(reader);
  part.hears_of = reader.get_vector<std::uint8_t>();
  constexpr std::size_t min_rows_bytes = 5 * sizeof(std::uint64_t);
  part.rows.resize(reader.get_length(min_rows_bytes));
  for (StepRows& rows : part.rows) rows = get_rows(reader);
  part.clients = get_runs(reader);
  part.error = reader.get_string();
  close_message(reader);
  return part;
}

}  // namespace epios::io
