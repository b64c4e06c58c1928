#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/run_page.hpp"
#include "event/wire.hpp"
#include "file/compressors.hpp"
#include "file/file_thread.hpp"
#include "file/writing_endpoints.hpp"
#include "files/field_maps.hpp"
#include "files/file_parts.hpp"
#include "files/server_file.hpp"
#include "grid/coordinates.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server {

/// The files of one context on one server: opening, room, sync points, closing, and the account of
/// them. What writers of a shared file do together is ordered by the leader, rank 0. Only the
/// server's thread calls; nothing waits for the file thread.
class ContextFiles {
 public:
  /// Everything that the files need of their server; all of it outlives them.
  struct Environment {
    int rank = 0;  ///< of this server
    std::uint32_t context = 0;
    const ep::Comm* file_threads = nullptr;  ///< of all servers
    io::FileThread* file_thread = nullptr;
    std::function<void(Command)> broadcast;  ///< leader only: sends a command to all other servers
    io::Compressors* compressors = nullptr;  ///< none: the file thread compresses
    io::WritingEndpoints* endpoints = nullptr;
    WrittenFiles* written = nullptr;  ///< of the job
    std::string component{};          ///< whose context it is
    config::RunPage* page = nullptr;  ///< where files are shown; null: nowhere
    bool is_repeated = false;         ///< the context could not be opened before
    io::ActorTrace trace{};           ///< of the file thread in the context
    FieldMaps* maps = nullptr;        ///< of records, in the page; null: none
  };
  /// No files yet.
  explicit ContextFiles(Environment environment);

  /// The files that are to be opened; model and shares outlive the files.
  struct Contents {
    const config::Model& model;
    const std::vector<io::FilePlacement>& placements;  ///< per file
    const io::Pieces& pieces;                          ///< of this server
    const std::vector<StreamAssignment>& shares;       ///< per stream
    const io::CoordinateForms& forms;
    std::span<const io::CoordinateSlab> coordinates;  ///< per Pieces::coordinate_windows
  };
  /// Asks for all files that this server writes. `refusal`: as of ServerFile::create(). Throws
  /// Error when all have been asked for, where one cannot be described or has no memory.
  void open(const Contents& contents, const std::string& refusal);

  bool is_writer(int file) const;
  /// One that this server writes.
  FileParts& at(int file) const { return *nth(files_, file); }
  /// Returns where a record of `share` is put together; free when can_take() says so.
  std::span<std::byte> buffer(const StreamAssignment& share);
  bool are_idle() const;
  /// Returns true if any file is split: its parts view the coordinates until the end.
  bool are_split() const;
  /// "" while all is well.
  std::string first_error() const;

  /// Returns true if a record can be written, or counted as lost, now: nothing else is in the
  /// file's buffer, if the record needs it; and there is room in the file, or this server may
  /// command it (in a shared file the leader does).
  bool can_take(const StreamAssignment& share, std::int64_t record) const;
  /// Makes room for a record, for all writers, if there is none.
  void request_room(const StreamAssignment& share, std::int64_t record);
  /// Returns true if this server begins a sync of this file: others wait for the leader's command.
  bool begins_sync(int file) const { return !at(file).is_shared() || is_leader(); }
  /// Returns true if this server says when parts of a file are finished: others wait for the
  /// leader's command.
  bool ends_parts(int file) const { return begins_sync(file); }
  /// Finishes the parts of a file before `part`; `event` is for the command to the other writers.
  void end_parts(int file, std::int64_t part, std::int64_t event);
  /// Synchronises; `event` is the sync point for the command to the other writers, -1: none.
  void sync(int file, std::int64_t event);
  /// Finishes what this server has the say of.
  void close();
  /// Returns true if close() and the leader's commands have reached all files.
  bool are_closed() const;
  /// Notes that files that are closed now are not to be replaced by a later context: files of
  /// others, too.
  void note_written() const;
  /// Carries out a command about a file: whoever gave it, room, sync points and ends of parts come
  /// to files only here.
  void apply(const Command& command);

  /// The files whose failure has not been told yet, once each. The leader lets the other writers of
  /// a shared one know.
  std::vector<io::FileReport> newly_failed();
  /// Returns the account of all files; complete when idle after close().
  std::vector<io::FileReport> account() const;
  /// Returns what the user should know of the coordinates in the files.
  const std::vector<io::Remark>& remarks() const { return remarks_; }
  /// Returns texts about files that are whole, but odd.
  std::vector<std::string> warnings() const;
  /// Fails all files for a reason from elsewhere.
  void fail(const std::string& why) const;
  /// Lets go of all files without a trace: the context has not been opened.
  void discard(const std::string& why) const;
  /// Lets go of all files that are not finished.
  void abandon(const std::string& why) const;

 private:
  ServerFile::Setup setup_of(const Contents& contents, config::FileId file) const;
  ServerFile::Setup refused_setup(const Contents& contents, config::FileId file) const;
  void make_buffer(const Contents& contents, config::FileId file);
  void create(config::FileId file, ServerFile::Setup setup, const std::string& refusal);
  void finish(int file, std::int64_t end, std::int64_t event);
  void broadcast(Command command);
  bool is_leader() const { return environment_.rank == io::leader; }

  Environment environment_;
  struct Whole {
    std::string path;
    std::string title;
  };
  std::vector<Whole> whole_;  // files that are neither split nor apart, whoever writes them
  std::vector<std::unique_ptr<FileParts>> files_;  // per file, null where this is no writer
  std::vector<std::vector<std::byte>> buffers_;    // per file, empty where not needed
  std::vector<io::Remark> remarks_;
  std::vector<bool> closed_;  // per file: asked to finish
};

}  // namespace epios::server
