/// @file
/// The file contract (ADR 0003): open, define, reserve(records), write(slab), seal, publish; for
/// NetCDF-4, and for CDF-5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "config/file_format.hpp"
#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

class Compressors;
class WritingEndpoints;

using config::FileFormat;

enum class ValueKind { float32, float64, int32, int64, int16, text };

using AttributeValue =
    std::variant<std::string, std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                 std::vector<std::int32_t>, std::vector<std::int16_t>>;
struct FileAttribute {
  std::string name;
  AttributeValue value;
  bool operator==(const FileAttribute&) const = default;
};

struct DimensionSpec {
  std::string name;
  std::int64_t length = 0;  ///< 0: the record dimension
};

/// What one writer has of a fixed variable, one without the record dimension (and not written
/// once). A view: it is read
/// while the file is created, not later.
struct FixedPart {
  Box box = nothing(0);                  ///< in all dimensions of the variable; empty: it has none
  std::span<const double> numbers{};     ///< of each point of the box, in C order; NaN: unset
  std::span<const std::string> texts{};  ///< of kind text instead: of each row of whole rows
};

/// How chunks are stored: HDF5's shuffle, then deflate (which every reader of NetCDF-4 knows), or
/// by a filter for which HDF5 needs a plug-in, here and wherever they are read: shuffle and zstd,
/// or ZFP or SZ, which may be lossy.
struct Compression {
  enum class Method { deflate, zfp, sz, zstd };
  int level = 0;  ///< 1 (fast) to 9 (small); 0: as they are
  Method method = Method::deflate;
  /// Of ZFP mode (1 rate, 2 precision, 3 accuracy, 4 expert, 5 reversible) and what it wants,
  /// without them reversible; of SZ kind of bound, absolute and relative bounds, of powers, PSNR.
  std::vector<double> parameters{};
  bool is_on() const { return level > 0; }
};

struct VariableSpec {
  std::string name;
  ValueKind kind = ValueKind::float32;
  std::vector<int>
      dimensions;  ///< indices into FileSpec::dimensions, record dimension first if any
  std::vector<FileAttribute> attributes;
  Extents chunk;  ///< without the record dimension; empty: contiguous or library's choice
  std::optional<double> fill;  ///< _FillValue; none: no fill attribute, unset points are NaN
  FixedPart fixed{};           ///< of a fixed variable (coordinates): what this writer writes of it
  /// Of a fixed variable: if points of it are unset, they are marked by a _FillValue. CF lets
  /// coordinate variables have none (CF-1.11, 2.5.1).
  bool marks_unset = false;
  /// Of record variables with points; its slabs are made of whole chunks then.
  Compression compression{};
  /// Its values are rounded to so many bits of mantissa, and the file says so; 0: they are not.
  int mantissa_bits = 0;
  /// Of CDF-5: where this writer's slabs are, without the record dimension; none: nothing is known.
  /// Others cost more.
  std::optional<Box> slab{};
  /// Without the record dimension, it is written like a record variable nevertheless: one record,
  /// number 0.
  bool is_once = false;
};

/// Everything about a file but its records: made once, on the leader's word. The same on all
/// writers but for what each has of the fixed variables.
struct FileSpec {
  std::string path;  ///< final name
  std::vector<DimensionSpec> dimensions;
  std::vector<VariableSpec> variables;
  std::vector<FileAttribute> attributes;
  std::int64_t records_per_block = 1;  ///< record dimension grows by so many at a time
  FileFormat format = FileFormat::netcdf4;
  int endpoints = 1;     ///< of CDF-5: by so many of each writer's is a slab written
  bool to_disk = false;  ///< durability="disk": fsync of file and folder
};

/// A part of one record of one variable, in C order, of the variable's own kind. The writers
/// together write every point of a record exactly once, or none of them any: records that nobody
/// wrote are filled when the file is sealed, a record with points missing is an error then.
struct Slab {
  int variable = 0;  ///< index into FileSpec::variables
  std::int64_t record = 0;
  Box box;  ///< without the record dimension
  std::span<const std::byte> data;
};

/// One file under construction, on one of its writers. All calls on the process's file thread.
/// Writers need a file system that all of them see.
///
/// While it grows the file is `<path>.part` (one left by a dead run is overwritten, one that
/// another job is writing is an error). Beside it, `<path>.part.records` says after a kill what is
/// durable: a line "epios records 1", then "<records> <variable>" per record variable, records
/// counted from the start of the file. Functions marked (collective) are called by all writers of a
/// shared file in one agreed order; they agree on the outcome first, so that they throw on all or
/// on none. After a failure the file is failed for good: everything but abandon() throws the first
/// error again. Errors are epios::Error{io} naming the file.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  virtual ~OutputFile() = default;

  /// Makes room for records [0, records) of every record variable (from 1 on also for what is
  /// written once), and for the rest of their block
  /// (collective). Space on disk is reserved before: a full disk is an error here, on all writers.
  /// Where it has no space for the rest of the block, that takes its own when it is written.
  virtual void reserve(std::int64_t records) = 0;
  /// Records that there is room for.
  virtual std::int64_t reserved() const = 0;
  /// Writes a slab; independent, in any order. The record must be reserved. `data` is read during
  /// the call only. Breaking the rules of Slab throws Error{internal}.
  virtual void write(const Slab& slab) = 0;
  /// Slabs, the latest, that write() has taken and that are not in the file yet (they are being
  /// compressed). sync() and seal() leave none; after a failure they are lost.
  virtual std::size_t pending() const = 0;
  /// What has been written so far is on its way to disk, and the journal beside the .part file says
  /// so (collective). Fills records that nobody wrote before one of the same variable that is
  /// complete; they must not follow.
  virtual void sync() = 0;
  /// Closes the file, trimmed to `records` (collective). Fills records that nobody wrote.
  virtual void seal(std::int64_t records) = 0;
  /// Gives the sealed file its final name, replacing a file of that name at once (owner only,
  /// others return 0 at once); size in bytes. Throws on the owner only. A journal that cannot be
  /// removed is left: see warning().
  virtual std::int64_t publish() = 0;
  /// What the user should know of a file that is whole nevertheless; empty when there is nothing.
  virtual std::string warning() const = 0;
  /// Closes what is open without publishing; the .part file stays. Never throws, never
  /// communicates.
  virtual void abandon() noexcept = 0;
  /// Tells the file that this writer met an error elsewhere: the next collective call fails on all.
  virtual void fail(const std::string& why) = 0;
};

/// Makes the folders that a file is to be in, as far as they are missing; with `to_disk` their
/// names survive a loss of power. Local. Throws Error{io} naming the file and the folder.
void make_folders(const std::string& path, bool to_disk);

/// Creates `<path>.part`, defines everything and writes the fixed variables (collective over
/// `writers`): each writer its own parts, which are disjoint. Points that no writer has, or NaN of
/// one that has them, are unset: NaN (of a variable with a fill value, that; of integers NetCDF's
/// default; of text none). Numbers are
/// rounded to the nearest of the variable's kind; one that it cannot hold is an error. No copy is
/// made of numbers but of some 100 kB at a time. `writers`: null for a file owned by this process;
/// else a communicator with one endpoint per writing process, rank 0 being the owner; it must
/// outlive the file; so must `compressors`, without which this thread compresses. Throws Error{io}
/// on all writers with the reason (folder missing, read-only, no space).
std::unique_ptr<OutputFile> create_netcdf4(const FileSpec& spec, const ep::Comm* writers,
                                           Compressors* compressors = nullptr);

/// The same for a CDF-5 file (`spec.format` says so): NetCDF-C defines its header, every one of
/// `endpoints` writes by a file handle of its own. These must outlive the file. Its record
/// variables are neither chunked nor compressed.
std::unique_ptr<OutputFile> create_cdf5(const FileSpec& spec, const ep::Comm* writers,
                                        WritingEndpoints& endpoints);

/// Threads of this process beside the file thread; they outlive the file.
struct FileHelpers {
  Compressors* compressors = nullptr;     ///< of formats with chunks; none: the file thread does it
  WritingEndpoints* endpoints = nullptr;  ///< of formats that several endpoints write, needed there
};
/// Creates a file of the format that `spec` says, as the functions above.
std::unique_ptr<OutputFile> create_file(const FileSpec& spec, const ep::Comm* writers,
                                        const FileHelpers& helpers);

}  // namespace epios::io
