// Makes HDF5 allocate space for records and tell where it is, on the owner of a file. It opens the
// datasets, extends them, and finds the address of each chunk; at the end it sets the true number
// of records.
#include "hdf5/record_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "config/error.hpp"
#include "config/index.hpp"
#include "disk/posix_file.hpp"
#include "disk/value_kind.hpp"
#include "grid/index.hpp"
#include "grid/layout.hpp"
#include "hdf5/dimension_lists.hpp"

namespace epios::io {

namespace {

std::vector<hsize_t> sizes(std::int64_t first, const Extents& rest) {
  std::vector<hsize_t> out = {static_cast<hsize_t>(first)};
  for (const std::int64_t size : rest) out.push_back(static_cast<hsize_t>(size));
  return out;
}

// Bytes of the structure in the file; HDF5 takes up to seven times as many in memory.
constexpr std::size_t most_structure = 1 << 20;
constexpr std::size_t most_structure_of_a_variable = 8192;  // its header and two nodes of its index
constexpr std::size_t least_structure = most_structure / 2;

/// Metadata reaches the file when we flush, never in between: a kill leaves the last flushed state.
void keep_everything(H5AC_cache_config_t& cache) {
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
}

hid_t open_file(const std::string& part, DriverState* state) {
  const Hdf5Handle access(make_driver_access(state), H5Pclose);
  if (!access) return -1;
  H5AC_cache_config_t cache = {};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access.get(), &cache) < 0) return -1;
  keep_everything(cache);
  if (H5Pset_mdc_config(access.get(), &cache) < 0) return -1;
  // The bounds netCDF-C makes files with.
  if (H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST) < 0) return -1;
  return H5Fopen(part.c_str(), H5F_ACC_RDWR, access.get());
}

}  // namespace

std::optional<PluginFilter> plugin_filter(const FileSpec& spec, const RecordVariable& variable) {
  const VariableSpec& its = nth(spec.variables, variable.variable);
  const bool has_plugin =
      its.compression.is_on() && its.compression.method != Compression::Method::deflate;
  if (!has_plugin) return std::nullopt;
  Extents chunk = variable.chunks.chunk();
  chunk.insert(chunk.begin(), variable.chunks.records_per_chunk());
  return PluginFilter(spec.path, its, chunk);
}

std::string dataset_name(const FileSpec& spec, const VariableSpec& variable) {
  const auto same = std::find_if(spec.dimensions.begin(), spec.dimensions.end(),
                                 [&](const DimensionSpec& d) { return d.name == variable.name; });
  if (same == spec.dimensions.end()) return variable.name;
  const auto number = static_cast<int>(same - spec.dimensions.begin());
  const bool is_coordinate = !variable.dimensions.empty() && variable.dimensions[0] == number;
  return is_coordinate ? variable.name : "_nc4_non_coord_" + variable.name;
}

RecordSpace::RecordSpace(const FileSpec& spec, const std::vector<RecordVariable>& variables,
                         const UnpublishedFile& part)
    : path_(spec.path) {
  const Hdf5Silence silence;
  state_.file = &part.data();
  file_ = Hdf5Handle(open_file(part.part(), &state_), H5Fclose);
  check(static_cast<bool>(file_), "cannot open what was defined");
  check(attach_dimensions(file_.get(), spec), "cannot attach dimensions");
  for (const RecordVariable& variable : variables) {
    const auto& named = nth(spec.variables, variable.variable);
    datasets_.push_back(open_dataset(dataset_name(spec, named), &variable));
    names_.push_back(named.name);
  }
  for (const DimensionSpec& dimension : spec.dimensions) {
    const bool has_variable =
        std::any_of(variables.begin(), variables.end(), [&](const RecordVariable& v) {
          return dataset_name(spec, nth(spec.variables, v.variable)) == dimension.name;
        });
    if (dimension.length == 0 && !has_variable) record_dimension_ = dimension.name;
  }
}

RecordSpace::~RecordSpace() {
  if (!file_) return;
  const Hdf5Silence silence;
  state_.is_dead = true;
  datasets_.clear();
  static_cast<void>(file_.close());
}

void RecordSpace::check(bool good, const std::string& problem) const {
  if (good && state_.error == 0) return;
  if (state_.error != 0) {
    throw Error(ErrorCode::io, system_error_text(path_, problem, state_.error));
  }
  throw Error(ErrorCode::io,
              fmt::format("file '{}': {} (HDF5: {}). Is this HDF5 the one that EPIOS "
                          "was built with?",
                          path_, problem, hdf5_error_text()));
}

RecordSpace::Dataset RecordSpace::open_dataset(const std::string& name,
                                               const RecordVariable* variable) {
  // No chunk cache: HDF5 must pass what it writes on at once, see give_space().
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  check(access && H5Pset_chunk_cache(access.get(), 0, 0, 1.0) >= 0, "cannot set up HDF5");
  Dataset out;
  out.id = Hdf5Handle(H5Dopen2(file_.get(), ("/" + name).c_str(), access.get()), H5Dclose);
  check(static_cast<bool>(out.id), fmt::format("cannot open variable '{}'", name));
  out.type = Hdf5Handle(H5Dget_type(out.id.get()), H5Tclose);
  check(static_cast<bool>(out.type), fmt::format("cannot open variable '{}'", name));
  out.variable = variable;
  return out;
}

void RecordSpace::set_records(const Dataset& dataset, std::int64_t records) {
  if (dataset.variable != nullptr && dataset.variable->is_once) return;
  const auto extent =
      sizes(records, dataset.variable != nullptr ? dataset.variable->chunks.shape() : Extents());
  check(H5Dset_extent(dataset.id.get(), extent.data()) >= 0,
        fmt::format("cannot make the record dimension {} long", records));
}

// HDF5 gives a chunk, or a contiguous variable, its space when something is first written to it.
// One value of each is "written"; the driver notes where it would go.
void RecordSpace::probe(const Dataset& dataset, const Hdf5Handle& where, std::uint64_t points,
                        const std::string& name) {
  const auto count = static_cast<hsize_t>(points);
  const std::vector<std::byte> nothing(points * H5Tget_size(dataset.type.get()));
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const std::size_t before = state_.probed.size();
  state_.is_probing = true;
  const bool good = where && memory &&
                    H5Dwrite(dataset.id.get(), dataset.type.get(), memory.get(), where.get(),
                             H5P_DEFAULT, nothing.data()) >= 0;
  state_.is_probing = false;
  check(good, fmt::format("cannot make room for '{}'", name));
  check_probed(before + points, name);
}

void RecordSpace::check_probed(std::size_t places, const std::string& name) const {
  if (state_.probed.size() == places) return;
  throw Error(ErrorCode::internal,
              fmt::format("file '{}': HDF5 gave {} places for {} pieces of '{}' (it writes in "
                          "another way than version 1.10 does). Build EPIOS with HDF5 1.10?",
                          path_, state_.probed.size(), places, name));
}

void RecordSpace::give_space(const Dataset& dataset, std::int64_t row) {
  const ChunkGrid& chunks = dataset.variable->chunks;
  const auto position = static_cast<std::size_t>(&dataset - datasets_.data());
  if (dataset.variable->is_once) {
    return give_contiguous_space(dataset, chunks.shape().size(), names_[position]);
  }
  const auto start = sizes(row * chunks.records_per_chunk(), Extents(chunks.shape().size(), 0));
  const auto stride = sizes(1, chunks.chunk());
  const auto count = sizes(1, chunks.counts());
  const Hdf5Handle where(H5Dget_space(dataset.id.get()), H5Sclose);
  const bool good = where && H5Sselect_hyperslab(where.get(), H5S_SELECT_SET, start.data(),
                                                 stride.data(), count.data(), nullptr) >= 0;
  check(good, fmt::format("cannot make room for '{}'", names_[position]));
  probe(dataset, where, static_cast<std::uint64_t>(chunks.chunks_per_row()), names_[position]);
}

void RecordSpace::give_contiguous_space(const Dataset& dataset, std::size_t rank,
                                        const std::string& name) {
  const Hdf5Handle where(H5Dget_space(dataset.id.get()), H5Sclose);
  const std::vector<hsize_t> first(rank, 0);
  // A variable without dimensions has one point, and nothing to select.
  const bool good = where && (first.empty() || H5Sselect_elements(where.get(), H5S_SELECT_SET, 1,
                                                                  first.data()) >= 0);
  check(good, fmt::format("cannot make room for '{}'", name));
  probe(dataset, where, 1, name);
}

std::vector<std::uint64_t> RecordSpace::place_fixed(const FileSpec& spec,
                                                    const std::vector<int>& variables) {
  const Hdf5Silence silence;
  state_.probed.clear();
  for (const int number : variables) {
    const VariableSpec& variable = nth(spec.variables, number);
    const Dataset dataset = open_dataset(dataset_name(spec, variable), nullptr);
    give_contiguous_space(dataset, variable.dimensions.size(), variable.name);
  }
  return std::exchange(state_.probed, {});
}

std::vector<std::uint64_t> RecordSpace::extend(std::int64_t from, std::int64_t to) {
  const Hdf5Silence silence;
  state_.probed.clear();
  for (const Dataset& dataset : datasets_) set_records(dataset, to);
  for (std::int64_t record = from; record < to; ++record) {
    for (const Dataset& dataset : datasets_) {
      if (dataset.variable->is_compressed || !dataset.variable->begins_row(record)) continue;
      give_space(dataset, record / dataset.variable->chunks.records_per_chunk());
    }
  }
  return std::exchange(state_.probed, {});
}

std::uint64_t RecordSpace::place_chunk(std::size_t column, std::int64_t chunk, std::size_t bytes,
                                       std::uint32_t skipped_filters) {
  const Hdf5Silence silence;
  const Dataset& dataset = datasets_[column];
  const ChunkGrid& chunks = dataset.variable->chunks;
  std::vector<hsize_t> offset(chunks.shape().size() + 1);
  std::int64_t rest = chunk;
  for (std::size_t d = chunks.shape().size(); d-- > 0;) {
    const std::int64_t first = rest % chunks.counts()[d] * chunks.chunk()[d];
    offset[d + 1] = static_cast<hsize_t>(first);
    rest /= chunks.counts()[d];
  }
  const std::int64_t first_record = rest * chunks.records_per_chunk();
  offset[0] = static_cast<hsize_t>(first_record);
  if (nothing_.size() < bytes) nothing_.resize(bytes);
  state_.probed.clear();
  state_.is_probing = true;
  const bool good = H5Dwrite_chunk(dataset.id.get(), H5P_DEFAULT, skipped_filters, offset.data(),
                                   bytes, nothing_.data()) >= 0;
  state_.is_probing = false;
  check(good, fmt::format("cannot make room for '{}'", names_[column]));
  check_probed(1, names_[column]);
  return state_.probed.front();
}

void RecordSpace::set_attributes(const FileSpec& spec, int variable,
                                 const std::vector<std::string>& names) {
  const Hdf5Silence silence;
  const VariableSpec& its = spec.variables[as_index(variable)];
  // HDF5 1.10 does not find what is opened by the name of its dataset when it is to be written.
  const Hdf5Handle dataset(H5Dopen2(file_.get(), dataset_name(spec, its).c_str(), H5P_DEFAULT),
                           H5Dclose);
  for (const FileAttribute& attribute : its.attributes) {
    if (std::find(names.begin(), names.end(), attribute.name) == names.end()) continue;
    const Hdf5Handle id(H5Aopen(dataset.get(), attribute.name.c_str(), H5P_DEFAULT), H5Aclose);
    const auto put = [&](hid_t type, const void* values) {
      check(id && H5Awrite(id.get(), type, values) >= 0,
            fmt::format("cannot change attribute '{}' of '{}'", attribute.name, its.name));
    };
    if (const auto* integers = std::get_if<std::vector<std::int32_t>>(&attribute.value)) {
      put(H5T_NATIVE_INT32, integers->data());
    } else if (const auto* reals = std::get_if<std::vector<double>>(&attribute.value)) {
      put(H5T_NATIVE_DOUBLE, reals->data());
    }
  }
}

void RecordSpace::flush() {
  const Hdf5Silence silence;
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0, "cannot write the structure of the file");
  let_go_of_structure();
}

bool RecordSpace::holds_much() const {
  const Hdf5Silence silence;
  std::size_t held = 0;
  check(H5Fget_mdc_size(file_.get(), nullptr, nullptr, &held, nullptr) >= 0,
        "cannot see how much of the structure is in memory");
  return held > std::max(most_structure, datasets_.size() * most_structure_of_a_variable);
}

/// Behind a flush the file has all of it, and what is needed again is read again.
void RecordSpace::let_go_of_structure() {
  if (!holds_much()) return;
  const char* const problem = "cannot let go of the structure in memory";
  H5AC_cache_config_t cache = {};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Fget_mdc_config(file_.get(), &cache) >= 0, problem);
  H5AC_cache_config_t small = cache;
  small.evictions_enabled = true;
  small.set_initial_size = true;
  small.initial_size = small.min_size = small.max_size = least_structure;
  // HDF5 makes the cache smaller with the next look at anything.
  const bool good = H5Fset_mdc_config(file_.get(), &small) >= 0 &&
                    H5Lexists(file_.get(), "anything", H5P_DEFAULT) >= 0;
  cache.set_initial_size = true;  // of before: next time, too, it must become smaller
  check(good && H5Fset_mdc_config(file_.get(), &cache) >= 0, problem);
}

void RecordSpace::finish(std::int64_t records) {
  const Hdf5Silence silence;
  for (const Dataset& dataset : datasets_) set_records(dataset, records);
  if (!record_dimension_.empty()) set_records(open_dataset(record_dimension_, nullptr), records);
  flush();
  bool good = true;
  for (Dataset& dataset : datasets_) {
    good = dataset.id.close() && good;
    good = dataset.type.close() && good;
  }
  check(good, "cannot close its variables");
  check(file_.close(), "cannot close the file");
}

}  // namespace epios::io
