// Grids of a context whose sizes and coordinates come from files that are read. First all clients
// say what they lack; only then, if anybody lacks anything, files are looked at; coordinates are
// read last, since that takes a context with channels.
#include "context/grids_of_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ep/bytes.hpp>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "context/context_state.hpp"
#include "context/open_grids.hpp"
#include "event/agreement.hpp"

namespace epios::client {

/// What is read, and which grids it has. The first client is the first to know, and has a server
/// look at the files at once; the others, who may share its core, work it out meanwhile.
config::ReadGrids GridsOfFiles::find_read_grids() {
  config::ReadGrids grids;
  const auto is_open = [](const auto& element) {
    return element.lacks_size || !element.has_coordinates;
  };
  if (group_.leads()) {
    grids = definition_.known().read_grids(group_.id());
    if (grids.lacks_stations ||
        std::any_of(grids.elements.begin(), grids.elements.end(), is_open)) {
      group_.client().control().ask_about(grids.files);
      asked_about_files_ = true;
    }
  }
  // Clients that take grids of partners compare at this place what they take (0: nothing).
  compare_what_is_read(group_, 0);
  if (!group_.leads()) grids = definition_.known().read_grids(group_.id());
  return grids;
}

/// What the files say of themselves: one server looks, everybody knows. Meanwhile the clients
/// prepare what will be the Model, unless the files have something for it.
std::vector<config::FileFacts> GridsOfFiles::inspect(const config::ReadGrids& grids,
                                                     bool lack_sizes) {
  const ep::Comm& clients = group_.clients();
  ClientState& client = group_.client();
  std::vector<std::byte> bytes;
  io::all_or_none(clients, [&] {
    if (group_.leads() && !asked_about_files_) client.control().ask_about(grids.files);
    if (!lack_sizes && grids.is_resolved) definition_.prepare(grids);
    if (!group_.leads()) return;
    io::Inspected answer;
    ep::wait_until(client.servers(), {"what the files to read say of their grids", io::leader},
                   [&] {
                     client.control().poll();
                     return client.control().take_inspected(answer);
                   });
    bytes = config::encode(answer.files);
  });
  return config::decode_facts(ep::broadcast_bytes(clients, io::leader, std::move(bytes)));
}

void GridsOfFiles::complete() {
  const ep::Comm& clients = group_.clients();
  const config::ReadGrids grids = find_read_grids();
  const OpenGrids open = compare_open_grids(group_, grids, grids.hash());
  const auto& wants = open.want_coordinates;
  if (!open.lack_sizes && std::find(wants.begin(), wants.end(), true) == wants.end()) return;
  const std::vector<config::FileFacts> files = inspect(grids, open.lack_sizes);
  Wishes wishes;
  io::all_or_none(clients, [&] {
    try {
      wishes = definition_.definitions().complete(group_.id(), grids, files, wants);
    } catch (const Error& error) {
      throw definition_.with_context(error);
    }
  });
  if (wishes.empty()) return;
  config::Model model;
  io::all_or_none(clients, [&] {
    model = definition_.take_prepared();  // coordinates become parts of it
    distribute_domains(group_, definition_, model, grids);
  });
  read_coordinates(model, grids, wishes);
}

/// What is wished for, as a context of its own reads it: each client has that of its part.
GridsOfFiles::Values GridsOfFiles::receive_coordinates(const config::Model& model,
                                                       const config::ReadGrids& grids,
                                                       const Wishes& wishes) {
  const std::string id = group_.id() + ": coordinates of files";
  ContextState& reader = group_.client().open_among(id, [&] { return group_.dup(); });
  io::all_or_none(group_.clients(), [&] {
    reader.definition().read_for(definition_, config::coordinate_reader(model, grids, wishes, id));
  });
  reader.close_definition();
  ContextRun& run = reader.run(RunCall::receive);
  Values out;
  for (std::size_t w = 0; w < wishes.size(); ++w) {
    const int field = run.numbers().received(fmt::format("{}", w));
    out.emplace_back(run.received().array_size(field));
    run.receive(field, std::span<double>(out.back()));
  }
  reader.finalize();
  return out;
}

void GridsOfFiles::read_coordinates(const config::Model& model, const config::ReadGrids& grids,
                                    const Wishes& wishes) {
  Values values = receive_coordinates(model, grids, wishes);
  read_corners(model, grids, wishes, values);
  config::Definitions& definitions = definition_.definitions();
  io::all_or_none(group_.clients(), [&] {
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      const config::CoordinateWish& wish = wishes[w];
      const auto& element = nth(grids.elements, wish.element);
      if (wish.attribute.starts_with("lonvalue") || wish.attribute.starts_with("latvalue")) {
        definitions.keep_coordinates(group_.id(), element.id);
      }
      auto value = config::coordinate_value(model, grids, wish, std::move(values[w]));
      const std::string call = fmt::format("file '{}' (variable '{}')", wish.path, wish.variable);
      definitions.set(group_.id(), element.kind, element.id, wish.attribute, std::move(value),
                      call);
    }
  });
}

/// Where cells name their corners, these are read next: `values` are the names until then.
void GridsOfFiles::read_corners(const config::Model& model, const config::ReadGrids& grids,
                                const Wishes& wishes, Values& values) {
  Wishes nodes;
  std::vector<config::CellCorners> corners;
  std::vector<std::size_t> which;
  io::all_or_none(group_.clients(), [&] {
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      if (wishes[w].connectivity.empty()) continue;
      which.push_back(w);
      corners.push_back(config::corners_of(wishes[w], values[w]));
      nodes.push_back(wishes[w]);
      nodes.back().nodes = corners.back().nodes;
    }
  });
  if (nodes.empty()) return;
  const auto of_nodes = receive_coordinates(model, grids, nodes);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto& places = corners[k].places;
    std::transform(places.begin(), places.end(), values[which[k]].begin(),
                   [&](std::size_t place) { return of_nodes[k][place]; });
  }
}

}  // namespace epios::client
