#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "event/protocol_trace.hpp"
#include "event/wire.hpp"
#include "file/cf.hpp"
#include "file/compressors.hpp"
#include "file/earlier_records.hpp"
#include "file/file_thread.hpp"
#include "file/output_file.hpp"
#include "file/writing_endpoints.hpp"
#include "files/file_counters.hpp"

namespace epios::server {

/// One file, or part of a file that is split, on one of its writers: turns requests of the server's
/// thread into jobs of the file thread and keeps the account of what became of each record.
/// Requests return at once and never throw for I/O: the first error fails the file, and what comes
/// later is counted as lost.
class ServerFile {
 public:
  struct Setup {
    const config::Model* model = nullptr;
    config::FileId file{0};
    io::CfFile cf;
    const ep::Comm* writers = nullptr;  ///< null: owned
    bool is_owner = true;
    bool is_refused = false;  ///< there is no more of it: it will never be created
    /// The end of the name of each part, for a writer whose file is apart.
    std::string rank_suffix{};
    io::Compressors* compressors = nullptr;     ///< must outlive the file
    io::WritingEndpoints* endpoints = nullptr;  ///< of CDF-5; must outlive the file
    std::int64_t first_record = 0;  ///< of the run: the one that is number first_number here
    std::int64_t first_number = 0;
    std::vector<bool> writes;  ///< per stream of the file: this server has a part of it
    /// append: goes on with a file that is there, before whose first record here `first_time` is.
    bool is_continued = false;
    config::RecordTime first_time{};
    /// append: the part before that of the run's first record, which has none of them. It is made
    /// anew without records that reach into the run, if there are any, and removed if it has only
    /// these; else it stays as it is.
    bool is_before_run = false;
    std::vector<io::Box> slabs{};  ///< of a file that is continued: this server's, per stream
    struct Shown {
      config::RunPage* page = nullptr;  ///< null: nowhere. Must outlive the file
      std::string component{};          ///< whose file it is
      int server = 0;                   ///< this one
    } shown{};                          ///< where the run's page has it
    /// Its context is opened again: another server may have the file until it hears of it.
    bool is_repeated = false;
    io::ActorTrace trace{};  ///< of the file thread in the context
  };
  /// `thread` must outlive the file; so must the model.
  ServerFile(Setup setup, io::FileThread& thread);
  ServerFile(const ServerFile&) = delete;
  ServerFile(ServerFile&&) = delete;
  ServerFile& operator=(const ServerFile&) = delete;
  ServerFile& operator=(ServerFile&&) = delete;
  ~ServerFile();

  bool is_shared() const { return setup_.writers != nullptr; }
  bool is_owner() const { return setup_.is_owner; }
  const std::string& path() const { return setup_.cf.spec.path; }

  /// Creates the .part file; first request. `refusal`: why this server cannot serve the context, ""
  /// if it can; the writers of a shared file agree on it first, so that none waits for another.
  void create(const std::string& refusal);
  /// Makes room for records [0, records), which stream number `stream` of the file asked for.
  void reserve(std::int64_t records, int stream);
  /// Records for which room has been asked: whole blocks.
  std::int64_t records_reserved() const { return records_reserved_; }

  /// Writes this server's slab of a record of stream number `stream` of the file, and the times of
  /// the record if this is the owner. `data` must stay valid until
  /// is_done_writing(). `rounded_to`: bits of mantissa that the values have, if the file does not
  /// say so yet (keep_information), else 0.
  void write(int stream, std::int64_t record, const io::Box& slab, std::span<const std::byte> data,
             int rounded_to = 0);
  /// Counts a record of stream number `stream` of the file that will not be written.
  void lose(int stream, std::int64_t record);
  /// Records [begin, end) of the run have no number here: those behind follow at once. Before any
  /// of these is written.
  void leave_out(std::int64_t begin, std::int64_t end);
  void sync();
  /// Closes, trims, publishes and lets go of it. Last request.
  void finish(std::int64_t records);
  /// Lets go of the file without publishing; `why` is its error unless it has one. Last request; a
  /// file that is finished stays as it is.
  void abandon(const std::string& why);
  /// Lets go of a file of which nothing is wanted any more, and of its .part file. Last request.
  void discard();
  /// Fails the file for a reason from elsewhere (mismatch of clients).
  void fail(const std::string& why);

  /// No request under way.
  bool is_idle() const { return pending_.load(std::memory_order_acquire) == 0; }
  /// No write() under way: what it reads is free again.
  bool is_done_writing() const { return writing_.load(std::memory_order_acquire) == 0; }
  /// First error, "" while all is well.
  std::string error() const;
  /// Returns what is odd about a file that is whole; "" when nothing is. Complete as report().
  std::string warning() const;
  /// Returns true for a part before the run that stays as it is, or is no more: there is nothing to
  /// report of it. Complete as report().
  bool is_left_alone() const { return is_left_alone_.load(std::memory_order_acquire); }
  /// Highest record seen + 1.
  std::int64_t records_seen() const { return records_seen_; }
  /// Account; complete when idle after finish().
  io::FileReport report() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct RecordPart {
    int stream = 0;
    std::int64_t record = 0;
  };
  void submit(std::function<void()> job);
  void wait_for_others() const;
  void keep_finished() const;
  void keep_newcomer() const;
  bool is_protected() const;
  std::string end_old_references() const;
  std::string write_references() const;
  void look_back(std::optional<io::EarlierRecords>& earlier);
  bool reaches_into_run(const io::EarlierRecords* earlier) const;
  io::Box in_own_file(int stream, const io::Box& slab) const;
  bool has_time(int stream) const;
  /// Counts records that waited and are in the file by now; after a failure the others as lost.
  void count_stored(const io::OutputFile& output);
  void count_unstored();
  std::string own_text(const std::exception& error) const;
  void record_error(const std::string& text);
  void count_written(int stream, std::int64_t record);
  void refuse_if_finished(int stream, std::int64_t record) const;
  void count_lost(int stream, std::int64_t record);
  void trace_record(std::string_view outcome, int stream, std::int64_t record) const;
  const std::string& field_name(int stream) const;
  void write_times(int stream, std::int64_t record);
  std::int64_t record_of_run(std::int64_t number) const;

  Setup setup_;
  io::FileThread& thread_;
  std::unique_ptr<io::OutputFile> output_;  // file thread only
  bool is_finished_ = false;                // file thread only: nothing is written any more
  std::atomic<int> pending_{0};
  std::atomic<int> writing_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> is_left_alone_{false};
  std::int64_t records_reserved_ = 0;
  std::int64_t records_seen_ = 0;
  std::int64_t times_written_ = 0;  // file thread only
  struct LeftOut {
    std::int64_t number = 0;   // on file, of the first record behind
    std::int64_t records = 0;  // of the run that are not on file before that one
  };
  std::vector<LeftOut> left_out_;  // file thread only
  std::int64_t kept_ = 0;          // records of an earlier run before ours; file thread only
  /// Parts of records that the file has taken and may not hold yet; times have the stream -1. File
  /// thread only.
  std::deque<RecordPart> on_their_way_;
  FileCounters counters_;     // file thread only
  mutable std::mutex mutex_;  // guards what follows
  std::string error_;
  std::vector<std::string> warnings_;
  std::vector<io::FieldAccount> accounts_;  // per stream of the file
  std::int64_t bytes_ = 0;
};

}  // namespace epios::server
