// Opening parts of clients that lie: bytes that begin as the part of a real client of a real model
// and are then changed, or any bytes at all. What the checks let through is used as a server uses
// it: points are settled, coordinates assembled, what is read is placed.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../grid/steps_on_servers.hpp"
#include "config/error.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/routing.hpp"

namespace {

using epios::config::Model;
using namespace epios::io;  // NOLINT(google-build-using-namespace)
using Message = std::vector<std::byte>;

constexpr const char* masked_model = R"(<simulation><context id="c">
  <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
  <domain_definition>
    <domain id="d" ni_glo="4" nj_glo="3" type="rectilinear" ni="2" nj="3" ibegin="1" jbegin="0"
            lonvalue_1d="(0,1)[10 20]" latvalue_1d="(0,2)[0 1 2]"/>
    <domain id="u" ni_glo="5" type="unstructured" ni="3" ibegin="1" nvertex="3"
            lonvalue_1d="(0,2)[1 2 3]" latvalue_1d="(0,2)[1 2 3]"/>
  </domain_definition>
  <axis_definition><axis id="z" n_glo="2" value="(0,1)[1 2]"/></axis_definition>
  <grid_definition>
    <grid id="g" mask_3d="(0,1)x(0,2)x(0,1)[1 0 1 1 1 1 1 1 0 1 1 1]">
      <domain domain_ref="d"/><axis axis_ref="z"/></grid>
  </grid_definition>
  <field_definition operation="instant">
    <field id="a" grid_ref="g"/><field id="b" domain_ref="u"/>
  </field_definition>
  <file_definition>
    <file id="w" output_freq="1h"><field field_ref="a"/><field field_ref="b"/></file>
    <file id="r" mode="read" output_freq="1h"><field id="in" name="in" domain_ref="u" operation="instant"/></file>
  </file_definition></context></simulation>)";

Model model_of(const char* xml) {
  epios::config::Definitions definitions{
      epios::config::Document(epios::config::SourceTexts{{"iodef.xml", xml}})};
  return definitions.resolve("c", epios::config::Purpose::plan);
}

/// What one server knows before the parts come.
struct Scene {
  Model model;
  Pieces pieces;
  Pieces read_pieces;
  CoordinateForms forms;
  std::array<Message, 2> messages;  // of two clients

  Scene(Model its, int servers, int rank) : model(std::move(its)) {
    constexpr std::int64_t shared = 1;
    const auto r = static_cast<std::size_t>(rank);
    pieces = pieces_of(model, place_files(model, servers, shared), servers)[r];
    read_pieces = read_pieces_of(model, place_read_files(model, servers, shared), servers)[r];
    forms = local_forms(model);
    const LocalParts parts(model);
    for (int client = 0; client < 2; ++client) {
      OpeningPart part =
          opening_part(model, parts, pieces, local_holders(model, parts, forms, client), client);
      part.read_windows = read_windows(model, parts, read_pieces);
      part.is_notified_of.assign(read_pieces.grids.size(), 0);
      part.rows.resize(pieces.steps.size());
      messages[static_cast<std::size_t>(client)] = encode(part);
    }
  }
};

const std::vector<std::unique_ptr<Scene>>& scenes() {
  static const std::vector<std::unique_ptr<Scene>> all = [] {
    std::vector<std::unique_ptr<Scene>> out;
    for (int servers = 1; servers <= 2; ++servers) {
      for (int rank = 0; rank < servers; ++rank) {
        out.push_back(std::make_unique<Scene>(model_of(masked_model), servers, rank));
        out.push_back(std::make_unique<Scene>(epios::io::test::model_with_steps(), servers, rank));
      }
    }
    return out;
  }();
  return all;
}

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t out = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return out;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Changes, removes or adds bytes of a message, at places from the front or from the end.
void damage(Message& message, Input& in) {
  for (int edits = in.byte() % 16; edits > 0 && !message.empty(); --edits) {
    const std::uint8_t how = in.byte();
    const std::size_t at = (in.byte() + 256U * (in.byte() % 8U)) % message.size();
    const auto place = message.begin() + static_cast<std::ptrdiff_t>(at);
    switch (how % 4) {
      case 0:
        *place = static_cast<std::byte>(in.byte());
        break;
      case 1:
        *place = static_cast<std::byte>(static_cast<unsigned>(*place) + 1);
        break;
      case 2:
        message.erase(place);
        break;
      default:
        message.insert(place, static_cast<std::byte>(in.byte()));
    }
  }
}

std::vector<OpeningPart> parts_of(const Scene& scene, Input& in) {
  std::vector<OpeningPart> out;
  const bool are_any_bytes = in.byte() % 8 == 0;
  for (const Message& real : scene.messages) {
    Message message = real;
    if (are_any_bytes) {
      constexpr std::size_t front = 9;
      message.resize(front);
      for (std::size_t left = in.size() / 2; left > 0; --left) {
        message.push_back(static_cast<std::byte>(in.byte()));
      }
    } else {
      damage(message, in);
    }
    OpeningPart part = decode_opening_part(message);
    check_opening_part(scene.model, scene.pieces, part);
    check_read_windows(scene.read_pieces, part);
    part.client = static_cast<int>(out.size());  // the server refuses others
    out.push_back(std::move(part));
  }
  return out;
}

/// As server/src/contexts and server/src/records do.
void use(const Scene& scene, const std::vector<OpeningPart>& parts) {
  for (std::size_t g = 0; g < scene.pieces.grids.size(); ++g) {
    std::vector<std::int64_t> points;
    std::int64_t volume = 1;
    for (const int window : scene.pieces.grids[g].windows) {
      points.push_back(scene.pieces.windows[static_cast<std::size_t>(window)].window.volume());
      volume *= points.back();
    }
    const Settlement settled = settle(offers_of(scene.pieces, g, parts), points);
    if (settled.missing < 0 || settled.missing > volume) std::abort();
    static_cast<void>(settle(holdings_of(scene.pieces, g, parts), points));
  }
  const AssembledCoordinates coordinates =
      assemble_coordinates(scene.model, scene.pieces, scene.forms, parts);
  if (coordinates.slabs.size() != scene.pieces.coordinate_windows.size()) std::abort();
  for (const OpeningPart& part : parts) {
    for (std::size_t g = 0; g < scene.read_pieces.grids.size(); ++g) {
      const Pattern pattern = pattern_in_slab(scene.read_pieces, g, part.read_windows);
      const std::int64_t slab = scene.read_pieces.grids[g].slab.volume();
      pattern.for_each([&](std::int64_t /*number*/, std::int64_t place) {
        if (place < 0 || place >= slab) std::abort();
      });
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in({data, size});
  const Scene& scene = *scenes()[in.byte() % scenes().size()];
  try {
    use(scene, parts_of(scene, in));
  } catch (const epios::Error& error) {
    if (error.code() != epios::ErrorCode::protocol) {
      std::fprintf(stderr, "opening_fuzz: refused as something else: %s\n", error.what());
      std::abort();
    }
  }
  return 0;
}
