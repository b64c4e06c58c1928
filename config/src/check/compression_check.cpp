#include "check/compression_check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "config/file_format.hpp"
#include "config/model.hpp"

namespace epios::config {

namespace {

/// Parameters that ZFP expects after each of its modes, beginning with mode 1.
struct ZfpMode {
  std::size_t numbers;
  bool are_whole;
  const char* what;
};
constexpr std::array<ZfpMode, 5> zfp_modes{{{1, false, "(1, bits per value)"},
                                            {1, true, "(2, bits of precision)"},
                                            {1, false, "(3, largest error)"},
                                            {4, true, "(4, minbits, maxbits, maxprec, minexp)"},
                                            {0, true, "(5), which loses nothing"}}};

bool are_whole(const std::vector<double>& numbers) {
  for (const double number : numbers) {
    if (std::nearbyint(number) != number || std::abs(number) > 1e9) return false;
  }
  return true;
}

/// A mistake in them, and the correct form.
struct Complaint {
  std::string why, suggestion;
};

Complaint zfp_complaint(const std::vector<double>& parameters) {
  if (parameters.empty()) return {};  // mode 5
  for (std::size_t m = 0; m < zfp_modes.size(); ++m) {
    if (parameters.front() != static_cast<double>(m + 1)) continue;
    const ZfpMode& mode = zfp_modes[m];
    const std::vector<double> rest(parameters.begin() + 1, parameters.end());
    if (rest.size() == mode.numbers && (!mode.are_whole || are_whole(rest))) return {};
    return {fmt::format("mode {} of ZFP has {} numbers behind it{}", m + 1, mode.numbers,
                        mode.are_whole && mode.numbers > 0 ? ", whole ones" : ""),
            fmt::format("Write {}.", mode.what)};
  }
  return {"the first is the mode of ZFP, 1 to 5", "Write (3, 0.01) for errors up to 0.01, or (5)."};
}

Complaint sz_complaint(const std::vector<double>& parameters) {
  if (parameters.size() == 5 && are_whole({parameters.front()}) && parameters.front() >= 0) {
    return {};
  }
  return {"SZ wants 5 numbers: kind of bound, absolute, relative and power bounds, PSNR",
          "Write (0, 0.01, 0, 0, 0) for errors up to 0.01."};
}

/// Zarr and NetCDF-4 do not have the same codecs.
void check_codec(const Stream& stream, const File& file, const Origin& origin, Findings& findings) {
  const std::string type = stream.attributes.compression_type.value_or("gzip");
  const std::string shuffle = stream.attributes.compression_shuffle.value_or("byte");
  const FileFormatTraits& format = traits_of(format_of(file.attributes));
  const bool is_zarr = format.is_folder;
  const bool is_blosc = type.starts_with("blosc");
  const std::string field = fmt::format("field '{}' in file '{}'", stream.id, file.id);
  const auto refuse = [&](const std::string& what, const std::string& why,
                          const std::string& suggestion) {
    findings.error(Code::bad_kind, origin, fmt::format("{} of {}", what, field), why, suggestion);
  };
  if (stream.attributes.chunking_records && !is_zarr) {
    refuse(fmt::format("chunking_records '{}'", *stream.attributes.chunking_records),
           "chunks of several records are in format zarr alone",
           "Leave it out, or write format=\"zarr\".");
  }
  if (format.format != FileFormat::zarr3 &&
      (stream.attributes.sharding_records || stream.attributes.sharding_blocksize_target)) {
    refuse(stream.attributes.sharding_records ? "sharding_records" : "sharding_blocksize_target",
           "shards are in format zarr3 alone", "Leave it out, or write format=\"zarr3\".");
  }
  if (shuffle != "byte" && !is_zarr) {
    refuse(fmt::format("compression_shuffle '{}'", shuffle),
           "only in format zarr can it differ from byte",
           "Leave it out, or write format=\"zarr\".");
  } else if (format.format == FileFormat::zarr3 && shuffle == "byte" && !is_blosc &&
             stream.attributes.compression_shuffle) {
    refuse("compression_shuffle 'byte'", "in format zarr3 only Blosc has it",
           "Write compression_type=\"blosc_zstd\", or leave it out.");
  } else if (shuffle == "bit" && !is_blosc) {
    refuse("compression_shuffle 'bit'", "only Blosc has it",
           "Write compression_type=\"blosc_zstd\", or compression_shuffle=\"byte\".");
  }
  if (stream.attributes.compression_level.value_or(0) == 0) return;
  if (is_blosc && !is_zarr) {
    refuse(fmt::format("compression_type '{}'", type), "it is a codec of format zarr alone",
           "Write compression_type=\"gzip\", or format=\"zarr\".");
  }
  if (is_zarr && (type == "SZ" || type == "ZFP")) {
    refuse(fmt::format("compression_type '{}'", type),
           fmt::format("format {} has no such codec", format.word),
           "Write compression_type=\"zstd\", or format=\"netcdf4\".");
  }
}

/// The bits to keep are known when the file exists, and those of an earlier run are not.
void check_kept_information(const Stream& stream, const File& file, const Origin& origin,
                            Findings& findings) {
  if (!stream.attributes.keep_information) return;
  const std::string problem = fmt::format("keep_information '{}' of field '{}' in file '{}'",
                                          *stream.attributes.keep_information, stream.id, file.id);
  if (format_of(file.attributes) == FileFormat::cdf5) {
    findings.error(Code::bad_kind, origin, problem, "format cdf5 compresses nothing",
                   "Leave it out, or write format=\"netcdf4\".");
  } else if (file.attributes.append.value_or(false)) {
    findings.error(Code::bad_kind, origin, problem,
                   "the file is continued (append), and its earlier records have other bits",
                   "Write split_freq instead of append, or significant_digits.");
  }
}

}  // namespace

void check_compression(const Stream& stream, const File& file, const Origin& origin,
                       Findings& findings) {
  check_codec(stream, file, origin, findings);
  check_kept_information(stream, file, origin, findings);
  if (stream.attributes.compression_level.value_or(0) == 0) return;
  const std::string type = stream.attributes.compression_type.value_or("gzip");
  const auto& said = stream.attributes.compression_params;
  const std::vector<double> parameters = said ? said->values : std::vector<double>();
  const bool is_lossy = type == "ZFP" || type == "SZ";
  const std::string numbers = fmt::format("{}", fmt::join(parameters, " "));
  const std::string field = fmt::format("field '{}' in file '{}'", stream.id, file.id);
  if (!is_lossy) {
    if (parameters.empty() || type == "None") return;
    findings.warning(Code::bad_kind, origin,
                     fmt::format("compression_params '{}' of {}", numbers, field),
                     fmt::format("they say nothing to {}", type),
                     "Write compression_type=\"ZFP\", or leave them out.");
    return;
  }
  if (stream.attributes.prec.value_or(4) == 2) {
    findings.error(Code::bad_kind, origin, fmt::format("compression_type '{}' of {}", type, field),
                   "it has prec=\"2\", and numbers of 2 bytes are not taken",
                   "Write prec=\"4\", or compression_type=\"gzip\".");
  }
  const Complaint complaint = type == "ZFP" ? zfp_complaint(parameters) : sz_complaint(parameters);
  if (complaint.why.empty()) return;
  findings.error(Code::bad_kind, origin,
                 fmt::format("compression_params '{}' of {}", numbers, field), complaint.why,
                 complaint.suggestion);
}

}  // namespace epios::config
