// Loads HDF5 filter plug-ins without HDF5, since only one thread may call it. It finds the plug-in
// in the folders of HDF5, lets it complete its parameters, and reports filters that are missing.
#include "chunks/filter_plugin.hpp"

#include <H5PLextern.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_filter.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "disk/hdf5_handle.hpp"

namespace epios::io {

namespace {

/// The filters in use, and their packages in Debian 12, if any.
struct Known {
  H5Z_filter_t number;
  const char* name;
  const char* package;
};
constexpr std::array<Known, 9> known{{{307, "bzip2", "hdf5-filter-plugin"},
                                      {32000, "LZF", "hdf5-plugin-lzf"},
                                      {32001, "Blosc", "hdf5-filter-plugin-blosc-serial"},
                                      {32004, "LZ4", "hdf5-filter-plugin"},
                                      {32008, "bitshuffle", ""},
                                      {zfp_filter, "ZFP", "hdf5-filter-plugin-zfp-serial"},
                                      {zstd_filter, "zstd", ""},
                                      {sz_filter, "SZ", ""},
                                      {32024, "SZ3", ""}}};

std::vector<std::string> folders() {
  if (const char* said = std::getenv("HDF5_PLUGIN_PATH"); said != nullptr && *said != '\0') {
    std::vector<std::string> out;
    std::string_view rest = said;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) out.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }
  // HDF5 over MPICH looks into the first alone, and Debian has plug-ins for the serial one.
  return {EPIOS_HDF5_PLUGINS "/mpich/plugins", EPIOS_HDF5_PLUGINS "/serial/plugins",
          "/usr/local/hdf5/lib/plugin"};
}

std::vector<std::string> plugins_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().filename().string().find(".so") != std::string::npos) {
      out.push_back(entry.path().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// A function or number of the HDF5 that a plug-in was linked with: not always ours, and each has
/// identifiers of its own. Ours where it was linked with none.
template <class T>
T* of_its_hdf5(void* library, const char* name, T* ours) {
  void* const found = ::dlsym(library, name);
  return found == nullptr ? ours : reinterpret_cast<T*>(found);
}

/// An identifier that HDF5 makes when it is opened: its name is a macro for a variable.
hid_t number_of_its_hdf5(void* library, const char* name, hid_t ours) {
  const void* const found = ::dlsym(library, name);
  return found == nullptr ? ours : *static_cast<const hid_t*>(found);
}

hid_t type_in(void* library, ValueKind kind) {
  switch (kind) {
    case ValueKind::float32:
      return number_of_its_hdf5(library, "H5T_IEEE_F32LE_g", H5T_IEEE_F32LE);
    case ValueKind::float64:
      return number_of_its_hdf5(library, "H5T_IEEE_F64LE_g", H5T_IEEE_F64LE);
    case ValueKind::int16:
      return number_of_its_hdf5(library, "H5T_STD_I16LE_g", H5T_STD_I16LE);
    case ValueKind::int32:
      return number_of_its_hdf5(library, "H5T_STD_I32LE_g", H5T_STD_I32LE);
    case ValueKind::int64:
      return number_of_its_hdf5(library, "H5T_STD_I64LE_g", H5T_STD_I64LE);
    case ValueKind::text:
      break;
  }
  return H5I_INVALID_HID;
}

/// SZ keeps what it works with in variables of the whole process.
std::mutex& turn_of_one_at_a_time() {
  static std::mutex turn;
  return turn;
}

}  // namespace

std::optional<FilterPlugin> FilterPlugin::load(const std::string& path, H5Z_filter_t filter) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return std::nullopt;
  using Type = decltype(&H5PLget_plugin_type);
  using Info = decltype(&H5PLget_plugin_info);
  const auto type = reinterpret_cast<Type>(::dlsym(library, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<Info>(::dlsym(library, "H5PLget_plugin_info"));
  if (type == nullptr || info == nullptr || type() != H5PL_TYPE_FILTER) return std::nullopt;
  const auto* const its = static_cast<const H5Z_class2_t*>(info());
  if (its == nullptr || its->version != H5Z_CLASS_T_VERS || its->id != filter ||
      its->filter == nullptr) {
    return std::nullopt;
  }
  // Not what the plug-in does when a data set is made: that speaks to its own HDF5.
  H5Z_class2_t ours = *its;
  ours.can_apply = nullptr;
  ours.set_local = nullptr;
  if (H5Zfilter_avail(filter) <= 0 && H5Zregister(&ours) < 0) return std::nullopt;
  return FilterPlugin(library, its);
}

std::optional<FilterPlugin> FilterPlugin::find(H5Z_filter_t filter) {
  const Hdf5Silence silence;
  for (const std::string& folder : folders()) {
    for (const std::string& path : plugins_in(folder)) {
      if (auto found = load(path, filter)) return found;
    }
  }
  return std::nullopt;
}

std::string FilterPlugin::missing_text(H5Z_filter_t filter) {
  const auto* const its =
      std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.number == filter; });
  const std::string name =
      its == known.end() ? fmt::format("{}", filter) : fmt::format("{} ({})", its->name, filter);
  std::string advice;
  if (its != known.end() && *its->package != '\0') {
    advice = fmt::format("Install the package {}, or name", its->package);
  } else {
    advice = "Debian 12 has no package with it: is there a plug-in from elsewhere? Name";
  }
  return fmt::format(
      "filter {} of HDF5 is not installed (no plug-in of it in {}). {} the folder of its plug-in "
      "in "
      "HDF5_PLUGIN_PATH.",
      name, fmt::join(folders(), ", "), advice);
}

std::optional<std::vector<unsigned>> FilterPlugin::parameters(
    ValueKind kind, const Extents& chunk, const std::vector<unsigned>& given) const {
  if (filter_->set_local == nullptr && filter_->can_apply == nullptr) return given;
  const auto call = [this](const char* name, auto* ours) {
    return of_its_hdf5(library_, name, ours);
  };
  const Hdf5Silence silence;
  if (call("H5open", &H5open)() < 0) return std::nullopt;
  static_cast<void>(call("H5Eset_auto2", &H5Eset_auto2)(H5E_DEFAULT, nullptr, nullptr));
  // Only if it is the plug-in's own that does not know it.
  if (call("H5Zfilter_avail", &H5Zfilter_avail)(filter_->id) <= 0 &&
      call("H5Zregister", &H5Zregister)(filter_) < 0) {
    return std::nullopt;
  }
  const auto close_list = call("H5Pclose", &H5Pclose);
  const auto close_space = call("H5Sclose", &H5Sclose);
  const Hdf5Handle list(call("H5Pcreate", &H5Pcreate)(number_of_its_hdf5(
                            library_, "H5P_CLS_DATASET_CREATE_ID_g", H5P_DATASET_CREATE)),
                        close_list);
  const std::vector<hsize_t> sizes(chunk.begin(), chunk.end());
  const auto rank = static_cast<int>(sizes.size());
  const Hdf5Handle space(call("H5Screate_simple", &H5Screate_simple)(rank, sizes.data(), nullptr),
                         close_space);
  const hid_t type = type_in(library_, kind);
  if (!list || !space || type < 0) return std::nullopt;
  if (call("H5Pset_chunk", &H5Pset_chunk)(list.get(), rank, sizes.data()) < 0 ||
      call("H5Pset_filter", &H5Pset_filter)(list.get(), filter_->id, H5Z_FLAG_MANDATORY,
                                            given.size(), given.data()) < 0) {
    return std::nullopt;
  }
  if (filter_->can_apply != nullptr && filter_->can_apply(list.get(), type, space.get()) <= 0) {
    return std::nullopt;
  }
  if (filter_->set_local != nullptr && filter_->set_local(list.get(), type, space.get()) < 0) {
    return std::nullopt;
  }
  constexpr std::size_t most = 256;
  std::vector<unsigned> out(most);
  std::size_t count = most;
  unsigned flags = 0;
  unsigned configuration = 0;
  if (call("H5Pget_filter_by_id2", &H5Pget_filter_by_id2)(
          list.get(), filter_->id, &flags, &count, out.data(), 0, nullptr, &configuration) < 0 ||
      count > most) {
    return std::nullopt;
  }
  out.resize(count);
  return out;
}

std::size_t FilterPlugin::encode(const std::vector<unsigned>& parameters,
                                 std::span<const std::byte> from, std::span<std::byte> to) const {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  // Filters change the memory that they are given for another, as malloc() and free() do.
  std::unique_ptr<void, Free> memory(std::malloc(from.size()));
  if (!memory) throw std::bad_alloc();
  std::memcpy(memory.get(), from.data(), from.size());
  std::unique_lock<std::mutex> turn;
  if (filter_->id == sz_filter) turn = std::unique_lock(turn_of_one_at_a_time());
  void* changed = memory.release();
  std::size_t room = from.size();
  const std::size_t made =
      filter_->filter(0, parameters.size(), parameters.data(), from.size(), &room, &changed);
  memory.reset(changed);
  if (made > to.size()) return 0;
  if (made > 0) std::memcpy(to.data(), memory.get(), made);
  return made;
}

namespace {

std::vector<unsigned> filters_of(int file, int variable) {
  std::size_t count = 0;
  if (nc_inq_var_filter_ids(file, variable, &count, nullptr) != NC_NOERR || count == 0) return {};
  std::vector<unsigned> out(count);
  if (nc_inq_var_filter_ids(file, variable, &count, out.data()) != NC_NOERR) return {};
  return out;
}

bool is_known(unsigned filter) {
  const Hdf5Silence silence;
  return H5Zfilter_avail(static_cast<H5Z_filter_t>(filter)) > 0;
}

/// True: HDF5 knows a filter now that it did not, and NetCDF looks only when it opens a file.
bool learn_filters(int file) {
  int count = 0;
  if (nc_inq_nvars(file, &count) != NC_NOERR) return false;
  bool is_new = false;
  std::vector<unsigned> asked;
  for (int v = 0; v < count; ++v) {
    for (const unsigned filter : filters_of(file, v)) {
      if (std::find(asked.begin(), asked.end(), filter) != asked.end()) continue;
      asked.push_back(filter);
      if (is_known(filter)) continue;
      is_new = FilterPlugin::find(static_cast<H5Z_filter_t>(filter)).has_value() || is_new;
    }
  }
  return is_new;
}

}  // namespace

int open_with_filters(const std::string& path, int& netcdf_file) {
  int status = nc_open(path.c_str(), NC_NOWRITE, &netcdf_file);
  if (status != NC_NOERR || !learn_filters(netcdf_file)) return status;
  status = nc_close(netcdf_file);
  return status == NC_NOERR ? nc_open(path.c_str(), NC_NOWRITE, &netcdf_file) : status;
}

std::string missing_filter(int netcdf_file, int variable) {
  for (const unsigned filter : filters_of(netcdf_file, variable)) {
    if (!is_known(filter)) return FilterPlugin::missing_text(static_cast<H5Z_filter_t>(filter));
  }
  return {};
}

}  // namespace epios::io
