#include "hdf5/dimension_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "disk/hdf5_handle.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

namespace {

/// An entry of REFERENCE_LIST: the variable, and which of its dimensions.
struct Reference {
  hobj_ref_t dataset;
  int dimension;
};

bool refer_to(hid_t file, const std::string& name, hobj_ref_t& out) {
  return H5Rcreate(&out, file, ("/" + name).c_str(), H5R_OBJECT, -1) >= 0;
}

bool write_list(hid_t file, const std::string& dataset, const char* attribute, hid_t type,
                std::size_t count, const void* values) {
  const auto size = static_cast<hsize_t>(count);
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle owner(H5Dopen2(file, ("/" + dataset).c_str(), H5P_DEFAULT), H5Dclose);
  if (!space || !owner) return false;
  const Hdf5Handle list(
      H5Acreate2(owner.get(), attribute, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return list && H5Awrite(list.get(), type, values) >= 0;
}

bool is_scale(const FileSpec& spec, const std::string& dataset) {
  return std::any_of(spec.dimensions.begin(), spec.dimensions.end(),
                     [&](const DimensionSpec& d) { return d.name == dataset; });
}

}  // namespace

bool attach_dimensions(hid_t file, const FileSpec& spec) {
  const Hdf5Handle list_type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
  const Hdf5Handle entry_type(H5Tcreate(H5T_COMPOUND, sizeof(Reference)), H5Tclose);
  bool good =
      list_type && entry_type &&
      H5Tinsert(entry_type.get(), "dataset", offsetof(Reference, dataset), H5T_STD_REF_OBJ) >= 0 &&
      H5Tinsert(entry_type.get(), "dimension", offsetof(Reference, dimension), H5T_NATIVE_INT) >= 0;
  std::vector<hobj_ref_t> scales(spec.dimensions.size());
  for (std::size_t d = 0; good && d < scales.size(); ++d) {
    good = refer_to(file, spec.dimensions[d].name, scales[d]);
  }
  std::vector<std::vector<Reference>> variables_of(scales.size());
  for (const VariableSpec& variable : spec.variables) {
    const std::string name = dataset_name(spec, variable);
    if (!good || variable.dimensions.empty() || is_scale(spec, name)) continue;
    hobj_ref_t own = 0;
    good = refer_to(file, name, own);
    std::vector<hvl_t> list;
    for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
      const auto scale = static_cast<std::size_t>(variable.dimensions[d]);
      list.push_back({1, &scales[scale]});
      variables_of[scale].push_back({own, static_cast<int>(d)});
    }
    good =
        good && write_list(file, name, "DIMENSION_LIST", list_type.get(), list.size(), list.data());
  }
  for (std::size_t d = 0; good && d < scales.size(); ++d) {
    if (variables_of[d].empty()) continue;
    good = write_list(file, spec.dimensions[d].name, "REFERENCE_LIST", entry_type.get(),
                      variables_of[d].size(), variables_of[d].data());
  }
  return good;
}

}  // namespace epios::io
