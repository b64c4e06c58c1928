/// @file
/// What a file format does for the file contract: it places bytes and keeps the structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "contract/growing_file.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// The place where a growing file keeps its structure, its fixed variables and its records: one
/// file, or a folder. Functions throw Error{io}, which names the file. Functions of the owner run
/// between two agreements of the writers. Functions marked (collective) are called by all writers
/// and agree themselves.
class RecordStore {
 public:
  RecordStore() = default;
  RecordStore(const RecordStore&) = delete;
  RecordStore(RecordStore&&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;
  RecordStore& operator=(RecordStore&&) = delete;
  virtual ~RecordStore() = default;

  /// Every writer: throws for a file that this format, or this machine, does not support.
  virtual void prepare() = 0;
  /// Owner: makes the structure under the temporary name, which this process has locked.
  virtual void create() = 0;
  /// Opens the store on every writer, and writes the fixed variables (collective).
  virtual void open() = 0;
  /// Makes room for records from GrowingFile::reserved to `to`, and in any case for those before
  /// `needed` (collective).
  virtual void reserve(std::int64_t needed, std::int64_t to) = 0;
  /// Writes a slab that keeps the rules, and notes it in the ledger once its bytes have a place.
  virtual void write(std::size_t column, const Slab& slab) = 0;
  /// Writes the unset value to a record that nobody wrote, on the owner. `unset` has all of its
  /// points.
  virtual void fill(std::size_t column, const Slab& unset) { write(column, unset); }
  /// Returns the number of slabs that write() has taken and that may have no place yet.
  virtual std::size_t pending() const { return 0; }
  /// True if slabs of a column count in pending().
  virtual bool may_wait(std::size_t /*column*/) const { return false; }
  /// Owner: writes the rounding_attributes() of a variable once more, which have changed.
  virtual void put_rounding(int variable) = 0;
  /// Gives everything that was taken its place (collective).
  virtual void settle() {}
  /// Lets go of what only writes to records need that are complete (RecordLedger::complete).
  virtual void forget_complete() {}
  /// Brings this writer's data to disk.
  virtual void sync() = 0;
  /// Owner: puts the structure and the number of complete records into the file, and on disk if
  /// required.
  virtual void flush() = 0;
  /// After the owner's flush() (collective).
  virtual void show() {}
  /// All writers but the owner: closes.
  virtual void close() = 0;
  /// Owner, when the others have closed: no settle() follows later writes.
  virtual void begin_writing_alone() {}
  /// Owner: trims to `records` and closes the structure.
  virtual void finish(std::int64_t records) = 0;
  /// Owner: gives it the final name and returns its size in bytes.
  virtual std::int64_t publish() = 0;
  /// Returns a warning about what is complete nevertheless, or "".
  virtual std::string warning() const { return {}; }
  /// Closes what is open and leaves it as it is.
  virtual void abandon() noexcept = 0;
};

}  // namespace epios::io
