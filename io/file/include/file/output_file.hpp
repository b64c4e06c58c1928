/// @file
/// The file contract (ADR 0003): open, define, reserve(records), write(slab), seal, publish; for
/// NetCDF-4, for CDF-5 and for Zarr.
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
  std::int64_t length = 0;  ///< 0 for the record dimension
};

/// A writer's part of a fixed variable, that is, one without record dimension that is not written
/// once. It is a view, read only while the file is created.
struct FixedPart {
  Box box = nothing(0);  ///< in all dimensions of the variable; empty if the writer has none
  std::span<const double>
      numbers{};  ///< one for each point of the box, in C order; NaN means unset
  std::span<const std::string> texts{};  ///< for kind text instead: one for each row, of whole rows
};

/// How chunks are stored. Deflate, after HDF5's shuffle, is known to every reader of NetCDF-4. The
/// other filters need an HDF5 plug-in here and wherever the file is read: zstd after shuffle, or
/// ZFP or SZ, which may be lossy. Zarr has deflate, zstd and Blosc.
struct Compression {
  enum class Method { deflate, zfp, sz, zstd, blosc_lz4, blosc_zstd };
  /// What is put together before compression: first bytes (or bits) of all values, second ones ...
  enum class Shuffle { none, byte, bit };
  int level = 0;  ///< 1 (fast) to 9 (small); 0 means uncompressed
  Method method = Method::deflate;
  /// For ZFP: mode (1 rate, 2 precision, 3 accuracy, 4 expert, 5 reversible) and its parameters,
  /// reversible without any. For SZ: kind of bound, absolute and relative bounds, those of powers,
  /// PSNR.
  std::vector<double> parameters{};
  Shuffle shuffle = Shuffle::byte;  ///< always byte but in Zarr; bit is for Blosc alone
  bool is_on() const { return level > 0; }
};

struct VariableSpec {
  std::string name;
  ValueKind kind = ValueKind::float32;
  std::vector<int>
      dimensions;  ///< indices into FileSpec::dimensions, record dimension first if any
  std::vector<FileAttribute> attributes;
  Extents chunk;  ///< without the record dimension; empty if contiguous or chosen by the library
  std::optional<double>
      fill;  ///< _FillValue; if not set, there is no fill attribute and unset points are NaN
  FixedPart fixed{};  ///< for a fixed variable (coordinates): what this writer writes of it
  /// For a fixed variable: unset points get a _FillValue, if there are any. CF allows coordinate
  /// variables to have none (CF-1.11, 2.5.1).
  bool marks_unset = false;
  /// For record variables with points. Their slabs then consist of whole chunks.
  Compression compression{};
  /// Values are rounded to so many bits of mantissa, and the file says so; 0 means they are not.
  int mantissa_bits = 0;
  /// mantissa_bits becomes known with the first record (OutputFile::round_to()). The attributes of
  /// rounding_attributes() stand among the others from the start. For a file of one writer.
  bool is_rounded_later = false;
  /// For CDF-5: the box of this writer's slabs, without the record dimension. Not set if nothing is
  /// known; slabs outside of it cost more.
  std::optional<Box> slab{};
  /// True for a variable without record dimension that is nevertheless written like a record
  /// variable: one record, number 0.
  bool is_once = false;
  /// For Zarr: number of records in a chunk; 0 means 1, or more if records are short.
  std::int64_t records_per_chunk = 0;
  /// For Zarr 3: number of records in a shard, whole chunks; 0 means those of a chunk.
  std::int64_t records_per_shard = 0;
  /// For Zarr 3: number of chunks in a shard along each dimension, without the record dimension;
  /// empty means one. A slab then consists of whole shards.
  Extents shard{};
};

/// Everything about a file except its records, defined once, when the leader says so. The same on
/// all writers except for their parts of the fixed variables.
struct FileSpec {
  std::string path;  ///< final name
  std::vector<DimensionSpec> dimensions;
  std::vector<VariableSpec> variables;
  std::vector<FileAttribute> attributes;
  std::int64_t records_per_block = 1;  ///< the record dimension grows by so many at a time
  FileFormat format = FileFormat::netcdf4;
  int endpoints = 1;     ///< for CDF-5: number of endpoints of each writer that write a slab
  bool to_disk = false;  ///< durability="disk": fsync of file and folder
  /// For Zarr: has its final name from reserve() on; shows the records of each sync() to readers.
  bool is_live = false;
  /// For such a one: only from the first sync() on. The store of that name is there until then.
  bool is_shown_late = false;
};

/// A part of one record of one variable, in C order and in the kind of the variable. The writers
/// together write every point of a record exactly once, or none at all. When the file is sealed,
/// records that nobody wrote are filled, and a record with missing points is an error.
struct Slab {
  int variable = 0;  ///< index into FileSpec::variables
  std::int64_t record = 0;
  Box box;  ///< without the record dimension
  std::span<const std::byte> data;
};

/// One file under construction, on one of its writers. All calls are made on the file thread of the
/// process. The file system must be visible to all writers.
///
/// While it grows the file is `<path>.part`. A file left by a dead run is overwritten; one that
/// another job is writing is an error. Beside it, `<path>.part.records` says after a kill what is
/// durable: a line "epios records 1", then "<records> <variable>" for each record variable, with
/// records counted from the start of the file. All writers of a shared file call the functions
/// marked (collective) in one agreed order. They first agree on the outcome, so that they throw on
/// all writers or on none. A failure is final: afterwards everything but abandon() throws the first
/// error again. Errors are epios::Error{io} and name the file.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  virtual ~OutputFile() = default;

  /// Makes room for records [0, records) of every record variable (from 1 on also for what is
  /// written once), and for the rest of their block (collective). Reserves space on disk first, so
  /// that a full disk is an error here, on all writers. If there is no space for the rest of the
  /// block, that part takes its space when it is written.
  virtual void reserve(std::int64_t records) = 0;
  /// Returns the number of records that have room.
  virtual std::int64_t reserved() const = 0;
  /// Writes a slab; independent, in any order. The record must be reserved. `data` is read during
  /// the call only. A violation of the rules of Slab throws Error{internal}.
  virtual void write(const Slab& slab) = 0;
  /// Returns the number of latest slabs that write() has taken and that may not be in the file yet
  /// (they are being compressed, or wait for their chunk to be full), of those variables that
  /// may_wait(). sync() and seal() leave none. After a failure they are lost.
  virtual std::size_t pending() const = 0;
  /// True if slabs of this record variable count in pending(); others are in the file after
  /// write().
  virtual bool may_wait(int variable) const = 0;
  /// Says to how many bits of mantissa the values of a record variable are rounded that
  /// VariableSpec::is_rounded_later, before its first record. Changes its attributes.
  virtual void round_to(int variable, int mantissa_bits) = 0;
  /// Starts writing to disk what has been written so far, and updates the journal beside the .part
  /// file (collective). Fills records that nobody wrote before a complete one of the same variable;
  /// they must not follow later.
  virtual void sync() = 0;
  /// Closes the file, trimmed to `records` (collective). Fills records that nobody wrote.
  virtual void seal(std::int64_t records) = 0;
  /// Gives the sealed file its final name and atomically replaces a file of that name. Returns its
  /// size in bytes. Only the owner does so; others return 0 at once and never throw. A journal that
  /// cannot be removed stays: see warning().
  virtual std::int64_t publish() = 0;
  /// Returns a warning about a file that is complete nevertheless, or "".
  virtual std::string warning() const = 0;
  /// Closes what is open without publishing; the .part file stays. Never throws, never
  /// communicates.
  virtual void abandon() noexcept = 0;
  /// Tells the file that this writer met an error elsewhere. The next collective call then fails on
  /// all writers.
  virtual void fail(const std::string& why) = 0;
};

/// Returns the attributes of a variable whose values are rounded to so many bits of mantissa
/// (CF-1.12, 8.4): the bits, and the largest relative error.
std::vector<FileAttribute> rounding_attributes(int mantissa_bits);

/// Makes the missing folders of a file. With `to_disk`, their names survive a loss of power. Local.
/// Throws Error{io}, which names the file and the folder.
void make_folders(const std::string& path, bool to_disk);

/// Creates `<path>.part`, defines everything and writes the fixed variables (collective over
/// `writers`). Each writer writes its own parts, which are disjoint. Points that no writer has, or
/// that are NaN, are unset: they get the fill value of the variable, or else NaN (for integers the
/// default of NetCDF, for text nothing). Numbers are rounded to the nearest one of the variable's
/// kind; a number that it cannot hold is an error. Copies only some 100 kB of numbers at a time.
///
/// `writers` is null for a file owned by this process. Otherwise it is a communicator with one
/// endpoint per writing process, whose rank 0 is the owner; it must outlive the file. So must
/// `compressors`; without them, this thread compresses. Throws Error{io} on all writers with the
/// reason (missing folder, read-only, no space).
std::unique_ptr<OutputFile> create_netcdf4(const FileSpec& spec, const ep::Comm* writers,
                                           Compressors* compressors = nullptr);

/// Does the same for a CDF-5 file (`spec.format` says so). NetCDF-C defines its header; each of
/// `endpoints` writes through a file handle of its own. The endpoints must outlive the file. Its
/// record variables are neither chunked nor compressed.
std::unique_ptr<OutputFile> create_cdf5(const FileSpec& spec, const ep::Comm* writers,
                                        WritingEndpoints& endpoints);

/// Does the same for a store of Zarr version 2 or 3 (`spec.format` says so): a folder
/// `<path>.part`, or `<path>` if `spec.is_live`. Every chunk or shard is a file of its own that
/// appears under its name when it is whole. Slabs consist of whole chunks or shards. A store of the
/// same name is replaced. Throws
/// Error{configuration} for attributes that JSON cannot hold and for codecs that this library is
/// built without.
std::unique_ptr<OutputFile> create_zarr(const FileSpec& spec, const ep::Comm* writers,
                                        Compressors* compressors = nullptr);

/// Threads of this process beside the file thread; they outlive the file.
struct FileHelpers {
  Compressors* compressors = nullptr;     ///< of formats with chunks; none: the file thread does it
  WritingEndpoints* endpoints = nullptr;  ///< of formats that several endpoints write, needed there
};
/// Creates a file of the format that `spec` says, as the functions above.
std::unique_ptr<OutputFile> create_file(const FileSpec& spec, const ep::Comm* writers,
                                        const FileHelpers& helpers);

}  // namespace epios::io
