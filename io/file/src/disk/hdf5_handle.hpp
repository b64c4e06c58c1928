/// @file
/// Ownership and errors of HDF5 calls.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace epios::io {

/// Owns an HDF5 identifier.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() noexcept = default;
  Hdf5Handle(hid_t id, Close closer) noexcept : id_(id), close_(closer) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { static_cast<void>(close()); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Returns false if HDF5 reports a failure. Does nothing for an empty handle.
  [[nodiscard]] bool close() noexcept {
    if (id_ < 0) return true;
    return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Keeps HDF5 from printing errors while it lives; restores the previous setting.
class Hdf5Silence {
 public:
  Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence(Hdf5Silence&&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(Hdf5Silence&&) = delete;
  ~Hdf5Silence();

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Returns the innermost description on HDF5's error stack, such as "unable to extend file".
std::string hdf5_error_text();

}  // namespace epios::io
