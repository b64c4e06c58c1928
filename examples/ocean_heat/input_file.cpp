#include "input_file.hpp"

#include <netcdf.h>

#include <array>
#include <limits>
#include <stdexcept>

namespace ocean {

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
  const int status = nc_open(path.c_str(), NC_NOWRITE, &id_);
  if (status != NC_NOERR) {
    throw std::runtime_error(
        "cannot open input " + path.string() + " (" + nc_strerror(status) +
        "). Install package ferret-datasets, or name its folder with --input.");
  }
}

InputFile::~InputFile() {
  nc_close(id_);  // read only: nothing can be lost
}

void InputFile::check(int status, const std::string& what) const {
  if (status == NC_NOERR) return;
  throw std::runtime_error("cannot read " + what + " of " + path_.string() + " (" +
                           nc_strerror(status) + "). Is it the file of package ferret-datasets?");
}

int InputFile::find(const std::string& variable) const {
  int id = -1;
  check(nc_inq_varid(id_, variable.c_str(), &id), variable);
  return id;
}

std::vector<double> InputFile::read(const std::string& variable, std::size_t count) const {
  const int id = find(variable);
  int rank = 0;
  std::array<int, NC_MAX_VAR_DIMS> dimensions{};
  check(nc_inq_var(id_, id, nullptr, nullptr, &rank, dimensions.data(), nullptr), variable);
  std::size_t volume = 1;
  for (int d = 0; d < rank; ++d) {
    std::size_t length = 0;
    check(nc_inq_dimlen(id_, dimensions[static_cast<std::size_t>(d)], &length), variable);
    volume *= length;
  }
  if (volume != count) {
    throw std::runtime_error(variable + " of " + path_.string() + " has " + std::to_string(volume) +
                             " values (the model expects " + std::to_string(count) +
                             "). Is it the file of package ferret-datasets?");
  }
  std::vector<double> values(count);
  check(nc_get_var_double(id_, id, values.data()), variable);
  double missing = 0;
  if (nc_get_att_double(id_, id, "missing_value", &missing) == NC_NOERR) {
    for (double& value : values) {
      if (value == missing) value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return values;
}

}  // namespace ocean
