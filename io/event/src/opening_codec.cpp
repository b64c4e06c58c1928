#include "config/byte_fields.hpp"
#include "event/opening.hpp"
#include "message.hpp"

namespace epios::io {

using config::Described;

template <class Archive>
void fields(Archive& archive, Described<CoordinateOffer> auto& offer) {
  archive(offer.cells, offer.rows, offer.area_cells, offer.values, offer.bounds, offer.lon,
          offer.lat, offer.bounds_lon, offer.bounds_lat, offer.area, offer.labels);
}

template <class Archive>
void fields(Archive& archive, Described<StepRows> auto& rows) {
  archive(rows.targets, rows.begin, rows.sources, rows.weights, rows.first_order);
}

template <class Archive>
void fields(Archive& archive, Described<OpeningPart> auto& part) {
  archive(part.opening, part.client, part.remote_rank, part.offered, part.windows);
  archive.items(part.held, part.windows.size());
  archive(part.masks, part.coordinates, part.read_windows, part.is_notified_of, part.rows,
          part.clients, part.error);
}

std::vector<std::byte> encode(const OpeningPart& part) {
  return encode_message(MessageKind::opening_part, part);
}

std::uint64_t opening_of(std::span<const std::byte> bytes) {
  return open_message(bytes, MessageKind::opening_part).get<std::uint64_t>();
}

OpeningPart decode_opening_part(std::span<const std::byte> bytes) {
  return decode_message<OpeningPart>(MessageKind::opening_part, bytes);
}

}  // namespace epios::io
