#include "disk/hdf5_handle.hpp"

namespace epios::io {

Hdf5Silence::Hdf5Silence() {
  if (H5Eget_auto2(H5E_DEFAULT, &function_, &data_) < 0) function_ = nullptr;
  static_cast<void>(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr));
}

Hdf5Silence::~Hdf5Silence() { static_cast<void>(H5Eset_auto2(H5E_DEFAULT, function_, data_)); }

std::string hdf5_error_text() {
  std::string text;
  const auto keep_first = [](unsigned /*depth*/, const H5E_error2_t* error, void* out) -> herr_t {
    auto& description = *static_cast<std::string*>(out);
    if (description.empty() && error->desc != nullptr) description = error->desc;
    return 0;
  };
  if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text) < 0 || text.empty()) {
    return "HDF5 gives no reason";
  }
  return text;
}

}  // namespace epios::io
