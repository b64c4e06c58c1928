/// @file
/// The independent reader: files as the distribution's serial NetCDF sees them.
#pragma once

#include <netcdf.h>

#include <array>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace toy {

/// One open file; what is not as it should be is thrown.
class NetcdfFile {
 public:
  explicit NetcdfFile(const std::string& path) : path_(path) {
    check(nc_open(path.c_str(), NC_NOWRITE, &id_));
  }
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile(NetcdfFile&&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;
  NetcdfFile& operator=(NetcdfFile&&) = delete;
  ~NetcdfFile() { nc_close(id_); }

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
  /// All values of a variable.
  std::vector<double> values(const std::string& name) const {
    const int variable = find(name);
    std::size_t count = 1;
    for (const int dimension : dimensions(variable)) {
      std::size_t length = 0;
      check(nc_inq_dimlen(id_, dimension, &length));
      count *= length;
    }
    std::vector<double> out(count);
    check(nc_get_var_double(id_, variable, out.data()));
    return out;
  }
  /// An attribute; of the file when `variable` is empty. "(none)" when it is not there.
  std::string text(const std::string& variable, const std::string& attribute) const {
    const int owner = variable.empty() ? NC_GLOBAL : find(variable);
    std::size_t length = 0;
    if (nc_inq_attlen(id_, owner, attribute.c_str(), &length) != NC_NOERR) return "(none)";
    std::string out(length, ' ');
    check(nc_get_att_text(id_, owner, attribute.c_str(), out.data()));
    return out;
  }
  /// An attribute that is a number; `otherwise` when it is not there.
  double number(const std::string& variable, const std::string& attribute, double otherwise) const {
    double out = otherwise;
    const int status = nc_get_att_double(id_, find(variable), attribute.c_str(), &out);
    return status == NC_NOERR ? out : otherwise;
  }
  bool is_short(const std::string& variable) const {
    nc_type type = NC_NAT;
    check(nc_inq_vartype(id_, find(variable), &type));
    return type == NC_SHORT;
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
      if (text == "history" || text == "timeStamp" || text == "uuid") continue;
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

}  // namespace toy
