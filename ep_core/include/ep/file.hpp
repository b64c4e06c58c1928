/// @file
/// Thin C++ over <ep/files.h>, as <ep/ep.hpp> is over the rest: a file handle of one endpoint, and
/// the datatypes of views that show parts of arrays.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ep {

/// Owns a committed datatype and frees it. Move-only.
class Datatype {
 public:
  /// Constructs an empty object (MPI_DATATYPE_NULL).
  Datatype() noexcept = default;
  /// Takes ownership of a handle, which must not be a predefined one.
  explicit Datatype(MPI_Datatype handle) noexcept : handle_(handle) {}
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;
  Datatype(Datatype&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
  Datatype& operator=(Datatype&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Datatype() {
    if (handle_ != MPI_DATATYPE_NULL) MPI_Type_free(&handle_);
  }

  /// Returns the handle for MPI's functions; this object keeps owning it.
  MPI_Datatype get() const noexcept { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

/// A part of an array that lies in a file in C order.
struct ArrayPart {
  std::int64_t offset = 0;  ///< offset of the whole array in the file, in bytes
  int value_bytes = 1;
  std::vector<std::int64_t> shape;  ///< lengths of the array's dimensions; empty for a single value
  std::vector<std::int64_t> begin;  ///< first index of the part in each dimension
  std::vector<std::int64_t>
      size;  ///< number of indices of the part in each dimension, each at least 1
};

namespace file_types {

/// Throws Error with EP_ERR_TYPE if an MPI call that describes a datatype failed.
inline void check_type(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  throw Error(EP_ERR_TYPE, std::string("a view of arrays cannot be described (") + call +
                               " failed). Is a dimension too long?");
}

/// Converts a length to an int. Throws Error with EP_ERR_ARG if it is too large.
inline int as_int(std::int64_t value) {
  if (value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
  throw Error(EP_ERR_ARG, "a dimension of a view has " + std::to_string(value) +
                              " points (MPI counts to 2147483647). Split the dimension?");
}

/// Returns an uncommitted datatype that selects a part of one array, relative to the array's
/// beginning.
inline Datatype of_part(const ArrayPart& part) {
  MPI_Datatype value = MPI_DATATYPE_NULL;
  check_type(MPI_Type_contiguous(part.value_bytes, MPI_BYTE, &value), "MPI_Type_contiguous");
  if (part.shape.empty()) return Datatype(value);
  const Datatype value_type(value);
  std::vector<int> shape;
  std::vector<int> size;
  std::vector<int> begin;
  for (std::size_t d = 0; d < part.shape.size(); ++d) {
    shape.push_back(as_int(part.shape[d]));
    size.push_back(as_int(part.size[d]));
    begin.push_back(as_int(part.begin[d]));
  }
  MPI_Datatype box = MPI_DATATYPE_NULL;
  check_type(MPI_Type_create_subarray(static_cast<int>(shape.size()), shape.data(), size.data(),
                                      begin.data(), MPI_ORDER_C, value_type.get(), &box),
             "MPI_Type_create_subarray");
  return Datatype(box);
}

}  // namespace file_types

/// Returns a committed filetype that shows parts of several arrays one after the other and repeats
/// after `extent` bytes, as for records that hold one array of each variable. Offsets must ascend,
/// and the arrays must not overlap. The etype is MPI_BYTE. Local. Throws Error with EP_ERR_TYPE or
/// EP_ERR_ARG. MPI-3.1 4.1, 13.3.
inline Datatype type_of_parts(std::span<const ArrayPart> parts, std::int64_t extent) {
  using namespace file_types;
  std::vector<Datatype> types;
  std::vector<MPI_Datatype> handles;
  std::vector<MPI_Aint> offsets;
  for (const ArrayPart& part : parts) {
    types.push_back(of_part(part));
    handles.push_back(types.back().get());
    offsets.push_back(static_cast<MPI_Aint>(part.offset));
  }
  const std::vector<int> ones(parts.size(), 1);
  MPI_Datatype together = MPI_DATATYPE_NULL;
  check_type(MPI_Type_create_struct(static_cast<int>(parts.size()), ones.data(), offsets.data(),
                                    handles.data(), &together),
             "MPI_Type_create_struct");
  const Datatype all(together);
  MPI_Datatype repeated = MPI_DATATYPE_NULL;
  check_type(MPI_Type_create_resized(all.get(), 0, static_cast<MPI_Aint>(extent), &repeated),
             "MPI_Type_create_resized");
  Datatype out(repeated);
  check_type(MPI_Type_commit(&repeated), "MPI_Type_commit");
  return out;
}

/// Owns a file handle of one endpoint. Closing is collective over the endpoints that opened the
/// file, so the destructor does not close it: call close(), otherwise the file stays open and the
/// destructor prints a message to stderr. Move-only.
class File {
 public:
  /// Constructs an empty object (EP_FILE_NULL).
  File() noexcept = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, EP_FILE_NULL)) {}
  File& operator=(File&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~File() {
    if (handle_ != EP_FILE_NULL) std::fputs("ep: a file was not closed (File::close).\n", stderr);
  }

  /// Calls EP_File_open with no hints. Collective over `comm`. Throws Error. MPI-3.1 13.2.1.
  static File open(const Comm& comm, const std::string& name, int amode) {
    File out;
    check(EP_File_open(comm.get(), name.c_str(), amode, MPI_INFO_NULL, &out.handle_));
    return out;
  }
  /// Calls EP_File_close. Does nothing for EP_FILE_NULL. Collective. Throws Error. MPI-3.1 13.2.2.
  void close() {
    if (handle_ != EP_FILE_NULL) check(EP_File_close(&handle_));
  }

  /// Returns the handle for the C functions; this object keeps owning it.
  EP_File get() const noexcept { return handle_; }
  /// True unless the handle is EP_FILE_NULL.
  explicit operator bool() const noexcept { return handle_ != EP_FILE_NULL; }

  /// Calls EP_File_set_view with MPI_BYTE as etype; `displacement` counts bytes. Collective. Throws
  /// Error. MPI-3.1 13.3.
  void set_view(MPI_Offset displacement, MPI_Datatype filetype,
                const char* representation = "native") const {
    check(
        EP_File_set_view(handle_, displacement, MPI_BYTE, filetype, representation, MPI_INFO_NULL));
  }
  /// Sets the individual pointer to byte `position` of the view's data (EP_File_seek). Local.
  void seek(MPI_Offset position) const { check(EP_File_seek(handle_, position, EP_SEEK_SET)); }
  /// Writes `count` elements at the individual pointer and advances it (EP_File_write). `data` may
  /// be reused on return. Local. Throws Error. MPI-3.1 13.4.3.
  void write(const void* data, int count, MPI_Datatype type) const {
    check(EP_File_write(handle_, data, count, type, EP_STATUS_IGNORE));
  }
  /// Calls EP_File_sync. Collective.
  void sync() const { check(EP_File_sync(handle_)); }

 private:
  EP_File handle_ = EP_FILE_NULL;
};

}  // namespace ep
