// Checks that variables <name>_1 to <name>_<count> of a file are all there, and that every 61st and
// the last have the bits that <name> has in another one: netCDF looks at all variables to read one.
//   check_alike <file> <count> <file of one> <name>...
#include <netcdf.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int status, const std::string& what) {
  if (status != NC_NOERR) throw std::runtime_error(what + ": " + nc_strerror(status));
}

int opened(const char* path) {
  int file = -1;
  check(nc_open(path, NC_NOWRITE, &file), path);
  return file;
}

int found(int file, const std::string& name) {
  int variable = -1;
  check(nc_inq_varid(file, name.c_str(), &variable), name);
  return variable;
}

std::vector<std::size_t> lengths(int file, int variable) {
  int rank = 0;
  check(nc_inq_varndims(file, variable, &rank), "rank");
  std::vector<int> dimensions(static_cast<std::size_t>(rank));
  check(nc_inq_vardimid(file, variable, dimensions.data()), "dimensions");
  std::vector<std::size_t> out;
  for (const int dimension : dimensions) {
    std::size_t length = 0;
    check(nc_inq_dimlen(file, dimension, &length), "length");
    out.push_back(length);
  }
  return out;
}

std::vector<double> values(int file, const std::string& name,
                           const std::vector<std::size_t>& shape) {
  const int variable = found(file, name);
  int rank = 0;
  check(nc_inq_varndims(file, variable, &rank), name);
  if (static_cast<std::size_t>(rank) != shape.size()) throw std::runtime_error(name + ": rank");
  std::size_t count = 1;
  for (const std::size_t length : shape) count *= length;
  std::vector<double> out(count);
  const std::vector<std::size_t> start(shape.size(), 0);
  check(nc_get_vara_double(file, variable, start.data(), shape.data(), out.data()), name);
  return out;
}

void compare(int many, int count, int one, const std::string& name) {
  const std::vector<std::size_t> shape = lengths(one, found(one, name));
  const std::vector<double> expected = values(one, name, shape);
  for (int n = 1; n <= count; ++n) {
    const std::string copy = name + "_" + std::to_string(n);
    found(many, copy);
    if (n % 61 != 1 && n != count) continue;
    const std::vector<double> got = values(many, copy, shape);
    if (std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)) != 0) {
      throw std::runtime_error(copy + ": other values");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s FILE COUNT FILE_OF_ONE NAME...\n", argv[0]);
    return EXIT_FAILURE;
  }
  try {
    const int many = opened(argv[1]);
    const int one = opened(argv[3]);
    for (int i = 4; i < argc; ++i) compare(many, std::atoi(argv[2]), one, argv[i]);
    check(nc_close(many), argv[1]);
    check(nc_close(one), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_alike: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
