// Puts the files of several writers (type="multiple_file") together as rebuild tools do: by their
// attributes DOMAIN_*, with the distribution's serial NetCDF.
//   rebuild_files <result> <file>...
#include <netcdf.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int status, const std::string& what) {
  if (status != NC_NOERR) throw std::runtime_error(what + ": " + nc_strerror(status));
}

struct Piece {
  int id = -1;
  std::string path;
  std::vector<std::string> dimensions;  // names
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> begins;  // in the whole
  std::vector<std::size_t> wholes;
};

std::vector<int> numbers(const Piece& piece, const char* name) {
  std::size_t count = 0;
  check(nc_inq_attlen(piece.id, NC_GLOBAL, name, &count), piece.path + " " + name);
  std::vector<int> out(count);
  check(nc_get_att_int(piece.id, NC_GLOBAL, name, out.data()), piece.path + " " + name);
  return out;
}

void expect(bool condition, const Piece& piece, const std::string& what) {
  if (!condition) throw std::runtime_error(piece.path + ": " + what);
}

Piece open(const std::string& path, int number, int count) {
  Piece out;
  out.path = path;
  check(nc_open(path.c_str(), NC_NOWRITE, &out.id), path);
  int dimensions = 0;
  check(nc_inq_ndims(out.id, &dimensions), path);
  for (int d = 0; d < dimensions; ++d) {
    std::array<char, NC_MAX_NAME + 1> name{};
    std::size_t length = 0;
    check(nc_inq_dim(out.id, d, name.data(), &length), path);
    out.dimensions.emplace_back(name.data());
    out.lengths.push_back(length);
  }
  out.begins.assign(out.lengths.size(), 0);
  out.wholes = out.lengths;
  expect(numbers(out, "DOMAIN_number_total") == std::vector{count}, out, "another number of files");
  expect(numbers(out, "DOMAIN_number") == std::vector{number}, out, "another number");
  const std::vector<int> ids = numbers(out, "DOMAIN_dimensions_ids");
  const std::vector<int> globals = numbers(out, "DOMAIN_size_global");
  const std::vector<int> locals = numbers(out, "DOMAIN_size_local");
  const std::vector<int> firsts = numbers(out, "DOMAIN_position_first");
  const std::vector<int> lasts = numbers(out, "DOMAIN_position_last");
  const std::vector<int> none(ids.size(), 0);
  expect(numbers(out, "DOMAIN_halo_size_start") == none, out, "a halo");
  expect(numbers(out, "DOMAIN_halo_size_end") == none, out, "a halo");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto d = static_cast<std::size_t>(ids[i] - 1);
    expect(static_cast<int>(out.lengths.at(d)) == locals.at(i), out, "another local size");
    expect(lasts.at(i) - firsts.at(i) + 1 == locals.at(i), out, "positions and sizes differ");
    out.begins.at(d) = static_cast<std::size_t>(firsts.at(i) - 1);
    out.wholes.at(d) = static_cast<std::size_t>(globals.at(i));
  }
  const std::array<const char*, 2> begin_names{"ibegin", "jbegin"};
  const std::array<const char*, 2> size_names{"ni", "nj"};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    expect(numbers(out, begin_names.at(i)) == std::vector{firsts.at(i) - 1}, out, "another begin");
    expect(numbers(out, size_names.at(i)) == std::vector{locals.at(i)}, out, "another size");
  }
  return out;
}

void copy_attributes(const Piece& from, int variable, int to, int to_variable) {
  int count = 0;
  check(variable == NC_GLOBAL ? nc_inq_natts(from.id, &count)
                              : nc_inq_varnatts(from.id, variable, &count),
        from.path);
  for (int a = 0; a < count; ++a) {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc_inq_attname(from.id, variable, a, name.data()), from.path);
    check(nc_copy_att(from.id, variable, name.data(), to, to_variable), from.path);
  }
}

/// Variables and dimensions of the first file, whole.
int define(const Piece& first, const std::string& path) {
  int id = -1;
  check(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id), path);
  int record = -1;
  check(nc_inq_unlimdim(first.id, &record), path);
  for (std::size_t d = 0; d < first.dimensions.size(); ++d) {
    int dimension = 0;
    const std::size_t length = static_cast<int>(d) == record ? NC_UNLIMITED : first.wholes[d];
    check(nc_def_dim(id, first.dimensions[d].c_str(), length, &dimension), path);
  }
  int variables = 0;
  check(nc_inq_nvars(first.id, &variables), path);
  for (int v = 0; v < variables; ++v) {
    std::array<char, NC_MAX_NAME + 1> name{};
    nc_type type = NC_NAT;
    int rank = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    int attributes = 0;
    int variable = 0;
    check(nc_inq_var(first.id, v, name.data(), &type, &rank, dimensions.data(), &attributes), path);
    check(nc_def_var(id, name.data(), type, rank, dimensions.data(), &variable), path);
    copy_attributes(first, v, id, variable);
  }
  copy_attributes(first, NC_GLOBAL, id, NC_GLOBAL);
  check(nc_enddef(id), path);
  return id;
}

void copy_data(const Piece& piece, int to) {
  int variables = 0;
  check(nc_inq_nvars(piece.id, &variables), piece.path);
  for (int v = 0; v < variables; ++v) {
    std::array<char, NC_MAX_NAME + 1> name{};
    nc_type type = NC_NAT;
    int rank = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    check(nc_inq_var(piece.id, v, name.data(), &type, &rank, dimensions.data(), nullptr),
          piece.path);
    std::size_t size = 0;
    check(nc_inq_type(piece.id, type, nullptr, &size), piece.path);
    std::vector<std::size_t> begin;
    std::vector<std::size_t> length;
    for (int d = 0; d < rank; ++d) {
      const auto dimension = static_cast<std::size_t>(dimensions.at(static_cast<std::size_t>(d)));
      begin.push_back(piece.begins[dimension]);
      length.push_back(piece.lengths[dimension]);
      size *= length.back();
    }
    std::vector<std::byte> values(size);
    int variable = 0;
    check(nc_inq_varid(to, name.data(), &variable), piece.path);
    check(nc_get_var(piece.id, v, values.data()), piece.path);
    check(nc_put_vara(to, variable, begin.data(), length.data(), values.data()), piece.path);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  try {
    std::vector<Piece> pieces;
    for (std::size_t n = 1; n < paths.size(); ++n) {
      pieces.push_back(open(paths[n], static_cast<int>(n) - 1, static_cast<int>(paths.size()) - 1));
    }
    const int id = define(pieces.at(0), paths.at(0));
    for (const Piece& piece : pieces) copy_data(piece, id);
    check(nc_close(id), paths.front());
    for (const Piece& piece : pieces) check(nc_close(piece.id), piece.path);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rebuild_files: %s\n", error.what());
    return 1;
  }
  return 0;
}
