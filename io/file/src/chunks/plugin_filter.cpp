#include "chunks/plugin_filter.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "config/error.hpp"

namespace epios::io {

namespace {

/// The user's parameters of a filter in the form of its plug-in: numbers of 32 bits, and the bits
/// of doubles.
class Given {
 public:
  explicit Given(const Compression& compression) : compression_(compression) {}

  std::vector<unsigned> words() const {
    switch (compression_.method) {
      case Compression::Method::zfp:
        return for_zfp();
      case Compression::Method::sz:
        return for_sz();
      default:
        return {static_cast<unsigned>(compression_.level)};
    }
  }

 private:
  double number(std::size_t n) const {
    return n < compression_.parameters.size() ? compression_.parameters[n] : 0;
  }
  unsigned word(std::size_t n) const {
    return static_cast<unsigned>(static_cast<std::int64_t>(number(n)));
  }

  /// Mode and, at the third place, what it wants: rate, precision, accuracy, expert's four, none.
  std::vector<unsigned> for_zfp() const {
    constexpr unsigned reversible = 5;
    const unsigned mode = compression_.parameters.empty() ? reversible : word(0);
    switch (mode) {
      case 1:
      case 3: {
        const auto halves = std::bit_cast<std::array<unsigned, 2>>(number(1));
        return {mode, 0, halves[0], halves[1]};
      }
      case 2:
        return {mode, 0, word(1)};
      case 4:
        return {mode, 0, word(1), word(2), word(3), word(4)};
      default:
        return {mode};
    }
  }

  /// Kind of bound, then four doubles with their upper half first.
  std::vector<unsigned> for_sz() const {
    std::vector<unsigned> out = {word(0)};
    for (std::size_t n = 1; n <= 4; ++n) {
      const auto bits = std::bit_cast<std::uint64_t>(number(n));
      out.push_back(static_cast<unsigned>(bits >> 32U));
      out.push_back(static_cast<unsigned>(bits));
    }
    return out;
  }

  const Compression& compression_;
};

H5Z_filter_t number_of(Compression::Method method) {
  switch (method) {
    case Compression::Method::zfp:
      return zfp_filter;
    case Compression::Method::sz:
      return sz_filter;
    case Compression::Method::zstd:
      return zstd_filter;
    case Compression::Method::deflate:
    case Compression::Method::blosc_lz4:
    case Compression::Method::blosc_zstd:
      break;
  }
  return H5Z_FILTER_DEFLATE;
}

FilterPlugin plugin_of(const std::string& path, const VariableSpec& variable) {
  const H5Z_filter_t number = number_of(variable.compression.method);
  auto found = FilterPlugin::find(number);
  if (found) return *std::move(found);
  throw Error(ErrorCode::io, fmt::format("file '{}': variable '{}' cannot be compressed: {}", path,
                                         variable.name, FilterPlugin::missing_text(number)));
}

}  // namespace

PluginFilter::PluginFilter(const std::string& path, const VariableSpec& variable,
                           const Extents& chunk)
    : number_(number_of(variable.compression.method)),
      shuffles_(variable.compression.method == Compression::Method::zstd),
      plugin_(plugin_of(path, variable)) {
  auto parameters = plugin_.parameters(variable.kind, chunk, Given(variable.compression).words());
  if (!parameters) {
    throw Error(
        ErrorCode::io,
        fmt::format("file '{}': variable '{}' cannot be compressed: filter {} does not take "
                    "it (chunks of {}; parameters {}). ZFP wants real numbers or integers "
                    "of 32 or 64 bits, and at most 4 dimensions that are longer than 1; is "
                    "compression_params right?",
                    path, variable.name, number_, fmt::join(chunk, " x "),
                    variable.compression.parameters.empty()
                        ? "none"
                        : fmt::format("{}", fmt::join(variable.compression.parameters, " "))));
  }
  parameters_ = *std::move(parameters);
}

}  // namespace epios::io
