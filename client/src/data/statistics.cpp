#include "data/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ep/bytes.hpp>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "event/agreement.hpp"
#include "event/event.hpp"
#include "file/data_file.hpp"
#include "file/file_thread.hpp"
#include "session/log.hpp"

namespace epios::client {

/// Its lists have as many items as the run has operations, also when they are read.
template <class Archive>
void fields(Archive& archive, config::Described<FoundStatistics> auto& found) {
  auto& state = found.state;
  archive(found.bytes, state.start_date.ms, state.time_origin.ms, state.steps);
  for (std::size_t k = 0; k < state.operations.size(); ++k) {
    auto& of = state.operations[k];
    archive(of.counters.samples, of.counters.records, of.samples, of.misses_some, of.held_samples,
            of.held_at.ms, found.values[k].offset, found.values[k].count, found.counts[k].offset,
            found.counts[k].count);
  }
}

namespace {

/// Of a file that exists. HDF5 is used here alone, by one process, and let go of again.
struct Contents {
  config::StoredStatistics stored;
  std::vector<io::StoredVariable> variables;
  std::vector<io::PlainVariable> plain;
  std::vector<io::Extents> shapes;
};

Contents contents_of(const std::string& path) {
  const std::unique_lock turn = io::turn_of_files();
  const io::DataFile file(path);
  Contents out;
  for (const io::StoredAttribute& attribute : file.attributes()) {
    out.stored.attributes.emplace(attribute.name, attribute.text);
  }
  out.variables = file.variables();
  out.plain = file.plain_variables();
  for (std::size_t v = 0; v < out.variables.size(); ++v) {
    out.shapes.push_back(file.shape(static_cast<int>(v)));
  }
  const int numbers = file.find(std::string(config::numbers_variable));
  if (numbers >= 0 && out.shapes[static_cast<std::size_t>(numbers)].size() == 1) {
    out.stored.numbers =
        file.values(numbers, io::whole(out.shapes[static_cast<std::size_t>(numbers)]));
  }
  return out;
}

/// A variable of the file; an array of the right size that lies as it was written.
io::PlainVariable variable_of(const Contents& contents, const std::string& name,
                              std::int64_t points, std::int64_t bytes, const config::Model& model) {
  for (std::size_t v = 0; v < contents.variables.size(); ++v) {
    const io::PlainVariable& plain = contents.plain[v];
    if (contents.variables[v].name != name || plain.count != points || plain.offset < 0) continue;
    if (plain.offset + points * static_cast<std::int64_t>(sizeof(double)) > bytes) break;
    return plain;
  }
  throw Error(ErrorCode::io,
              fmt::format("{}: error: statistics file '{}' is damaged, or another program has "
                          "rewritten it (variable '{}' is not {} numbers in a row). Take a copy of "
                          "it as it was, or remove it to begin anew?",
                          model.statistics.where, model.statistics.path, name, points));
}

/// The points of a client as places of its array and positions in a file of the whole grid.
struct Share {
  io::Pattern pattern;
  io::PlainSelection selection;
};

Share share_of(const config::Model& model, const io::LocalParts& parts, int grid) {
  io::PlainSelection selection;
  std::vector<io::PatternFactor> factors;
  for (const config::GridElement& element : model.grids[static_cast<std::size_t>(grid)].elements) {
    const io::Part& part = parts.data(element);
    selection.sizes.push_back(io::volume(io::element_shape(model, element)));
    std::vector<io::PlaceRun>& positions = selection.positions.emplace_back();
    io::PatternFactor& factor = factors.emplace_back(io::PatternFactor{part.places(), {}});
    for (const io::PartRun& run : part.runs()) {
      positions.push_back({run.global, run.count});
      factor.runs.push_back({run.place, run.count});
    }
  }
  return {io::Pattern(factors), std::move(selection)};
}

}  // namespace

Statistics::Statistics(config::Model& model, const ep::Comm& clients) {
  std::vector<std::byte> bytes;
  io::all_or_none(clients, [&] {
    kept_ = config::kept_operations(model);
    if (clients.rank() == io::leader) bytes = look(model, kept_);
  });
  bytes = ep::broadcast_bytes(clients, io::leader, bytes);
  learn(bytes, kept_.size());
  if (found_) config::go_on(model, kept_, found_->state);
  sources_ = config::add_statistics_file(model, kept_);
}

/// What the leader finds, for all; empty when there is no file.
std::vector<std::byte> Statistics::look(const config::Model& model,
                                        const std::vector<config::KeptOperation>& kept) {
  const std::string& path = model.statistics.path;
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) {
    log_note(fmt::format("context '{}': no statistics file '{}': temporal operations begin anew",
                         model.context_id, path));
    return {};
  }
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  Contents contents;
  try {
    contents = contents_of(path);
  } catch (const Error& failure) {
    throw Error(failure.code(), fmt::format("{}: error: statistics_file: {}",
                                            model.statistics.where, failure.what()));
  }
  const config::Continuation continuation = config::continuation(model, kept, contents.stored);
  FoundStatistics found;
  found.state = continuation.state;
  found.bytes = bytes;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t from = continuation.from[k];
    const std::int64_t points = model.points(kept[k].grid).value_or(0);
    io::PlainVariable& values = found.values.emplace_back();
    io::PlainVariable& counts = found.counts.emplace_back();
    if (kept[k].has_values) {
      values = variable_of(contents, config::values_variable(from), points, bytes, model);
    }
    if (kept[k].has_counts) {
      counts = variable_of(contents, config::counts_variable(from), points, bytes, model);
    }
  }
  return config::encode_fields(found);
}

void Statistics::learn(std::span<const std::byte> bytes, std::size_t operations) {
  if (bytes.empty()) return;
  found_.emplace();
  found_->state.operations.resize(operations);
  found_->values.resize(operations);
  found_->counts.resize(operations);
  config::decode_fields(bytes, "what the first client has found in the statistics file", *found_);
}

void Statistics::restore(const config::Model& model, const io::LocalParts& parts,
                         io::Workflow& workflow) const {
  if (!found_) return;
  const io::PlainFile file(model.statistics.path, found_->bytes);
  std::vector<double> packed;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const int operation = static_cast<int>(k);
    const config::OperationState& state = found_->state.operations[k];
    // What holds no sample is begun anew.
    const bool is_needed =
        state.samples > 0 || state.held_samples > 0 ||
        (kept_[k].sampling.operation == config::Operation::once && state.counters.records > 0);
    if (kept_[k].has_values && is_needed) {
      const Share share = share_of(model, parts, kept_[k].grid);
      const io::Workflow::KeptArrays arrays = workflow.kept_arrays(operation);
      packed.resize(static_cast<std::size_t>(share.pattern.count()));
      file.read(found_->values[k], share.selection, packed);
      share.pattern.scatter(packed.data(), arrays.values.data());
      if (!arrays.counts.empty()) {
        file.read(found_->counts[k], share.selection, packed);
        // Masked points have no count in the file, and none is looked at.
        for (double& count : packed) {
          if (!(count >= 0)) count = 0;
        }
        share.pattern.scatter(packed.data(), arrays.counts.data());
      }
    }
    workflow.take_up(operation, state);
  }
}

void Statistics::save(const config::Model& model, io::Workflow& workflow, const End& end) const {
  config::RunState state;
  state.start_date = model.start_date;
  state.time_origin = model.time_origin;
  state.steps = end.steps;
  state.announced_steps = end.announced_steps;
  state.paths = config::paths_at(model, end.date, false);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    state.operations.push_back(workflow.state(static_cast<int>(k)));
  }
  const auto send = [&](int source, std::span<const double> array) {
    workflow.send(source, end.date, array);
  };
  send(sources_.numbers, config::numbers_of(state));
  std::vector<double> counts;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    if (!kept_[k].has_values) continue;
    const io::Workflow::KeptArrays arrays = workflow.kept_arrays(static_cast<int>(k));
    send(sources_.values[k], arrays.values);
    if (!kept_[k].has_counts) continue;
    counts.assign(arrays.counts.begin(), arrays.counts.end());
    send(sources_.counts[k], counts);
  }
}

}  // namespace epios::client
