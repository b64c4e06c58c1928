#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "files/file_io.hpp"
#include "files/file_view.hpp"

namespace ep {

struct Endpoint;
class SharedPointer;

/// The object behind one endpoint's file handle.
struct FileState {
  std::atomic<std::uint32_t> alive{0};
  EP_Comm comm = EP_COMM_NULL;  ///< private duplicate, for collectives, error handler and hints
  int rank = 0;
  int amode = 0;
  std::string name;  ///< name as given, for messages
  std::string path;  ///< absolute path, valid in any working directory
  FileDescriptor descriptor;
  std::shared_ptr<const FileView> view;
  std::int64_t position = 0;  ///< the individual pointer, in etypes
  bool is_atomic = false;
  std::int64_t round_bytes = 0;  ///< largest part of a domain per round of a collective access
  std::shared_ptr<SharedPointer> shared_pointer;  ///< one for all endpoints of the process
  std::atomic<int> under_way{0};                  ///< number of pending collective accesses
  EP_Request split = EP_REQUEST_NULL;             ///< request of a split access
  const char* split_kind = "";

  Endpoint& endpoint() const;
  bool can_read() const noexcept { return (amode & EP_MODE_WRONLY) == 0; }
  bool can_write() const noexcept { return (amode & EP_MODE_RDONLY) == 0; }
  bool is_sequential() const noexcept { return (amode & EP_MODE_SEQUENTIAL) != 0; }
  /// Returns the beginning of messages: "cannot write 'name' for rank 3".
  std::string cannot(const char* verb) const;
};

constexpr std::uint32_t file_alive = 0x4550464c;

/// Returns the hints of a file in `info`, with defaults. Throws EP_ERR_INFO_VALUE for wrong values
/// of known keys.
std::map<std::string, std::string> file_hints(MPI_Info info);
/// Stores the hints and applies them.
void apply_file_hints(FileState& file, std::map<std::string, std::string> hints);

/// Returns the object behind a handle. Throws if it is null, closed or foreign.
FileState& file_of(EP_File file);

/// Opens a file. Collective over the communicator.
EP_File open_file_of(Endpoint& endpoint, const char* name, int amode, MPI_Info info);
/// Closes a file. Afterwards the handle is invalid even if an error is thrown, unless accesses are
/// pending. Collective.
void close_file(EP_File file);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_file : ep::FileState {};
