/// @file
/// Compression of a variable's chunks by an HDF5 plug-in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "chunks/filter_plugin.hpp"
#include "file/output_file.hpp"

namespace epios::io {

class PluginFilter {
 public:
  /// `chunk` includes the record dimension. Throws Error{io}, which names file, variable and
  /// remedy.
  PluginFilter(const std::string& path, const VariableSpec& variable, const Extents& chunk);
  H5Z_filter_t number() const { return number_; }
  const std::vector<unsigned>& parameters() const { return parameters_; }
  /// Returns true if bytes are shuffled before.
  bool shuffles() const { return shuffles_; }
  std::size_t encode(std::span<const std::byte> from, std::span<std::byte> to) const {
    return plugin_.encode(parameters_, from, to);
  }

 private:
  H5Z_filter_t number_;
  bool shuffles_;
  FilterPlugin plugin_;
  std::vector<unsigned> parameters_;
};

}  // namespace epios::io
