/// @file
/// Names of the same things in the layouts of weights files.
#pragma once

#include "file/weights_file.hpp"

namespace epios::io {

struct WeightsNames {
  const char* source_size;
  const char* target_size;
  const char* count;
  const char* source;
  const char* target;
  const char* weight;
  const char* source_lon;  ///< longitude of centres
  const char* source_lat;
  const char* target_lon;
  const char* target_lat;
};
inline constexpr WeightsNames xios_names{"n_src",  "n_dst", "n_weight", "src_idx", "dst_idx",
                                         "weight", "",      "",         "",        ""};
inline constexpr WeightsNames scrip_names{
    "src_grid_size",       "dst_grid_size",      "num_links",           "src_address",
    "dst_address",         "remap_matrix",       "src_grid_center_lon", "src_grid_center_lat",
    "dst_grid_center_lon", "dst_grid_center_lat"};
inline constexpr WeightsNames esmf_names{"n_a", "n_b",  "n_s",  "col",  "row",
                                         "S",   "xc_a", "yc_a", "xc_b", "yc_b"};

/// Name of the additional weights of first order.
inline constexpr const char* first_order_name = "weight_first";

// Attributes of files written by EPIOS.
inline constexpr const char* recipe_name = "epios_weights";
inline constexpr const char* base_name = "epios_index_base";
inline constexpr const char* source_sketch_name = "epios_source_grid";
inline constexpr const char* target_sketch_name = "epios_target_grid";

}  // namespace epios::io
