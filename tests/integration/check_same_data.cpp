// Compares two NetCDF files: same dimensions, variables, attributes, and the same bits in every
// value. Attributes that say when and by whom a file was made may differ. usage: check_same_data
// A.nc B.nc

#include <netcdf.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

class File {
 public:
  explicit File(const char* path) : path_(path) { check(nc_open(path, NC_NOWRITE, &id_)); }
  File(const File&) = delete;
  File(File&&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  ~File() { nc_close(id_); }

  int variable_count() const {
    int count = 0;
    check(nc_inq_nvars(id_, &count));
    return count;
  }
  std::string variable_name(int variable) const {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc_inq_varname(id_, variable, name.data()));
    return name.data();
  }
  int find(const std::string& variable) const {
    int id = -1;
    if (nc_inq_varid(id_, variable.c_str(), &id) != NC_NOERR) {
      throw std::runtime_error(path_ + " has no variable " + variable);
    }
    return id;
  }
  /// Type, dimension names and lengths, as text.
  std::string shape(int variable) const {
    nc_type type = NC_NAT;
    check(nc_inq_vartype(id_, variable, &type));
    std::string text = "type " + std::to_string(type);
    for (const int dimension : dimensions(variable)) {
      std::array<char, NC_MAX_NAME + 1> name{};
      std::size_t length = 0;
      check(nc_inq_dim(id_, dimension, name.data(), &length));
      text += std::string(" ") + name.data() + "=" + std::to_string(length);
    }
    return text;
  }
  std::vector<std::byte> data(int variable) const {
    nc_type type = NC_NAT;
    check(nc_inq_vartype(id_, variable, &type));
    std::size_t size = type_size(type);
    for (const int dimension : dimensions(variable)) {
      std::size_t length = 0;
      check(nc_inq_dimlen(id_, dimension, &length));
      size *= length;
    }
    std::vector<std::byte> bytes(size);
    if (size > 0) check(nc_get_var(id_, variable, bytes.data()));
    return bytes;
  }
  /// Name, type and value of every attribute; `variable` may be NC_GLOBAL.
  std::set<std::pair<std::string, std::vector<std::byte>>> attributes(int variable) const {
    int count = 0;
    check(variable == NC_GLOBAL ? nc_inq_natts(id_, &count)
                                : nc_inq_varnatts(id_, variable, &count));
    std::set<std::pair<std::string, std::vector<std::byte>>> out;
    for (int a = 0; a < count; ++a) {
      std::array<char, NC_MAX_NAME + 1> name{};
      check(nc_inq_attname(id_, variable, a, name.data()));
      const std::string text = name.data();
      if (text == "history" || text == "timeStamp" || text == "uuid" || text == "name") continue;
      nc_type type = NC_NAT;
      std::size_t length = 0;
      check(nc_inq_att(id_, variable, name.data(), &type, &length));
      std::vector<std::byte> value(length * type_size(type));
      check(nc_get_att(id_, variable, name.data(), value.data()));
      out.emplace(text + " type " + std::to_string(type), value);
    }
    return out;
  }

 private:
  std::vector<int> dimensions(int variable) const {
    int rank = 0;
    check(nc_inq_varndims(id_, variable, &rank));
    std::vector<int> out(static_cast<std::size_t>(rank));
    check(nc_inq_vardimid(id_, variable, out.data()));
    return out;
  }
  std::size_t type_size(nc_type type) const {
    std::size_t size = 0;
    if (type == NC_STRING) throw std::runtime_error(path_ + " holds strings (not compared)");
    check(nc_inq_type(id_, type, nullptr, &size));
    return size;
  }
  void check(int status) const {
    if (status != NC_NOERR) throw std::runtime_error(path_ + ": " + nc_strerror(status));
  }

  std::string path_;
  int id_ = -1;
};

int differences(const File& a, const File& b) {
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
    return differences(File(argv[1]), File(argv[2])) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_same_data: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
