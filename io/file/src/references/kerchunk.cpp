// Describes a NetCDF-4 file as a store of Zarr. NetCDF says what variables and attributes there
// are, then HDF5 says of each variable which codecs it has and where its chunks lie.
#include <fmt/format.h>
#include <hdf5.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "chunks/chunk_codec.hpp"
#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "disk/breakdown_watch.hpp"
#include "disk/hdf5_driver.hpp"
#include "disk/hdf5_handle.hpp"
#include "disk/posix_file.hpp"
#include "file/references.hpp"
#include "grid/box.hpp"
#include "grid/index.hpp"
#include "reading/stored_chunks.hpp"

namespace epios::io {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::io,
              fmt::format("file '{}' cannot be referred to ({}). Is it a NetCDF-4 file, and whole?",
                          path, why));
}

/// JSON has no NaN: Zarr has words for it.
Json number_or_word(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8U | (b < count ? std::to_integer<std::uint32_t>(bytes[at + b]) : 0U);
    }
    for (std::size_t l = 0; l < 4; ++l) {
      out += l <= count ? letters[group >> (18 - 6 * l) & 63U] : '=';
    }
  }
  return out;
}

/// What NetCDF says of a variable.
struct Described {
  std::string name;
  nc_type type = NC_NAT;
  std::vector<std::string> dimensions;
  std::vector<hsize_t> shape;
  Json attributes = Json::object();
  Json fill;          // _FillValue, or null
  Json default_fill;  // of what was never written
};

/// The definitions of a file, which is closed in the end: HDF5 opens it anew.
class Definitions {
 public:
  explicit Definitions(const std::string& path) : path_(path) {
    check(open_with_filters(path, file_));
    try {
      int format = 0;
      check(nc_inq_format(file_, &format));
      if (format != NC_FORMAT_NETCDF4 && format != NC_FORMAT_NETCDF4_CLASSIC) {
        refuse_file(path, "its format is a classic one, whose records are no chunks");
      }
      read();
    } catch (...) {
      static_cast<void>(nc_close(file_));
      throw;
    }
    check(nc_close(file_));
  }

  const std::vector<Described>& variables() const { return variables_; }
  const std::vector<std::string>& groups() const { return groups_; }
  const Json& attributes() const { return attributes_; }

 private:
  void check(int status) const {
    if (status != NC_NOERR) refuse_file(path_, nc_strerror(status));
  }

  void read() {
    int variables = 0;
    int attributes = 0;
    check(nc_inq_nvars(file_, &variables));
    check(nc_inq_natts(file_, &attributes));
    attributes_ = attributes_of(NC_GLOBAL, attributes);
    read_groups();
    for (int v = 0; v < variables; ++v) {
      std::array<char, NC_MAX_NAME + 1> name{};
      std::array<int, NC_MAX_VAR_DIMS> dimensions{};
      int rank = 0;
      int count = 0;
      Described& out = variables_.emplace_back();
      check(nc_inq_var(file_, v, name.data(), &out.type, &rank, dimensions.data(), &count));
      out.name = name.data();
      for (int d = 0; d < rank; ++d) {
        check(nc_inq_dimname(file_, dimensions.at(as_index(d)), name.data()));
        out.dimensions.emplace_back(name.data());
        out.shape.push_back(length_of(dimensions.at(as_index(d))));
      }
      out.attributes = attributes_of(v, count);
      out.default_fill = default_fill(out.type);
      if (const auto fill = out.attributes.find("_FillValue"); fill != out.attributes.end()) {
        if (out.type != NC_CHAR) {
          out.fill = *fill;
        } else if (fill->is_string()) {  // readers would take all empty texts for missing ones
          const auto text = fill->get<std::string>();
          out.default_fill = base64(std::as_bytes(std::span(text)));
        }
        out.attributes.erase(fill);
      }
      // A word for a number, which readers know in fill_value alone.
      const auto missing = out.attributes.find("missing_value");
      const bool is_word = missing != out.attributes.end() && missing->is_string();
      if (is_word && out.type != NC_CHAR) out.attributes.erase(missing);
      out.attributes["_ARRAY_DIMENSIONS"] = out.dimensions;
    }
  }

  void read_groups() {
    int count = 0;
    check(nc_inq_grps(file_, &count, nullptr));
    std::vector<int> groups(as_index(count));
    if (count > 0) check(nc_inq_grps(file_, &count, groups.data()));
    for (const int group : groups) {
      std::array<char, NC_MAX_NAME + 1> name{};
      check(nc_inq_grpname(group, name.data()));
      groups_.emplace_back(name.data());
    }
  }

  /// Asked for once: of a dimension that grows, NetCDF asks all variables how long they are.
  hsize_t length_of(int dimension) {
    const auto [known, is_new] = lengths_.try_emplace(dimension, 0);
    if (is_new) check(nc_inq_dimlen(file_, dimension, &known->second));
    return known->second;
  }

  static Json default_fill(nc_type type) {
    switch (type) {
      case NC_CHAR:
        return "AA==";  // NC_FILL_CHAR in base64
      case NC_FLOAT:
        return static_cast<double>(NC_FILL_FLOAT);
      case NC_DOUBLE:
        return NC_FILL_DOUBLE;
      case NC_BYTE:
        return NC_FILL_BYTE;
      case NC_SHORT:
        return NC_FILL_SHORT;
      case NC_INT:
        return NC_FILL_INT;
      case NC_INT64:
        return static_cast<std::int64_t>(NC_FILL_INT64);
      case NC_UBYTE:
        return NC_FILL_UBYTE;
      case NC_USHORT:
        return NC_FILL_USHORT;
      case NC_UINT:
        return NC_FILL_UINT;
      case NC_UINT64:
        return static_cast<std::uint64_t>(NC_FILL_UINT64);
      default:
        return nullptr;
    }
  }

  Json attributes_of(int variable, int count) const {
    Json out = Json::object();
    for (int a = 0; a < count; ++a) {
      std::array<char, NC_MAX_NAME + 1> name{};
      check(nc_inq_attname(file_, variable, a, name.data()));
      if (auto value = attribute(variable, name.data())) out[name.data()] = *std::move(value);
    }
    return out;
  }

  /// Nothing for a type that JSON cannot have.
  std::optional<Json> attribute(int variable, const char* name) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    check(nc_inq_att(file_, variable, name, &type, &length));
    Json values = Json::array();
    if (type == NC_CHAR) {
      std::string text(length, '\0');
      check(nc_get_att_text(file_, variable, name, text.data()));
      return text.substr(0, text.find('\0'));
    }
    if (type == NC_STRING) {
      std::vector<char*> texts(length, nullptr);
      check(nc_get_att_string(file_, variable, name, texts.data()));
      for (const char* text : texts) values.push_back(text == nullptr ? "" : text);
      static_cast<void>(nc_free_string(length, texts.data()));
    } else if (type == NC_FLOAT || type == NC_DOUBLE) {
      std::vector<double> numbers(length);
      check(nc_get_att_double(file_, variable, name, numbers.data()));
      for (const double number : numbers) values.push_back(number_or_word(number));
    } else if (type == NC_UINT64) {
      std::vector<unsigned long long> numbers(length);
      check(nc_get_att_ulonglong(file_, variable, name, numbers.data()));
      for (const auto number : numbers) values.push_back(number);
    } else if (type <= NC_MAX_ATOMIC_TYPE) {
      std::vector<long long> numbers(length);
      check(nc_get_att_longlong(file_, variable, name, numbers.data()));
      for (const auto number : numbers) values.push_back(number);
    } else {
      return std::nullopt;
    }
    return values.size() == 1 ? values.front() : values;
  }

  const std::string& path_;
  int file_ = -1;
  std::vector<Described> variables_;
  std::vector<std::string> groups_;
  std::map<int, std::size_t> lengths_;  // of dimensions
  Json attributes_;
};

/// Why a variable cannot be referred to.
struct LeftOut {
  std::string why;
};

std::string dtype_of(const Described& variable, hid_t type) {
  constexpr std::array<std::pair<nc_type, const char*>, 11> known{{{NC_FLOAT, "f4"},
                                                                   {NC_DOUBLE, "f8"},
                                                                   {NC_BYTE, "i1"},
                                                                   {NC_SHORT, "i2"},
                                                                   {NC_INT, "i4"},
                                                                   {NC_INT64, "i8"},
                                                                   {NC_UBYTE, "u1"},
                                                                   {NC_USHORT, "u2"},
                                                                   {NC_UINT, "u4"},
                                                                   {NC_UINT64, "u8"},
                                                                   {NC_CHAR, "S1"}}};
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const auto& its) { return its.first == variable.type; });
  if (found == known.end()) throw LeftOut{"its values are no numbers or characters"};
  const bool has_order = H5Tget_size(type) > 1;
  const char order = !has_order ? '|' : H5Tget_order(type) == H5T_ORDER_BE ? '>' : '<';
  return fmt::format("{}{}", order, found->second);
}

/// A file that HDF5 reads by our driver, which knows where chunks lie.
class LocatedFile {
 public:
  explicit LocatedFile(const std::string& path) {
    const int error = file_.open(path, PosixFile::Access::reading);
    if (error != 0) throw Error(ErrorCode::io, system_error_text(path, "cannot be read", error));
    state_.file = &file_;
    const Hdf5Handle access(make_driver_access(&state_), H5Pclose);
    if (access) handle_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!handle_) refuse_file(path, "HDF5 cannot open it");
  }
  hid_t get() const { return handle_.get(); }
  DriverState& state() { return state_; }

 private:
  PosixFile file_;
  DriverState state_;
  Hdf5Handle handle_;
};

/// One variable, as HDF5 has it.
class Referred {
 public:
  Referred(LocatedFile& file, const Described& variable, Json& references)
      : variable_(variable),
        references_(references.get_ref<Json::object_t&>()),
        state_(file.state()),
        data_set_(H5Dopen2(file.get(), data_set_of(file.get(), variable.name).c_str(), H5P_DEFAULT),
                  H5Dclose),
        creation_(H5Dget_create_plist(data_set_.get()), H5Pclose),
        type_(H5Dget_type(data_set_.get()), H5Tclose) {
    const Hdf5Handle space(H5Dget_space(data_set_.get()), H5Sclose);
    if (!data_set_ || !creation_ || !type_ || !space) throw LeftOut{"HDF5 cannot open it"};
    dtype_ = dtype_of(variable, type_.get());
    shape_ = variable.shape;
    stored_.resize(shape_.size());
    if (!shape_.empty() && (H5Sget_simple_extent_ndims(space.get()) != rank() ||
                            H5Sget_simple_extent_dims(space.get(), stored_.data(), nullptr) < 0)) {
      throw LeftOut{"it has other dimensions in HDF5"};
    }
    chunk_ = shape_;
    value_bytes_ = H5Tget_size(type_.get());
  }

  /// Returns the number of chunks.
  std::int64_t refer() {
    take_filters();
    const H5D_layout_t layout = H5Pget_layout(creation_.get());
    if (layout == H5D_CHUNKED) {
      if (H5Pget_chunk(creation_.get(), rank(), chunk_.data()) != rank()) {
        throw LeftOut{"HDF5 does not say its chunks"};
      }
      refer_to_chunks();
    } else if (layout == H5D_CONTIGUOUS) {
      refer_to_all();
    } else {
      put_values();
    }
    for (hsize_t& length : chunk_) length = std::max<hsize_t>(length, 1);
    const Json document = {
        {"zarr_format", 2},
        {"shape", shape_},
        {"chunks", chunk_},
        {"dtype", dtype_},
        {"compressor", compressor_},
        {"fill_value",
         has_gaps_ && variable_.fill.is_null() ? variable_.default_fill : variable_.fill},
        {"order", "C"},
        {"filters", filters_}};
    // Only now: a variable that is left out has nothing.
    for (auto& [key, place] : places_) add(key, std::move(place));
    add(".zarray", document.dump(-1, ' ', true));
    add(".zattrs", variable_.attributes.dump(-1, ' ', true));
    return static_cast<std::int64_t>(places_.size());
  }

 private:
  int rank() const { return static_cast<int>(shape_.size()); }

  /// Adds a key that is not there: the object itself would look at all others.
  void add(const std::string& key, Json value) {
    references_.Json::object_t::Container::emplace_back(variable_.name + "/" + key,
                                                        std::move(value));
  }

  void take_filters() {
    constexpr H5Z_filter_t zstd = 32015;
    const int count = H5Pget_nfilters(creation_.get());
    for (int f = 0; f < count; ++f) {
      unsigned flags = 0;
      std::array<unsigned, 8> parameters{};
      std::size_t length = parameters.size();
      const H5Z_filter_t filter = H5Pget_filter2(creation_.get(), static_cast<unsigned>(f), &flags,
                                                 &length, parameters.data(), 0, nullptr, nullptr);
      if (has_checksum_) throw LeftOut{"its checksums are compressed"};
      if (filter == H5Z_FILTER_SHUFFLE && compressor_.is_null() && filters_.is_null()) {
        filters_ = Json::array({{{"id", "shuffle"}, {"elementsize", value_bytes_}}});
      } else if (filter == H5Z_FILTER_DEFLATE && compressor_.is_null()) {
        compressor_ = {{"id", "zlib"}, {"level", parameters.front()}};
        deflate_bit_ = 1U << static_cast<unsigned>(f);
      } else if (filter == zstd && compressor_.is_null()) {
        compressor_ = {{"id", "zstd"}, {"level", parameters.front()}};
      } else if (filter == H5Z_FILTER_FLETCHER32) {
        has_checksum_ = true;
      } else {
        throw LeftOut{fmt::format("Zarr has no codec for its filter {}", filter)};
      }
    }
  }

  std::string key_of(std::span<const hsize_t> offset) const {
    std::string out;
    for (std::size_t d = 0; d < offset.size(); ++d) {
      out += fmt::format("{}{}", d == 0 ? "" : ".", offset[d] / chunk_[d]);
    }
    return offset.empty() ? "0" : out;
  }

  void refer_to_chunks() {
    std::vector<hsize_t> offset(shape_.size(), 0);
    // Others have records that this variable has not.
    has_gaps_ = stored_ != shape_;
    if (std::find(stored_.begin(), stored_.end(), hsize_t{0}) != stored_.end()) return;
    for (bool is_more = true; is_more;) {
      refer_to_chunk(offset);
      std::size_t d = offset.size();
      while (d > 0 && (offset[d - 1] += chunk_[d - 1]) >= stored_[d - 1]) offset[--d] = 0;
      is_more = d > 0;
    }
    // HDF5 1.10 does not take H5S_ALL here.
    const Hdf5Handle space(H5Dget_space(data_set_.get()), H5Sclose);
    hsize_t chunks = 0;
    if (H5Dget_num_chunks(data_set_.get(), space.get(), &chunks) < 0 || chunks != places_.size()) {
      throw LeftOut{"HDF5 does not say where its chunks lie"};
    }
  }

  /// Returns nothing for a chunk that is not there, and where HDF5 fails. (It has a function for
  /// that, which looks at all chunks.)
  std::optional<haddr_t> locate(const std::vector<hsize_t>& offset, unsigned& skipped,
                                hsize_t& bytes) {
    if (H5Dget_chunk_storage_size(data_set_.get(), offset.data(), &bytes) < 0 || bytes == 0) {
      return std::nullopt;
    }
    if (unread_.size() < bytes) unread_.resize(bytes);
    state_.located = HADDR_UNDEF;
    state_.is_locating = true;
    const bool is_there =
        H5Dread_chunk(data_set_.get(), H5P_DEFAULT, offset.data(), &skipped, unread_.data()) >= 0;
    state_.is_locating = false;
    return is_there && state_.located != HADDR_UNDEF ? std::optional(state_.located) : std::nullopt;
  }

  void refer_to_chunk(const std::vector<hsize_t>& offset) {
    unsigned skipped = 0;
    hsize_t bytes = 0;
    const std::optional<haddr_t> address = locate(offset, skipped, bytes);
    if (!address) {
      has_gaps_ = true;
      return;
    }
    constexpr hsize_t checksum_bytes = 4;
    if (has_checksum_) bytes -= std::min(bytes, checksum_bytes);
    if (skipped != 0) return put_chunk(offset, skipped, bytes);
    places_.emplace_back(key_of(offset), place(*address, bytes));
  }

  /// A chunk that deflate would not have made smaller is stored without, and readers of Zarr expect
  /// it everywhere.
  void put_chunk(const std::vector<hsize_t>& offset, unsigned skipped, hsize_t bytes) {
    if (skipped != deflate_bit_) throw LeftOut{"one of its chunks has not passed all filters"};
    std::vector<std::byte> stored(bytes + (has_checksum_ ? 4 : 0));
    std::uint32_t mask = 0;
    if (H5Dread_chunk(data_set_.get(), H5P_DEFAULT, offset.data(), &mask, stored.data()) < 0) {
      throw LeftOut{"one of its chunks cannot be read"};
    }
    stored.resize(zarr_bytes_at_most(Compression::Method::deflate, bytes));
    Encoding encoding;
    encoding.level = 1;
    encoding.is_zarr = true;
    encoding.shuffle = Compression::Shuffle::none;  // it is shuffled
    const std::size_t size = codec_.encode_zarr(encoding, 1, bytes, stored).bytes;
    places_.emplace_back(key_of(offset), "base64:" + base64(std::span(stored).first(size)));
  }

  static Json place(haddr_t address, hsize_t bytes) {
    return Json::array({"{{u}}", address, bytes});
  }

  hsize_t points() const {
    hsize_t out = 1;
    for (const hsize_t length : shape_) out *= length;
    return out;
  }

  /// It lies in one piece.
  void refer_to_all() {
    const haddr_t address = H5Dget_offset(data_set_.get());
    if (points() == 0) return;
    if (address == HADDR_UNDEF) {
      has_gaps_ = true;
      return;
    }
    places_.emplace_back(key_of(std::vector<hsize_t>(shape_.size(), 0)),
                         place(address, points() * value_bytes_));
  }

  /// It is in the header of the file.
  void put_values() {
    std::vector<std::byte> values(points() * value_bytes_);
    if (values.empty()) return;
    if (H5Dread(data_set_.get(), type_.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      throw LeftOut{"its values cannot be read"};
    }
    places_.emplace_back(key_of(std::vector<hsize_t>(shape_.size(), 0)),
                         "base64:" + base64(values));
  }

  const Described& variable_;
  Json::object_t& references_;
  DriverState& state_;
  Hdf5Handle data_set_;
  Hdf5Handle creation_;
  Hdf5Handle type_;
  std::string dtype_;
  std::vector<hsize_t> shape_, chunk_;
  std::vector<hsize_t> stored_;  // as far as it was written, which may be less than shape_
  std::size_t value_bytes_ = 0;
  Json compressor_, filters_;
  unsigned deflate_bit_ = 0;
  bool has_checksum_ = false;
  bool has_gaps_ = false;
  std::vector<std::byte> unread_;
  std::vector<std::pair<std::string, Json>> places_;
  ChunkCodec codec_;
};

}  // namespace

References kerchunk_references(const std::string& path, const std::string& url) {
  const Hdf5Silence silence;
  // As of all its values: there may be many chunks.
  std::error_code ignored;
  const BreakdownWatch watch({path.c_str()}, std::filesystem::file_size(path, ignored));
  const Definitions definitions(path);
  LocatedFile file(path);
  References out;
  Json references = Json::object();
  references[".zgroup"] = Json({{"zarr_format", 2}}).dump();
  try {
    references[".zattrs"] = definitions.attributes().dump(-1, ' ', true);
    for (const Described& variable : definitions.variables()) {
      try {
        out.chunks += Referred(file, variable, references).refer();
        ++out.variables;
      } catch (const LeftOut& reason) {
        out.left_out.push_back(fmt::format("{} ({})", variable.name, reason.why));
      }
    }
    for (const std::string& group : definitions.groups()) {
      out.left_out.push_back(fmt::format("{}/* (variables in groups are not looked at)", group));
    }
    Json document = {{"version", 1}, {"templates", {{"u", url}}}};
    document["refs"] = std::move(references);
    out.text = document.dump(-1, ' ', true);
  } catch (const Json::type_error&) {
    refuse_file(path, "a name or an attribute is no UTF-8 text, which JSON needs");
  }
  return out;
}

}  // namespace epios::io
