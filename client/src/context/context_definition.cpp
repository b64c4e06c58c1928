// What a context is before the time loop. Each client resolves its definitions into a Model; a hash
// shows whether the global part of all Models is the same, and only if not, the text of the first
// client's Model travels to show where they differ. In this order: what the model asks and sets,
// resolving, comparing.
#include "context/context_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <ep/bytes.hpp>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "context/grids_of_files.hpp"
#include "context/grids_of_partners.hpp"
#include "event/agreement.hpp"
#include "grids/point_coordinates.hpp"
#include "grids/resolved_layout.hpp"
#include "space/steps.hpp"

namespace epios::client {
namespace {

/// Returns the first line in which two texts differ: "ours" against "theirs".
std::string first_difference(const std::string& ours, const std::string& theirs) {
  std::istringstream a(ours);
  std::istringstream b(theirs);
  std::string line_a;
  std::string line_b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "no visible difference";
    if (more_a != more_b || line_a != line_b) {
      return fmt::format("here '{}', on client 0 '{}'", more_a ? line_a : "", more_b ? line_b : "");
    }
  }
}

/// Returns the leader's text on every client. Collective.
std::string broadcast_text(const ep::Comm& clients, std::string_view text) {
  const auto own = std::as_bytes(std::span(text));
  const auto bytes = ep::broadcast_bytes(clients, io::leader, {own.begin(), own.end()});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ContextDefinition::ContextDefinition(ContextGroup& group)
    : group_(group), definitions_(group.client().session().definitions()) {
  io::report_once(group_.clients(), [this] { definitions_.open_context(group_.id()); });
}

ContextDefinition::~ContextDefinition() = default;

config::Definitions& ContextDefinition::definitions() {
  if (!is_closed_) return definitions_;
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': definitions cannot change any more (the definition is "
                          "closed). Move the call before epios_close_definition?",
                          group_.id()));
}

std::optional<config::Value> ContextDefinition::value(config::ElementHandle element,
                                                      std::string_view attribute) const {
  auto given = definitions_.get(group_.id(), element, attribute);
  if (!is_closed_) return given;
  const std::string& id = definitions_.id(group_.id(), element);
  // What an element inherits says nothing of what a transformation has made of it.
  for (const std::string_view tag : {"domain", "axis"}) {
    if (definitions_.find(group_.id(), tag, id) != element) continue;
    return resolved_layout(*model_, tag, id, attribute, std::move(given));
  }
  if (!given && definitions_.find(group_.id(), "compute_connectivity_domain", id) == element) {
    return computed_value(*model_, id, attribute);
  }
  return given;
}

std::optional<std::string> ContextDefinition::variable(std::string_view id) const {
  return definitions_.variable(group_.id(), id);
}

bool ContextDefinition::set_variable(std::string_view id, std::string_view text) {
  return definitions_.set_variable(group_.id(), id, text);
}

void ContextDefinition::read_for(const ContextDefinition& other, config::Definitions definitions) {
  settings_of_ = &other.definitions_;
  definitions_ = std::move(definitions);
}

RunSettings ContextDefinition::settings() const { return read_run_settings(*settings_of_); }

void ContextDefinition::complete_grids(ContextProgress& progress) {
  if (is_reader()) return;
  GridsOfPartners partners(group_, *this, progress);
  partners.take();
  GridsOfFiles(group_, *this).complete();
  partners.set_coordinates();
}

void ContextDefinition::close() {
  definitions_.solve_inheritance(group_.id());
  is_closed_ = true;
}

Error ContextDefinition::with_context(const Error& error) const {
  constexpr std::string_view call = "API call ";
  std::istringstream in(error.what());
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (!text.empty()) text += '\n';
    if (line.starts_with(call)) text += fmt::format("context '{}': ", group_.id());
    text += line;
  }
  return Error(error.code(), text);
}

ContextDefinition::Resolved ContextDefinition::resolve() const {
  Resolved out;
  try {
    out.model = std::make_unique<config::Model>(
        definitions_.resolve(group_.id(), config::Purpose::run, &out.warnings));
  } catch (const Error& error) {
    throw with_context(error);
  }
  return out;
}

config::Model ContextDefinition::resolved() const { return std::move(*resolve().model); }

void ContextDefinition::prepare(const config::ReadGrids& grids) {
  prepared_ = Resolved{std::make_unique<config::Model>(*grids.draft), grids.warnings,
                       config::global_hash(*grids.draft)};
}

config::Model ContextDefinition::take_prepared() {
  config::Model out = prepared_ ? std::move(*prepared_->model) : resolved();
  prepared_.reset();
  return out;
}

namespace {

/// Returns where a replay has a file: in its own folder, wherever the recorded run had it.
std::string place_in_replay(const std::string& recorded) {
  namespace fs = std::filesystem;
  const fs::path name = fs::path(recorded).lexically_normal();
  const bool is_outside = name.is_absolute() || (!name.empty() && *name.begin() == "..");
  if (!is_outside) return recorded;
  fs::path out = "outside";
  for (const fs::path& part : name.relative_path()) out /= part == ".." ? fs::path("up") : part;
  return out.string();
}

}  // namespace

/// The files of the recorded run stay as they are.
void ContextDefinition::write_into_replay() {
  for (config::File& file : model_->files) file.path = place_in_replay(file.path);
  model_->statistics.path = place_in_replay(model_->statistics.path);
}

void ContextDefinition::agree_on_model() {
  const ep::Comm& clients = group_.clients();
  Resolved own;
  io::all_or_none(clients, [&] {
    if (prepared_) {
      own = std::move(*prepared_);
      prepared_.reset();
    } else {
      own = resolve();
      own.hash = config::global_hash(*own.model);
    }
    model_ = std::move(own.model);
    if (group_.client().session().recorded_run().is_played) write_into_replay();
  });
  if (group_.leads()) group_.client().session().say_once(config::finding_lines(own.warnings));
  compare_models(own.hash);
  io::shape_elements(*model_, clients);
  share_point_coordinates(*model_, clients);
}

/// Throws on all clients, with the first difference, when the Model is not the same on all of them.
void ContextDefinition::compare_models(std::uint64_t hash) const {
  const ep::Comm& clients = group_.clients();
  const std::array<std::uint64_t, 2> own{hash, ~hash};
  std::array<std::uint64_t, 2> least{};
  ep::check(EP_Allreduce(own.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, clients.get()));
  if (least[0] == ~least[1]) return;  // the smallest is the largest
  std::uint64_t leaders = hash;
  ep::check(EP_Bcast(&leaders, 1, MPI_UINT64_T, io::leader, clients.get()));
  const std::string reference =
      broadcast_text(clients, group_.leads() ? config::to_json(*model_) : std::string());
  const auto own_compared = fmt::format("{}", fmt::join(model_->compared_by_clients, ", "));
  std::string compared = broadcast_text(clients, own_compared);
  if (compared.empty()) compared = own_compared;
  io::all_or_none(clients, [&] {
    if (hash == leaders) return;
    const std::string difference = first_difference(config::to_json(*model_), reference);
    throw Error(
        ErrorCode::mismatch,
        compared.empty()
            ? fmt::format("context '{}': global definitions differ between clients ({}). Do all "
                          "processes read the same XML and set the same global attributes?",
                          group_.id(), difference)
            : fmt::format("context '{}': clients give {} other values, so that these are equal on "
                          "some clients only and grids are made in other ways ({}). Give one of "
                          "them a global attribute of its own, such as long_name, or make both of "
                          "one by its reference?",
                          group_.id(), compared, difference));
  });
}

}  // namespace epios::client
