/// @file
/// How a file of any format grows and gets its final name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "contract/growing_file.hpp"
#include "contract/record_store.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// Handles the order of calls, the agreement of the writers, the account of records, the journal
/// and the final name. The store decides where bytes go.
class FileProtocol final : public OutputFile {
 public:
  /// `make_store` gets the file, which outlives the store. Creates the file (collective).
  template <class MakeStore>
  FileProtocol(const FileSpec& spec, const ep::Comm* writers, const MakeStore& make_store)
      : file_(spec, writers), store_(make_store(file_)) {
    create();
  }
  FileProtocol(const FileProtocol&) = delete;
  FileProtocol(FileProtocol&&) = delete;
  FileProtocol& operator=(const FileProtocol&) = delete;
  FileProtocol& operator=(FileProtocol&&) = delete;
  ~FileProtocol() override { FileProtocol::abandon(); }

  void reserve(std::int64_t records) override;
  std::int64_t reserved() const override { return file_.reserved; }
  void write(const Slab& slab) override;
  std::size_t pending() const override { return store_->pending(); }
  bool may_wait(int variable) const override;
  void round_to(int variable, int mantissa_bits) override;
  void sync() override;
  void seal(std::int64_t records) override;
  std::int64_t publish() override;
  std::string warning() const override { return warning_; }
  void abandon() noexcept override { store_->abandon(); }
  void fail(const std::string& why) override;

 private:
  enum class Stage { writing, sealed, published };

  void create();
  /// Throws the error that all writers know, or an error for a call out of order.
  void require(Stage stage, const char* call) const;
  /// Throws for a slab that breaks the rules; otherwise returns its column.
  std::size_t column_of(const Slab& slab) const;
  void settle_records();
  void forget_complete();
  void fill_gaps(const std::vector<RecordLedger::Gap>& gaps);
  void write_journal();
  std::string journal() const;

  GrowingFile file_;
  std::unique_ptr<RecordStore> store_;
  Stage stage_ = Stage::writing;
  std::int64_t next_look_ = 0;  // records from which on forget_complete() is of use
  std::string warning_;
};

}  // namespace epios::io
