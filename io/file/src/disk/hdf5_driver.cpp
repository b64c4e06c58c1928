#include "disk/hdf5_driver.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "disk/posix_file.hpp"

namespace epios::io {

namespace {

// HDF5 asks for a struct that begins with its own H5FD_t.
struct DriverFile {
  H5FD_t base = {};
  PosixFile file;
  std::uint64_t end_of_file = 0;
  DriverState* state = nullptr;
};

DriverFile* of(H5FD_t* file) { return reinterpret_cast<DriverFile*>(file); }
const DriverFile* of(const H5FD_t* file) { return reinterpret_cast<const DriverFile*>(file); }

herr_t result(DriverState& state, int error) {
  if (error == 0) return 0;
  if (state.error == 0) state.error = error;
  return -1;
}

H5FD_t* open_file(const char* name, unsigned /*flags*/, hid_t access, haddr_t /*maxaddr*/) {
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  std::unique_ptr<DriverFile> out(new (std::nothrow) DriverFile);
  if (!out) return nullptr;
  out->state = *static_cast<DriverState* const*>(info);
  const PosixFile* known = out->state->file;
  int error = known != nullptr ? out->file.share(*known) : out->file.open_own(name);
  if (error == 0) error = out->file.size(out->end_of_file);
  if (result(*out->state, error) < 0) return nullptr;
  return &out.release()->base;
}

herr_t close_file(H5FD_t* base) {
  const std::unique_ptr<DriverFile> file(of(base));
  const int error = file->file.close();
  return file->state->is_dead ? 0 : result(*file->state, error);
}

int compare(const H5FD_t* a, const H5FD_t* b) { return a == b ? 0 : (a < b ? -1 : 1); }

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  // No sieve and no page buffers: raw data must reach write() at once and at its own address.
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t end_of_space(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return of(file)->state->end_of_space;
}

herr_t set_end_of_space(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  of(file)->state->end_of_space = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return of(file)->end_of_file; }

herr_t read(H5FD_t* base, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, std::size_t size,
            void* buffer) {
  DriverFile& file = *of(base);
  if (file.state->is_locating && type == H5FD_MEM_DRAW) {
    file.state->located = address;
    return 0;
  }
  return result(*file.state, file.file.read_at({static_cast<std::byte*>(buffer), size}, address));
}

herr_t write(H5FD_t* base, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, std::size_t size,
             const void* buffer) {
  DriverFile& file = *of(base);
  if (file.state->is_dead) return 0;
  if (file.state->is_probing && type == H5FD_MEM_DRAW) {
    file.state->probed.push_back(address);
    return 0;
  }
  const int error = file.file.write_at({static_cast<const std::byte*>(buffer), size}, address);
  if (error == 0) file.end_of_file = std::max<std::uint64_t>(file.end_of_file, address + size);
  return result(*file.state, error);
}

// The file may be longer than HDF5 thinks (space is set aside before it is given out), never
// shorter.
herr_t truncate(H5FD_t* base, hid_t /*transfer*/, hbool_t /*closing*/) {
  DriverFile& file = *of(base);
  if (file.state->is_dead) return 0;
  std::uint64_t size = 0;
  int error = file.file.size(size);
  if (error == 0 && size < file.state->end_of_space) {
    error = file.file.truncate(file.state->end_of_space);
  }
  if (error == 0) file.end_of_file = std::max(file.end_of_file, file.state->end_of_space);
  return result(*file.state, error);
}

H5FD_class_t driver_class() {
  H5FD_class_t out = {};
#ifdef H5FD_CLASS_VERSION
  // From HDF5 1.14 on, which refuses a driver without them. The number is one of those that HDF5
  // leaves to drivers that are not registered with its authors; 0 would be its own driver.
  constexpr int own_value = 256 + 'e';
  out.version = H5FD_CLASS_VERSION;
  out.value = own_value;
#endif
  out.name = "epios";
  out.maxaddr = (haddr_t{1} << 62) - 1;
  out.fc_degree = H5F_CLOSE_STRONG;
  out.fapl_size = sizeof(void*);  // the property list holds a DriverState*
  out.open = open_file;
  out.close = close_file;
  out.cmp = compare;
  out.query = query;
  out.get_eoa = end_of_space;
  out.set_eoa = set_end_of_space;
  out.get_eof = end_of_file;
  out.read = read;
  out.write = write;
  out.truncate = truncate;
  const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(out.fl_map));
  return out;
}

/// Registered once and until the program ends: H5FD_close of HDF5 1.10 lets go of a file's driver
/// before it calls the driver's own close, and would read what it has freed if nobody else had it.
hid_t registered_driver() {
  static const hid_t id = [] {
    const H5FD_class_t driver = driver_class();
    return H5FDregister(&driver);
  }();
  return id;
}

}  // namespace

hid_t make_driver_access(DriverState* state) {
  const hid_t id = registered_driver();
  if (id < 0) return -1;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_driver(access, id, static_cast<const void*>(&state)) < 0) {
    static_cast<void>(H5Pclose(access));
    access = -1;
  }
  return access;
}

}  // namespace epios::io
