/// @file
/// What files of all formats have in common: the .part name, writers that agree, the account of
/// records, the journal, the final name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "contract/agreement.hpp"
#include "contract/fixed_values.hpp"
#include "contract/record_ledger.hpp"
#include "disk/posix_file.hpp"
#include "file/output_file.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

/// The contract but for reserve(): formats fill in where bytes go and who keeps the structure.
class PartFile : public OutputFile {
 public:
  PartFile(const PartFile&) = delete;
  PartFile(PartFile&&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile() override = default;

  std::int64_t reserved() const final { return reserved_; }
  void write(const Slab& slab) override;
  std::size_t pending() const override { return 0; }
  void sync() final;
  void seal(std::int64_t records) final;
  std::int64_t publish() final;
  std::string warning() const final { return warning_; }
  void fail(const std::string& why) final;

 protected:
  enum class Stage { writing, sealed, published };

  PartFile(const FileSpec& spec, const ep::Comm* writers, std::string signature);

  // What a format does.

  /// Before writers meet: brings what has been taken so far into the file (collective).
  virtual void settle_writes() {}
  /// Data to disk, here.
  virtual void sync_data() = 0;
  /// Closes what is open here, but the owner's descriptor.
  virtual void close_data() = 0;
  /// Owner: structure and number of records are in the file.
  virtual void flush_structure() = 0;
  virtual void write_part(std::size_t column, std::int64_t record, const Box& box,
                          std::span<const std::byte> data) = 0;
  /// Owner, after the others have closed.
  virtual void begin_gaps() {}
  /// Owner: a whole record.
  virtual void write_gap(std::size_t column, std::int64_t record,
                         std::span<const std::byte> data) = 0;
  virtual void end_gaps() {}
  /// Owner: trims to `records`; the length of the complete file.
  virtual std::uint64_t finish_structure(std::int64_t records) = 0;

  // What a format makes use of.

  /// Which fixed variables have unset points (collective).
  void mark_unset();
  /// Owner: an empty .part file of which this process has the lock.
  void begin_part();
  /// Owner: what has been created is on disk if it is to be, and so is the journal.
  void end_creation();
  /// Every writer writes what it has of the fixed variables, once it knows where (collective).
  void write_fixed_variables(const ValueSink& sink);
  /// Throws when the .part file is no longer the one written here, or was cut.
  void check_part() const;
  /// Runs `work` unless an error is known here, then agrees on the outcome (collective).
  void together(const std::function<void()>& work);
  /// Throws the error that all writers know of, or `why` for a call out of order.
  void require(Stage stage, const char* call) const;
  [[noreturn]] void reject(const std::string& what) const;
  void check_system(int error, const std::string& problem) const;
  /// Sets space aside up to `end`; errno of failure, which takes none.
  int set_aside_up_to(std::uint64_t end);
  void check_set_aside(int error, std::uint64_t end, const std::string& what) const;
  /// Sets aside up to `end` for records [reserved_, to); where the disk has not so much, up to
  /// least() for those before `needed`.
  void set_aside_records(std::uint64_t end, const std::function<std::uint64_t()>& least,
                         std::int64_t needed, std::int64_t to);
  /// Throws for a slab that breaks the rules; of the others the record variable's position.
  std::size_t column_of(const Slab& slab) const;
  void write_now(std::size_t column, const Slab& slab);
  const std::string& name_of(std::size_t column) const;
  const VariableSpec& variable_of(std::size_t column) const;

  FileSpec spec_;
  std::string part_;
  Agreement agreement_;
  std::vector<RecordVariable> variables_;
  FixedValues fixed_;
  RecordLedger ledger_;
  PosixFile data_;  // the owner keeps it, and its lock, until the file has its final name
  std::uint64_t space_end_ = 0;  // owner: bytes set aside so far
  std::uint64_t file_end_ = 0;   // owner: length of the file; more where space was short
  std::int64_t reserved_ = 0;
  std::string failure_;  // first error here, later the one all agreed on
  bool failure_is_agreed_ = false;

 private:
  int take_part();
  void check_head() const;
  void check_length(std::uint64_t bytes, std::uint64_t wanted, bool is_good) const;
  void fill_gaps(const std::vector<RecordLedger::Gap>& gaps);
  void settle_records();
  void finish(std::int64_t records);
  void write_journal();

  std::string signature_;           // how the file begins
  std::uint64_t sealed_bytes_ = 0;  // owner: length of the complete file
  Stage stage_ = Stage::writing;
  std::string warning_;
};

/// "record 3", "records 3 to 7".
std::string records_text(std::int64_t from, std::int64_t to);

}  // namespace epios::io
