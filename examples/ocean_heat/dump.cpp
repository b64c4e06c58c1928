#include "dump.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ocean {

Dump::Dump(const Options& options, const Grid& grid)
    : path_(options.dump),
      row_(grid.ni),
      cells_(static_cast<std::int64_t>(grid.size())),
      header_(4 + grid.ni + grid.nj + cells_),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) {
  const std::int64_t size = header_ + options.steps() * (cells_ + 1);
  if (file_ < 0 || ftruncate(file_, size * static_cast<std::int64_t>(sizeof(double))) != 0) {
    const std::string why = std::generic_category().message(errno);
    if (file_ >= 0) close(file_);
    throw std::runtime_error("cannot create dump " + path_.string() + " (" + why +
                             "). Name another place with --dump.");
  }
}

Dump::~Dump() { close(file_); }

void Dump::put(const std::vector<double>& values, std::int64_t first) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  std::size_t left = values.size() * sizeof(double);
  auto offset = static_cast<off_t>(first * static_cast<std::int64_t>(sizeof(double)));
  while (left > 0) {
    const ssize_t done = pwrite(file_, bytes, left, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      throw std::runtime_error("cannot write dump " + path_.string() + " (" +
                               std::generic_category().message(errno) +
                               "). Name another place with --dump.");
    }
    bytes += done;
    offset += done;
    left -= static_cast<std::size_t>(done);
  }
}

void Dump::write_header(const Options& options, const Grid& grid) {
  std::vector<double> header{static_cast<double>(grid.ni), static_cast<double>(grid.nj),
                             static_cast<double>(options.steps()),
                             static_cast<double>(options.timestep_s())};
  header.insert(header.end(), grid.lon.begin(), grid.lon.end());
  header.insert(header.end(), grid.lat.begin(), grid.lat.end());
  header.insert(header.end(), grid.wet.begin(), grid.wet.end());
  put(header, 0);
}

void Dump::write(std::int64_t step, const Ocean& model) {
  const std::span<const double> temperature = model.temperature();
  buffer_.clear();
  for (std::ptrdiff_t j = 1; j <= model.rows().count; ++j) {
    const auto first = temperature.begin() + j * model.row_length() + 1;
    buffer_.insert(buffer_.end(), first, first + row_);
  }
  put(buffer_, header_ + (step - 1) * (cells_ + 1) + model.rows().begin * row_);
}

void Dump::write_mean(std::int64_t step, double mean) {
  put({mean}, header_ + (step - 1) * (cells_ + 1) + cells_);
}

}  // namespace ocean
