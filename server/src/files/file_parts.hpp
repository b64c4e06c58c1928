#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "config/file_series.hpp"
#include "event/file_report.hpp"
#include "file/file_thread.hpp"
#include "files/server_file.hpp"
#include "files/written_files.hpp"
#include "grid/box.hpp"

namespace epios::server {

/// "file 'daily' of context 'ocean'"
std::string title_of(const config::Model& model, const config::File& file);

/// One file of a context, on one of its writers, as its parts in time: one after the other with
/// split_freq, else a single one. Records are numbered as in the run. A part is made for its first
/// record (the first one when the file is opened) and stays until finish(). Only the server's
/// thread calls; nothing waits for the file thread.
class FileParts {
 public:
  /// `setup`: of the whole file; what it refers to, `thread` and `written` outlive this.
  /// `component`: whose file it is.
  FileParts(ServerFile::Setup setup, io::FileThread& thread, WrittenFiles& written,
            std::string component);

  bool is_shared() const { return setup_.writers != nullptr; }
  bool is_split() const { return series_.is_split(); }
  /// Asks for the part of the first record, and, with append, for the one before it, of which
  /// records may reach into this run. `refusal`: as of ServerFile::create().
  void create(const std::string& refusal);

  /// The part that a record of a stream of the file belongs to; of what is written once, the
  /// latest that there is.
  std::int64_t part_of(int stream, std::int64_t record) const;
  /// Records of the part that a record belongs to which are before it and not left out: its number
  /// on file, with those of attribute record_offset; negative: it is not written.
  std::int64_t number_in_part(int stream, std::int64_t record) const;

  /// Returns true if a record has a place on disk, as far as has been asked for, or needs none: it
  /// is left out (record_offset), or kept for the parts that have room (written once).
  bool has_room(int stream, std::int64_t record) const;
  /// Makes room for the first records of a part, for which stream number `stream` of the file
  /// asked.
  void reserve(std::int64_t part, std::int64_t records, int stream);
  /// As ServerFile::write(); the record must have room. `rounded_to`: bits of mantissa that the
  /// values have, if the first record said how many (keep_information), else 0. What is written
  /// once is kept for the parts to come, so that each holds it.
  void write(int stream, std::int64_t record, const io::Box& slab, std::span<const std::byte> data,
             int rounded_to = 0);
  /// Counts a record as lost, as ServerFile::lose() does.
  void lose(int stream, std::int64_t record);
  /// No stream of the file has records [begin, end) of the run, and none will: they have no number
  /// in their parts. Before any record behind them.
  void leave_out(std::int64_t begin, std::int64_t end);
  /// Synchronises all parts that are not finished.
  void sync();
  /// Parts that are not finished, before part `end`, with the records that this server has seen.
  struct Open {
    std::int64_t part = 0;
    std::int64_t records = 0;
  };
  std::vector<Open> open_parts(std::int64_t end) const;
  /// Closes a part; none of its records may follow.
  void finish(std::int64_t part, std::int64_t records);

  /// Fails all parts that are not finished, and those to come.
  void fail(const std::string& why);
  /// Lets go of all parts without a trace: nothing has been written.
  void discard(const std::string& why);
  /// Lets go of what is not finished.
  void abandon(const std::string& why);

  /// No request under way.
  bool is_idle() const;
  /// No write of a record under way: what the bytes are read from is free again.
  bool is_done_writing() const;
  /// Error of the part of a record, "" while all is well.
  std::string error_of(int stream, std::int64_t record) const;
  /// Returns the error of any part, "" while all is well.
  std::string first_error() const;
  /// Parts that have failed, once each.
  std::vector<io::FileReport> newly_failed();
  /// Returns the accounts of all parts, in order; complete when idle after finish().
  std::vector<io::FileReport> account() const;
  std::vector<std::string> warnings() const;

 private:
  struct Part {
    std::unique_ptr<ServerFile> file;
    bool was_open = false;     // asked to be made
    bool is_open = false;      // and not asked to finish
    bool is_reported = false;  // its failure
    bool has_room = false;
    std::set<int> once{};     // streams, which it has
    std::set<int> rounded{};  // streams whose bits of mantissa it says
  };
  /// A record of a stream that is written once, as long as parts may follow.
  struct Kept {
    io::Box slab;
    std::vector<std::byte> data;
    int rounded_to = 0;
    bool is_written = false;  // some part has it
  };
  bool is_once(int stream) const;
  int first_once() const;
  const std::string& name_of(int stream) const;
  void keep(int stream, const io::Box& slab, std::span<const std::byte> data, int rounded_to);
  void write_kept(Part& part);
  std::string refusal_of(std::int64_t part, const std::string& path);
  Part& at(std::int64_t part);
  void make(Part& made, std::int64_t part) const;
  Part& open(std::int64_t part, const std::string& refusal);
  void retire_finished();
  std::string path_of(std::int64_t part) const;
  std::int64_t first_part() const;
  std::int64_t first_record(std::int64_t part) const;
  struct Place {
    std::int64_t record = -1;
    std::int64_t part = 0;
    std::int64_t number = 0;
  };
  const Place& place_of(std::int64_t record) const;
  /// Records of the run that are left out.
  struct Gap {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t before = 0;  // records that earlier gaps have
  };
  std::int64_t left_out_before(std::int64_t record) const;
  void apply_gap(Part& part, std::int64_t number, const Gap& gap) const;

  ServerFile::Setup setup_;
  io::FileThread& thread_;
  WrittenFiles& written_;
  std::string component_;
  config::RecordTimes times_;
  config::FileSeries series_;
  std::int64_t offset_;    // attribute record_offset
  mutable Place last_;     // of the record asked for last: several questions are about one
  std::vector<Gap> gaps_;  // ascending
  std::string failure_;    // why no more parts are made
  std::map<std::int64_t, Part> parts_;
  std::map<int, Kept> kept_;                   // of streams written once, in a file that is split
  std::map<std::string, std::int64_t> names_;  // of all parts that were opened
  std::string first_finished_;                 // path of the first part that is
  int finished_ = 0;                           // parts
  std::vector<io::FileReport> over_;           // of parts that are done with
  std::vector<std::string> warnings_;
};

}  // namespace epios::server
