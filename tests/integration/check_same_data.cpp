// Compares two NetCDF files: same dimensions, variables, attributes, and the same bits in every
// value. Attributes that say when and by whom a file was made may differ. usage: check_same_data
// A.nc B.nc

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "netcdf_file.hpp"

namespace {

using toy::NetcdfFile;

int differences(const NetcdfFile& a, const NetcdfFile& b) {
  int found = 0;
  const auto differ = [&found](const std::string& what) {
    std::fprintf(stderr, "different: %s\n", what.c_str());
    ++found;
  };
  if (a.variable_count() != b.variable_count()) differ("number of variables");
  if (a.attributes(NC_GLOBAL) != b.attributes(NC_GLOBAL)) differ("global attributes");
  for (int v = 0; v < a.variable_count(); ++v) {
    const std::string name = a.variable_name(v);
    const int w = b.find(name);
    if (a.shape(v) != b.shape(w)) {
      differ(name + ": " + a.shape(v) + " and " + b.shape(w));
      continue;
    }
    if (a.attributes(v) != b.attributes(w)) differ(name + ": attributes");
    if (a.data(v) != b.data(w)) differ(name + ": values");
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s A.nc B.nc\n", argv[0]);
    return EXIT_FAILURE;
  }
  try {
    return differences(NetcdfFile(argv[1]), NetcdfFile(argv[2])) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_same_data: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
