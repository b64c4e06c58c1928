// Decides which servers write and read which files, and how variables are cut into slabs. Files are
// placed heaviest first on the least loaded servers; sizes and packing of values follow.
#include "grid/routing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "config/file_format.hpp"
#include "config/index.hpp"
#include "config/read_ahead.hpp"
#include "config/spatial.hpp"
#include "element_kind.hpp"
#include "grid/layout.hpp"
#include "grid/part.hpp"

namespace epios::io {

namespace {

std::int64_t record_bytes(const config::Model& model, const config::Stream& stream) {
  return volume(global_shape(model, stream.grid)) * value_bytes(stream);
}

double seconds(const config::Duration& duration) {
  constexpr double day = 86400;
  return duration.year * 365 * day + duration.month * 30 * day + duration.day * day +
         duration.hour * 3600 + duration.minute * 60 + duration.second;
}

/// Roughly how much a file writes per second of model time.
double bytes_per_second(const config::Model& model, const config::File& file) {
  double sum = 0;
  for (const int index : file.streams) {
    const auto& stream = nth(model.streams, index);
    const auto& period = stream.sampling.output_freq;
    const auto& dates = stream.sampling.dates.ends;
    const double length =
        dates.empty()
            ? seconds(period) + period.timestep * seconds(model.timestep)
            : seconds_between(model.start_date, dates.back()) / static_cast<double>(dates.size());
    sum += static_cast<double>(record_bytes(model, stream)) / std::max(length, 1e-3);
  }
  return sum;
}

bool is_large(const config::Model& model, const config::File& file, std::int64_t threshold) {
  return std::any_of(file.streams.begin(), file.streams.end(), [&](int index) {
    return record_bytes(model, nth(model.streams, index)) >= threshold;
  });
}

/// Parallel to the dimensions of the grid in files.
std::vector<double> chunk_weights(const config::Model& model, int grid) {
  const auto& elements = nth(model.grids, grid).elements;
  std::vector<double> out;
  for (std::size_t e = elements.size(); e-- > 0;) {
    switch (elements[e].kind) {
      case config::GridElement::Kind::axis:
        out.push_back(model.axes[elements[e].axis()].attributes.chunking_weight.value_or(0));
        break;
      case config::GridElement::Kind::domain: {
        const auto& domain = model.domains[elements[e].domain()].attributes;
        if (element_shape(model, elements[e]).size() > 1) {
          out.push_back(domain.chunking_weight_j.value_or(0));
        }
        out.push_back(domain.chunking_weight_i.value_or(0));
        break;
      }
      case config::GridElement::Kind::scalar:
        break;
    }
  }
  return out;
}

/// Returns the number of `servers` that have a row of a domain of the file.
int apart_writers(const config::Model& model, const config::File& file, int servers) {
  std::int64_t rows = 1;
  for (const int stream : file.streams) {
    const int grid = nth(model.streams, stream).grid;
    for (const auto& element : nth(model.grids, grid).elements) {
      if (is_domain(element)) rows = std::max(rows, element_shape(model, element).front());
    }
  }
  return static_cast<int>(std::min<std::int64_t>(servers, rows));
}

/// Slabs of a grid in a file that is apart.
std::vector<Box> apart_slabs(const config::Model& model, int grid, int writers) {
  const auto& elements = nth(model.grids, grid).elements;
  const std::size_t rank = global_shape(model, grid).size();
  if (std::none_of(elements.begin(), elements.end(), is_domain)) {
    std::vector<Box> out(static_cast<std::size_t>(writers), nothing(rank));
    out.front() = whole(global_shape(model, grid));
    return out;
  }
  std::vector<Box> out(static_cast<std::size_t>(writers));
  for (std::size_t e = elements.size(); e-- > 0;) {
    const std::vector<Box> windows = apart_windows(model, elements[e], writers);
    for (std::size_t w = 0; w < out.size(); ++w) {
      const Box& window = windows[w];
      out[w].begin.insert(out[w].begin.end(), window.begin.begin(), window.begin.end());
      out[w].size.insert(out[w].size.end(), window.size.begin(), window.size.end());
    }
  }
  return out;
}

/// Files some of whose records are made of records of each other (config::continued_streams): one
/// server has them all. By file, the number of its set; files that stand alone have their own.
class FileSets {
 public:
  explicit FileSets(const config::Model& model) : set_of_(model.files.size()) {
    std::iota(set_of_.begin(), set_of_.end(), 0);
    sizes_.assign(set_of_.size(), 1);
    const auto continued = config::continued_streams(model);
    for (const config::StreamId s : continued.ids()) {
      if (continued[s] < 0) continue;
      const int from = nth(set_of_, model.streams[s].file);
      const int to = nth(set_of_, model.streams[continued[s]].file);
      if (from == to) continue;
      std::replace(set_of_.begin(), set_of_.end(), from, to);
      nth(sizes_, to) += nth(sizes_, from);
    }
  }
  int set_of(std::size_t file) const { return set_of_[file]; }
  bool is_alone(std::size_t file) const { return nth(sizes_, set_of_[file]) == 1; }

 private:
  std::vector<int> set_of_;
  std::vector<int> sizes_;
};

/// Returns true if one server must have the whole file: its shape depends on all positions or all
/// masks, or the server transforms or measures whole fields.
bool is_of_one_server(const config::Model& model, const config::File& file) {
  return file.attributes.convention.value_or("CF") == "UGRID" ||
         std::any_of(file.streams.begin(), file.streams.end(), [&](int stream) {
           const config::Stream& its = nth(model.streams, stream);
           return its.attributes.indexed_output.value_or(false) ||
                  its.attributes.keep_information || !config::steps_on_servers(model, its).empty();
         });
}

std::vector<int> ranks(int servers) {
  std::vector<int> out(static_cast<std::size_t>(servers));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// The group whose servers have least to do so far.
const std::vector<int>& least_loaded(const ServerGroups& groups, const std::vector<double>& load) {
  const auto mean = [&](const std::vector<int>& group) {
    double sum = 0;
    for (const int rank : group) sum += nth(load, rank);
    return sum / static_cast<double>(group.size());
  };
  return *std::min_element(groups.begin(), groups.end(),
                           [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
}

std::int64_t read_record_bytes(const config::Model& model, const config::ReadField& field) {
  return volume(global_shape(model, field.grid)) * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace

FileServers::FileServers(std::initializer_list<ServerGroups> files) {
  for (const ServerGroups& groups : files) add(groups);
}

void FileServers::add(const ServerGroups& groups) {
  const auto found = std::find(choices.begin(), choices.end(), groups);
  of_file.push_back(static_cast<std::int32_t>(found - choices.begin()));
  if (found == choices.end()) choices.push_back(groups);
}

const ServerGroups& FileServers::of(std::size_t file) const {
  static const ServerGroups all;
  return of_file.empty() ? all : nth(choices, of_file[file]);
}

bool FileServers::has(int server) const {
  return std::any_of(choices.begin(), choices.end(), [server](const ServerGroups& groups) {
    return std::any_of(groups.begin(), groups.end(), [server](const std::vector<int>& group) {
      return std::find(group.begin(), group.end(), server) != group.end();
    });
  });
}

std::vector<FilePlacement> place_files(const config::Model& model, int servers,
                                       std::int64_t shared_record_bytes,
                                       const ServerChoice& choice) {
  const ServerGroups everyone{ranks(servers)};
  std::vector<FilePlacement> out(model.files.size());
  std::vector<double> weight;
  for (const config::File& file : model.files) weight.push_back(bytes_per_second(model, file));
  std::vector<std::size_t> order(out.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
  // A file costs its server something even if it is tiny, so that many small ones spread.
  constexpr double weight_of_a_file = 1e-3;
  std::vector<double> load(static_cast<std::size_t>(servers));
  const FileSets sets(model);
  std::vector<int> server_of_set(out.size(), -1);
  const auto place_on = [&](std::size_t f, int server) {
    out[f].writers = {server};
    if (!sets.is_alone(f)) nth(server_of_set, sets.set_of(f)) = server;
  };
  for (const std::size_t f : order) {
    const config::File& file = nth(model.files, f);
    const ServerGroups& chosen = choice.writers.of(f);
    const ServerGroups& groups = chosen.empty() ? everyone : chosen;
    const std::vector<int>& group = least_loaded(groups, load);
    const bool is_apart = file.attributes.type.value_or("one_file") == "multiple_file";
    const int apart = is_apart ? apart_writers(model, file, static_cast<int>(group.size())) : 1;
    // All servers must agree on what several write together.
    const bool is_of_all = servers > 1 && group.size() == load.size();
    const int known = nth(server_of_set, sets.set_of(f));
    if (apart > 1) {
      out[f].is_apart = true;
      out[f].writers.assign(group.begin(), group.begin() + apart);
    } else if (!is_apart && is_of_all && sets.is_alone(f) && !is_of_one_server(model, file) &&
               is_large(model, file, shared_record_bytes)) {
      out[f].writers = group;
    } else if (std::find(group.begin(), group.end(), known) != group.end()) {
      place_on(f, known);
    } else {
      place_on(f, *std::min_element(group.begin(), group.end(),
                                    [&](int a, int b) { return nth(load, a) < nth(load, b); }));
    }
    if (out[f].writers.size() == load.size()) continue;  // all have the same of it
    for (const int rank : out[f].writers) {
      nth(load, rank) +=
          (weight[f] + weight_of_a_file) / static_cast<double>(out[f].writers.size());
    }
  }
  return out;
}

std::vector<FilePlacement> place_read_files(const config::Model& model, int servers,
                                            std::int64_t shared_record_bytes,
                                            const ServerChoice& choice) {
  const std::vector<int> everyone = ranks(servers);
  std::vector<FilePlacement> out(model.read_files.size());
  std::map<std::vector<int>, std::size_t> next;  // next server of each group in turn
  for (std::size_t f = 0; f < out.size(); ++f) {
    const ServerGroups& chosen = choice.readers.of(f);
    const std::vector<int>& group = chosen.empty() ? everyone : chosen.front();
    const std::vector<config::ReadFieldId>& fields = nth(model.read_files, f).fields;
    const bool is_shared =
        std::any_of(fields.begin(), fields.end(), [&](config::ReadFieldId field) {
          return read_record_bytes(model, model.read_fields[field]) >= shared_record_bytes;
        });
    if (is_shared && group.size() > 1) {
      out[f].writers = group;
    } else {
      out[f].writers = {group[next[group]++ % group.size()]};
    }
  }
  return out;
}

std::vector<Box> place_read_field(const config::Model& model, int field,
                                  const FilePlacement& file) {
  const Extents shape = global_shape(model, nth(model.read_fields, field).grid);
  const int readers = static_cast<int>(file.writers.size());
  // A reader's share is one "chunk": of the slowest dimension that is long enough.
  const Extents chunk =
      chunk_shape(shape, sizeof(double), std::numeric_limits<std::int64_t>::max() / 2, readers);
  return slabs(shape, chunk, readers);
}

int read_ahead(const config::Model& model, std::int64_t buffer_bytes) {
  std::int64_t largest = 1;
  for (const config::ReadField& field : model.read_fields) {
    largest = std::max(largest, read_record_bytes(model, field));
  }
  return config::records_read_ahead(largest, static_cast<std::int64_t>(model.read_fields.size()),
                                    buffer_bytes);
}

int value_bytes(const config::Stream& stream) {
  return file_value_bytes(stream) == 8 || is_packed(stream) ? 8 : 4;
}

std::vector<int> wire_value_bytes(const config::Model& model) {
  std::vector<int> out;
  for (const config::Stream& stream : model.streams) {
    out.push_back(config::steps_on_servers(model, stream).empty() ? value_bytes(stream) : 8);
  }
  for (const config::StreamId continued : config::continued_streams(model)) {
    if (continued >= 0) nth(out, continued) = 8;
  }
  return out;
}

int file_value_bytes(const config::Stream& stream) {
  return static_cast<int>(stream.attributes.prec.value_or(4));
}

bool is_packed(const config::Stream& stream) {
  const auto& a = stream.attributes;
  return file_value_bytes(stream) == 2 || a.scale_factor.has_value() || a.add_offset.has_value();
}

double packed(const config::Stream& stream, double value) {
  const auto& a = stream.attributes;
  return (value - a.add_offset.value_or(0)) / a.scale_factor.value_or(1);
}

std::optional<double> file_fill(const config::Stream& stream) {
  const std::optional<double>& value = stream.attributes.default_value;
  if (file_value_bytes(stream) != 2) return value;
  constexpr double default_fill = -32767;  // NC_FILL_SHORT
  using Limits = std::numeric_limits<std::int16_t>;
  const bool fits =
      value && *value >= Limits::min() && *value <= Limits::max() && std::trunc(*value) == *value;
  return fits ? *value : default_fill;
}

int mantissa_bits(const config::Stream& stream) {
  const auto digits = stream.attributes.significant_digits;
  const int bytes = file_value_bytes(stream);
  if (!digits || bytes == 2) return 0;
  // Half a unit of the last digit of a number that begins with 9 is the least that may be lost.
  const int bits = static_cast<int>(std::ceil(static_cast<double>(*digits) * std::log2(10.0)));
  const int all =
      bytes == 8 ? std::numeric_limits<double>::digits - 1 : std::numeric_limits<float>::digits - 1;
  return bits < all ? bits : 0;
}

int compression_level_of(const config::Model& model, const config::Stream& stream) {
  const auto& attributes = stream.attributes;
  if (attributes.compression_type.value_or("gzip") == "None") return 0;
  if (global_shape(model, stream.grid).empty()) return 0;
  return static_cast<int>(attributes.compression_level.value_or(0));
}

std::int64_t chunk_target(const config::Model& model, const config::Stream& stream) {
  constexpr double megabyte = 1e6;
  const config::File& file = nth(model.files, stream.file);
  const bool is_store = config::traits_of(config::format_of(file.attributes)).is_folder;
  std::int64_t bytes =
      compression_level_of(model, stream) > 0 ? target_compressed_chunk_bytes : target_chunk_bytes;
  if (is_store) bytes = target_store_chunk_bytes;
  if (const auto& target = stream.attributes.chunking_blocksize_target) {
    const double largest = is_store ? 2e9 : 4e9;  // limits of Blosc, 2 GiB, and of HDF5, 4 GiB
    bytes = std::llround(std::min(*target * megabyte, largest));
  }
  const std::int64_t records = is_store ? stream.attributes.chunking_records.value_or(1) : 1;
  return std::max<std::int64_t>(1, bytes / records);
}

namespace {

/// Returns the largest size in bytes, approximately, of one record in a shard; 0 if chunks do not
/// lie beside each other in shards.
std::int64_t shard_target(const config::Model& model, const config::Stream& stream) {
  constexpr double megabyte = 1e6;
  constexpr double largest = 1e15;
  const auto& target = stream.attributes.sharding_blocksize_target;
  if (!target ||
      config::format_of(nth(model.files, stream.file).attributes) != config::FileFormat::zarr3) {
    return 0;
  }
  const std::int64_t bytes = std::llround(std::min(*target * megabyte, largest));
  const std::int64_t records =
      stream.attributes.sharding_records.value_or(stream.attributes.chunking_records.value_or(1));
  return std::max(chunk_target(model, stream), bytes / records);
}

/// Cuts `shape` into chunks or, first, into shards, which are then cut into equal chunks. The
/// shards of an uneven shape are longer by less than their number of chunks.
void cut(const config::Model& model, const config::Stream& stream, const Extents& shape,
         int writers, StreamPlacement& out) {
  const std::vector<double> weights = chunk_weights(model, stream.grid);
  const int bytes = file_value_bytes(stream);
  const std::int64_t target = chunk_target(model, stream);
  const std::int64_t shard = shard_target(model, stream);
  if (shard == 0) {
    out.chunk = chunk_shape(shape, bytes, target, writers, weights);
    return;
  }
  const Extents longest = chunk_shape(shape, bytes, shard, writers, weights);
  out.chunk = chunk_shape(longest, bytes, target, 1, weights);
  for (std::size_t d = 0; d < longest.size(); ++d) {
    out.shard.push_back((longest[d] + out.chunk[d] - 1) / out.chunk[d]);
    out.chunk[d] = (longest[d] + out.shard[d] - 1) / out.shard[d];
  }
}

}  // namespace

StreamPlacement place_stream(const config::Model& model, int stream, const FilePlacement& file) {
  const auto& described = nth(model.streams, stream);
  const int writers = static_cast<int>(file.writers.size());
  StreamPlacement out;
  out.shape = global_shape(model, described.grid);
  if (file.is_apart) {
    out.slabs = apart_slabs(model, described.grid, writers);
    cut(model, described, out.slabs.front().size, 1, out);
    return out;
  }
  cut(model, described, out.shape, writers, out);
  Extents of_one_writer = out.chunk;
  for (std::size_t d = 0; d < out.shard.size(); ++d) of_one_writer[d] *= out.shard[d];
  out.slabs = slabs(out.shape, of_one_writer, writers);
  return out;
}

std::vector<Box> apart_windows(const config::Model& model, const config::GridElement& element,
                               int writers) {
  const Extents shape = element_shape(model, element);
  std::vector<Box> out(static_cast<std::size_t>(writers), whole(shape));
  if (!is_domain(element)) return out;
  const std::int64_t share = shape.front() / writers;
  const std::int64_t longer = shape.front() % writers;
  std::int64_t begin = 0;
  for (int w = 0; w < writers; ++w) {
    Box& window = nth(out, w);
    window.begin.front() = begin;
    window.size.front() = share + (w < longer ? 1 : 0);
    begin += window.size.front();
  }
  return out;
}

std::vector<Box> coordinate_windows(const config::Model& model, const config::GridElement& element,
                                    const FilePlacement& file) {
  const int writers = static_cast<int>(file.writers.size());
  if (file.is_apart) return apart_windows(model, element, writers);
  const Extents shape = element_shape(model, element);
  if (is_rectilinear(model, element)) {
    std::vector<Box> out(file.writers.size(), nothing(shape.size()));
    out.front() = whole(shape);
    return out;
  }
  constexpr std::int64_t coordinate_bytes = 8;
  return slabs(shape, chunk_shape(shape, coordinate_bytes, target_chunk_bytes, writers), writers);
}

}  // namespace epios::io
