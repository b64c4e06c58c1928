// Grids of a context whose sizes and coordinates come from files that are read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ep/bytes.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/read_grids.hpp"
#include "config/spatial.hpp"
#include "context/context_state.hpp"
#include "event/agreement.hpp"
#include "space/steps.hpp"

namespace epios::client {

/// What is read, and which grids it has. The first client is the first to know, and has a server
/// look at the files at once; the others, who may share its core, work it out meanwhile.
config::ReadGrids ContextState::find_read_grids() {
  const ep::Comm& clients = this->clients();
  config::ReadGrids grids;
  const auto is_open = [](const auto& element) {
    return element.lacks_size || !element.has_coordinates;
  };
  if (clients.rank() == io::leader) {
    grids = definitions_.read_grids(id_);
    if (std::any_of(grids.elements.begin(), grids.elements.end(), is_open)) {
      client_.ask_about(grids.files);
      asked_about_files_ = true;
    }
  }
  // Clients that take grids of partners compare at this place what they take (0: nothing).
  compare_wishes(0);
  if (clients.rank() != io::leader) grids = definitions_.read_grids(id_);
  return grids;
}

/// What the files say of themselves: one server looks, everybody knows. Meanwhile the clients
/// prepare what will be the Model, unless the files have something for it.
std::vector<config::FileFacts> ContextState::inspect(const config::ReadGrids& grids,
                                                     bool lack_sizes) {
  const ep::Comm& clients = this->clients();
  std::vector<std::byte> bytes;
  io::all_or_none(clients, [&] {
    const bool is_leader = clients.rank() == io::leader;
    if (is_leader && !asked_about_files_) client_.ask_about(grids.files);
    if (!lack_sizes && grids.is_resolved) {
      ahead_ = Resolved{std::make_unique<config::Model>(*grids.draft), grids.warnings,
                        config::global_hash(*grids.draft)};
    }
    if (!is_leader) return;
    io::Inspected answer;
    ep::wait_until(client_.servers(), {"what the files to read say of their grids", io::leader},
                   [&] {
                     client_.poll();
                     return client_.take_inspected(answer);
                   });
    bytes = config::encode(answer.files);
  });
  return config::decode_facts(ep::broadcast_bytes(clients, io::leader, std::move(bytes)));
}

/// Of what is read or received. Collective; all throw alike.
void ContextState::compare_wishes(std::uint64_t hash) const {
  // Hashes as their own and their complement, so that one reduction finds both ends.
  const std::array<std::uint64_t, 2> mine{hash, ~hash};
  std::array<std::uint64_t, 2> most{};
  ep::check(EP_Allreduce(mine.data(), most.data(), 2, MPI_UINT64_T, MPI_MAX, clients().get()));
  if (most[0] == ~most[1]) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("context '{}': what is read or received, or its grids, differs between "
                          "clients. Do all processes read the same XML and set the same global "
                          "attributes?",
                          id_));
}

/// Elements whose sizes somebody lacks, and those whose coordinates nobody gives.
ContextState::OpenGrids ContextState::compare_open_grids(const config::ReadGrids& grids,
                                                         std::uint64_t hash) {
  const ep::Comm& clients = this->clients();
  const std::size_t count = grids.elements.size();
  compare_wishes(hash);
  std::vector<int> own;
  for (const auto& element : grids.elements) {
    own.push_back(element.lacks_size ? 1 : 0);
    own.push_back(element.has_coordinates ? 1 : 0);
  }
  std::vector<int> all(own.size());
  if (count > 0) {
    ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(own.size()), MPI_INT, MPI_MAX,
                           clients.get()));
  }
  OpenGrids open;
  for (std::size_t e = 0; e < count; ++e) {
    open.lack_sizes = open.lack_sizes || all[2 * e] != 0;
    open.lack_size_of.push_back(all[2 * e] != 0);
    open.want_coordinates.push_back(all[2 * e + 1] == 0);
  }
  return open;
}

void ContextState::complete_grids() {
  if (settings_of_ != &definitions_) return;  // it reads them for another one
  const ep::Comm& clients = this->clients();
  const config::ReadGrids grids = find_read_grids();
  const OpenGrids open = compare_open_grids(grids, grids.hash());
  const auto& wants = open.want_coordinates;
  if (!open.lack_sizes && std::find(wants.begin(), wants.end(), true) == wants.end()) return;
  const std::vector<config::FileFacts> files = inspect(grids, open.lack_sizes);
  std::vector<config::CoordinateWish> wishes;
  io::all_or_none(clients, [&] {
    try {
      wishes = definitions_.complete(id_, grids, files, wants);
    } catch (const Error& error) {
      throw with_context(error);
    }
  });
  if (wishes.empty()) return;
  config::Model model;
  io::all_or_none(clients, [&] {
    model = ahead_ ? std::move(*ahead_->model) : resolved();
    ahead_.reset();  // coordinates become parts of it
    deal_out(model, grids);
  });
  read_coordinates(model, grids, wishes);
}

/// What is wished for, as a context of its own reads it: each client has that of its part.
std::vector<std::vector<double>> ContextState::receive_coordinates(
    const config::Model& model, const config::ReadGrids& grids,
    const std::vector<config::CoordinateWish>& wishes) {
  const ep::Comm& clients = this->clients();
  const std::string id = id_ + ": coordinates of files";
  ContextState& reader = client_.open_among(id, [&] { return among_ ? among_.dup() : ep::Comm(); });
  reader.settings_of_ = &definitions_;
  io::all_or_none(
      clients, [&] { reader.definitions_ = config::coordinate_reader(model, grids, wishes, id); });
  reader.close_definition();
  std::vector<std::vector<double>> out;
  for (std::size_t w = 0; w < wishes.size(); ++w) {
    const int field = reader.read_field(fmt::format("{}", w));
    out.emplace_back(static_cast<std::size_t>(reader.read_link_->array_size(field)));
    reader.receive(field, std::span<double>(out.back()));
  }
  reader.finalize();
  return out;
}

/// Domains that are dealt out (<generate_rectilinear_domain>) get their parts before their
/// coordinates: those are read of the parts.
void ContextState::deal_out(config::Model& model, const config::ReadGrids& grids) {
  config::Model dealt;
  for (const auto& element : grids.elements) {
    if (element.kind != config::ElementKind::domain) continue;
    for (const config::Domain& domain : model.domains) {
      if (domain.id != element.id || !config::is_dealt_out(domain)) continue;
      config::Domain& part = dealt.domains.emplace_back(domain);
      std::erase_if(part.transformations, [](const config::Transformation& t) {
        return t.kind != config::ElementKind::generate_rectilinear_domain;
      });
    }
  }
  if (dealt.domains.empty()) return;
  io::shape_elements(dealt, clients());
  for (const config::Domain& domain : dealt.domains) {
    const config::DomainAttributes& part = domain.attributes;
    const auto own = std::find_if(model.domains.begin(), model.domains.end(),
                                  [&](const config::Domain& d) { return d.id == domain.id; });
    const auto set = [&](const char* name,
                         std::optional<std::int64_t> config::DomainAttributes::*attribute) {
      own->attributes.*attribute = part.*attribute;
      definitions_.set(id_, config::ElementKind::domain, domain.id, name, *(part.*attribute),
                       "<generate_rectilinear_domain>");
    };
    set("ibegin", &config::DomainAttributes::ibegin);
    set("ni", &config::DomainAttributes::ni);
    set("jbegin", &config::DomainAttributes::jbegin);
    set("nj", &config::DomainAttributes::nj);
  }
}

void ContextState::read_coordinates(const config::Model& model, const config::ReadGrids& grids,
                                    const std::vector<config::CoordinateWish>& wishes) {
  const ep::Comm& clients = this->clients();
  std::vector<std::vector<double>> values = receive_coordinates(model, grids, wishes);
  read_corners(model, grids, wishes, values);
  io::all_or_none(clients, [&] {
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      const auto& element = grids.elements[static_cast<std::size_t>(wishes[w].element)];
      if (wishes[w].attribute.starts_with("lonvalue") ||
          wishes[w].attribute.starts_with("latvalue")) {
        definitions_.keep_coordinates(id_, element.id);
      }
      auto value = config::coordinate_value(model, grids, wishes[w], std::move(values[w]));
      if (!value) continue;
      const std::string call =
          fmt::format("file '{}' (variable '{}')", wishes[w].path, wishes[w].variable);
      definitions_.set(id_, element.kind, element.id, wishes[w].attribute, std::move(*value), call);
    }
  });
}

/// Where cells name their corners, these are read next: `values` are the names until then.
void ContextState::read_corners(const config::Model& model, const config::ReadGrids& grids,
                                const std::vector<config::CoordinateWish>& wishes,
                                std::vector<std::vector<double>>& values) {
  std::vector<config::CoordinateWish> nodes;
  std::vector<config::CellCorners> corners;
  std::vector<std::size_t> which;
  io::all_or_none(clients(), [&] {
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
