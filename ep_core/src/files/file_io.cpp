// System calls on files that move many segments. Segments in a row share a call, small ones go
// through a buffer, and reads may span small gaps; writes never read. In order: single calls,
// vectors, gathered writes and sieved reads, errors of the system, descriptors, locks.
#include "files/file_io.hpp"

#include <ep/ep.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

namespace ep {

namespace {

constexpr std::size_t most_vectors = IOV_MAX;
// Below this length a copy costs less than a vector of its own.
constexpr std::int64_t small_segment = 512;
// Reading a gap of this size costs less than another call.
constexpr std::int64_t small_gap = 4096;
constexpr std::int64_t bounce_bytes = std::int64_t{256} * 1024;

/// Memory that segments go through, taken at first use.
class Bounce {
 public:
  std::byte* data() {
    if (!memory_) memory_ = std::make_unique_for_overwrite<std::byte[]>(bounce_bytes);
    return memory_.get();
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
};

struct Moved {
  std::int64_t bytes = 0;
  int error = 0;
};

ssize_t call_once(int fd, Direction direction, std::span<const iovec> parts, std::int64_t offset) {
  const int count = static_cast<int>(parts.size());
  if (direction == Direction::write) {
    if (count == 1) return pwrite(fd, parts[0].iov_base, parts[0].iov_len, offset);
    return pwritev(fd, parts.data(), count, offset);
  }
  if (count == 1) return pread(fd, parts[0].iov_base, parts[0].iov_len, offset);
  return preadv(fd, parts.data(), count, offset);
}

// Until all is moved, the file ends, or an error. Uses up `parts`.
Moved move_all(int fd, Direction direction, std::span<iovec> parts, std::int64_t offset) {
  Moved moved;
  while (!parts.empty()) {
    const ssize_t result = call_once(fd, direction, parts, offset + moved.bytes);
    if (result < 0) {
      if (errno == EINTR) continue;
      moved.error = errno;
      return moved;
    }
    if (result == 0) {
      // A write of no bytes without an error would be repeated for ever.
      if (direction == Direction::write) moved.error = EIO;
      return moved;
    }
    moved.bytes += result;
    auto rest = static_cast<std::size_t>(result);
    while (!parts.empty() && rest >= parts[0].iov_len) {
      rest -= parts[0].iov_len;
      parts = parts.subspan(1);
    }
    if (rest > 0) {
      parts[0].iov_base = static_cast<std::byte*>(parts[0].iov_base) + rest;
      parts[0].iov_len -= rest;
    }
  }
  return moved;
}

Moved move_block(int fd, Direction direction, std::byte* data, std::int64_t length,
                 std::int64_t offset) {
  iovec part{data, static_cast<std::size_t>(length)};
  return move_all(fd, direction, {&part, 1}, offset);
}

// Distributes `bytes` done to the tasks, which are contiguous. Returns the number of tasks that are
// complete.
std::size_t share_out(std::span<FileTask> tasks, std::int64_t bytes) {
  std::size_t whole = 0;
  for (FileTask& task : tasks) {
    task.done = std::min(task.length, bytes);
    bytes -= task.done;
    if (task.done == task.length) ++whole;
  }
  return whole;
}

MoveEnd move_vectors(int fd, Direction direction, std::span<FileTask> tasks) {
  std::array<iovec, most_vectors> parts;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    parts[i] = {tasks[i].memory, static_cast<std::size_t>(tasks[i].length)};
  }
  const Moved moved = move_all(fd, direction, {parts.data(), tasks.size()}, tasks[0].offset);
  return {moved.error, share_out(tasks, moved.bytes)};
}

// Tasks in a row that are small go out of one buffer.
MoveEnd write_gathered(int fd, std::span<FileTask> tasks, Bounce& bounce) {
  std::int64_t length = 0;
  for (const FileTask& task : tasks) {
    std::memcpy(bounce.data() + length, task.memory, static_cast<std::size_t>(task.length));
    length += task.length;
  }
  const Moved moved = move_block(fd, Direction::write, bounce.data(), length, tasks[0].offset);
  return {moved.error, share_out(tasks, moved.bytes)};
}

// Reads tasks that are close to each other through one buffer.
MoveEnd read_sieved(int fd, std::span<FileTask> tasks, std::int64_t length, Bounce& bounce) {
  const std::int64_t begin = tasks[0].offset;
  const Moved moved = move_block(fd, Direction::read, bounce.data(), length, begin);
  MoveEnd end{moved.error, tasks.size()};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    FileTask& task = tasks[i];
    const std::int64_t at = task.offset - begin;
    task.done = std::clamp(moved.bytes - at, std::int64_t{0}, task.length);
    std::memcpy(task.memory, bounce.data() + at, static_cast<std::size_t>(task.done));
    if (task.done < task.length) end.task = std::min(end.task, i);
  }
  return end;
}

/// The first tasks of some that are moved by one call.
struct Group {
  std::size_t count = 1;
  std::int64_t length = 0;
};

Group tasks_in_a_row(std::span<const FileTask> tasks, std::int64_t most_bytes) {
  Group group{1, tasks[0].length};
  while (group.count < tasks.size() && group.count < most_vectors &&
         tasks[group.count].offset == tasks[0].offset + group.length &&
         group.length + tasks[group.count].length <= most_bytes) {
    group.length += tasks[group.count++].length;
  }
  return group;
}

Group tasks_nearby(std::span<const FileTask> tasks) {
  Group group{1, tasks[0].length};
  for (; group.count < tasks.size(); ++group.count) {
    const FileTask& next = tasks[group.count];
    const std::int64_t begin = next.offset - tasks[0].offset;
    const std::int64_t end = std::max(group.length, begin + next.length);
    if (begin > group.length + small_gap || end > bounce_bytes) break;
    group.length = end;
  }
  return group;
}

bool is_of_small(const Group& group) {
  return group.count > 1 && group.length < static_cast<std::int64_t>(group.count) * small_segment;
}

MoveEnd move_group(int fd, Direction direction, std::span<FileTask> tasks, Bounce& bounce,
                   std::size_t& taken) {
  constexpr std::int64_t most_at_once = std::int64_t{1} << 30;
  Group row = tasks_in_a_row(tasks, most_at_once);
  const bool is_small = is_of_small(row);
  if (direction == Direction::write) {
    if (is_small) row = tasks_in_a_row(tasks, bounce_bytes);
    taken = row.count;
    if (is_small && row.length <= bounce_bytes) {
      return write_gathered(fd, tasks.first(taken), bounce);
    }
    return move_vectors(fd, direction, tasks.first(taken));
  }
  if (row.count == 1 || is_small) {
    const Group near = tasks_nearby(tasks);
    taken = near.count;
    if (near.count > 1) return read_sieved(fd, tasks.first(taken), near.length, bounce);
  }
  taken = row.count;
  return move_vectors(fd, direction, tasks.first(taken));
}

}  // namespace

MoveEnd move(int fd, Direction direction, std::span<FileTask> tasks) {
  Bounce bounce;
  for (std::size_t begin = 0; begin < tasks.size();) {
    std::size_t taken = 0;
    const MoveEnd end = move_group(fd, direction, tasks.subspan(begin), bounce, taken);
    if (end.error != 0) return {end.error, begin + std::min(end.task, taken - 1)};
    begin += taken;
  }
  return {0, tasks.size()};
}

SystemError explain(int error, const std::string& problem) {
  struct Known {
    int error;
    int error_class;
    const char* suggestion;
  };
  static constexpr std::array known{
      Known{ENOSPC, EP_ERR_NO_SPACE, "Free space there?"},
      Known{EDQUOT, EP_ERR_QUOTA, "Free space of this user?"},
      Known{EFBIG, EP_ERR_NO_SPACE, "A limit on file sizes (ulimit -f)?"},
      Known{ENOENT, EP_ERR_NO_SUCH_FILE, "Open it with EP_MODE_CREATE, in a folder that exists?"},
      Known{EEXIST, EP_ERR_FILE_EXISTS, "Open it without EP_MODE_EXCL?"},
      Known{EACCES, EP_ERR_ACCESS, "May this user do so?"},
      Known{EPERM, EP_ERR_ACCESS, "May this user do so?"},
      Known{EROFS, EP_ERR_READ_ONLY, "Another folder?"},
      Known{ENOTDIR, EP_ERR_BAD_FILE, "A wrong path?"},
      Known{EISDIR, EP_ERR_BAD_FILE, "The name of a file?"},
      Known{ENAMETOOLONG, EP_ERR_BAD_FILE, "A shorter name?"},
      Known{ELOOP, EP_ERR_BAD_FILE, "Symbolic links in a circle?"},
      Known{EBUSY, EP_ERR_FILE_IN_USE, "Close it elsewhere?"},
      Known{ETXTBSY, EP_ERR_FILE_IN_USE, "Close it elsewhere?"},
      Known{EIO, EP_ERR_IO, "Is the disk well?"},
      Known{ENOMEM, EP_ERR_NO_MEM, "Less at once?"},
      Known{EMFILE, EP_ERR_OTHER, "Raise the limit of open files (ulimit -n)?"},
      Known{EOPNOTSUPP, EP_ERR_UNSUPPORTED_OPERATION, "Another file system?"}};
  const auto* const found = std::find_if(known.begin(), known.end(),
                                         [error](const Known& one) { return one.error == error; });
  const bool is_known = found != known.end();
  return {is_known ? found->error_class : EP_ERR_IO,
          problem + " (" + std::generic_category().message(error) + "). " +
              (is_known ? found->suggestion : "Is it a file that can be read and written?")};
}

void fail_system(int error, const std::string& problem) {
  const SystemError what = explain(error, problem);
  throw Error(what.error_class, what.text);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileDescriptor::~FileDescriptor() { close(); }

// The call is not repeated after EINTR, since the descriptor is closed then.
int FileDescriptor::close() noexcept {
  if (fd_ < 0) return 0;
  const int result = ::close(std::exchange(fd_, -1));
  return result == 0 || errno == EINTR ? 0 : errno;
}

FileDescriptor open_file(const char* path, int flags, int& error) {
  constexpr mode_t readable_by_all = 0666;  // the umask reduces this
  while (true) {
    const int fd = ::open(path, flags | O_CLOEXEC, readable_by_all);
    error = fd < 0 ? errno : 0;
    if (error != EINTR) return FileDescriptor(fd);
  }
}

std::int64_t file_size(int fd, const std::string& name) {
  struct stat status {};
  if (fstat(fd, &status) != 0) fail_system(errno, "cannot ask for the size of '" + name + "'");
  return status.st_size;
}

namespace {

int set_lock(int fd, short type, std::int64_t begin, std::int64_t end) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = begin;
  range.l_len = end - begin;
  while (fcntl(fd, F_OFD_SETLKW, &range) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

RangeLock::RangeLock(int fd, Direction direction, std::int64_t begin, std::int64_t end,
                     const std::string& name)
    : fd_(fd), begin_(begin), end_(end) {
  if (begin == end) return;
  const short type = direction == Direction::write ? F_WRLCK : F_RDLCK;
  if (const int error = set_lock(fd, type, begin, end); error != 0) {
    fail_system(error, "cannot lock '" + name + "'");
  }
}

RangeLock::~RangeLock() {
  if (begin_ != end_) set_lock(fd_, F_UNLCK, begin_, end_);
}

}  // namespace ep
