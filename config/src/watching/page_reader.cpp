// Opens the page of another process. The name may have been given by anybody: the file is looked at
// before it is believed, and each number in it before it is used.
#include "watching/page_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "watching/page_names.hpp"

namespace epios::config {

MappedPage::MappedPage(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0) {
    map(fd);
    static_cast<void>(::close(fd));
  } else if (errno == ENOENT) {
    refuse(Problem::vanished);
  } else if (errno == EACCES || errno == EPERM) {
    refuse(Problem::foreign);
  } else {
    refuse(Problem::other, std::strerror(errno));
  }
}

void MappedPage::map(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return refuse(Problem::other, std::strerror(errno));
  constexpr mode_t others = S_IRWXG | S_IRWXO;
  if (info.st_uid != ::geteuid()) return refuse(Problem::foreign);
  if (!S_ISREG(info.st_mode) || (info.st_mode & others) != 0) {
    return refuse(Problem::other, fmt::format("it has mode {:o} (expected a file of mode 0600)",
                                              info.st_mode & 0177777U));
  }
  // The process holds an exclusive lock as long as it lives.
  if (::flock(fd, LOCK_SH | LOCK_NB) == 0) {
    // One that ends in order takes the name away first: it has just done so.
    struct stat now {};
    if (::fstat(fd, &now) == 0 && now.st_nlink == 0) return refuse(Problem::vanished);
    process_ = Process::gone;
  }
  bytes_ = static_cast<std::uint64_t>(info.st_size);
  if (bytes_ < sizeof(PageHead)) return refuse(Problem::unfinished);
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return refuse(Problem::other, std::strerror(errno));
  memory_ = static_cast<const std::byte*>(memory);
  if (head().magic.load(std::memory_order_acquire) != page_magic) {
    return refuse(Problem::unfinished);
  }
  if (head().version.get() != page_version) {
    return refuse(Problem::other,
                  fmt::format("it has version {}, and this program reads version {}. Use the epios "
                              "of the run's own installation?",
                              head().version.get(), page_version));
  }
  if (!is_sound()) refuse(Problem::other, "its sizes are not those of a page");
}

/// All slots lie in the page.
bool MappedPage::is_sound() const {
  constexpr std::array<std::size_t, slot_kinds> expected{sizeof(ClientSlot), sizeof(ServerSlot),
                                                         sizeof(FileSlot),   sizeof(WaitSlot),
                                                         sizeof(MapSlot),    sizeof(LineSlot)};
  for (std::size_t k = 0; k < slot_kinds; ++k) {
    const std::size_t offset = head().offsets[k].get();
    const std::size_t end = offset + head().counts[k].get() * expected[k];
    if (head().slot_bytes[k].get() != expected[k] || offset % cache_line != 0 || end > bytes_) {
      return false;
    }
  }
  return true;
}

void MappedPage::set_removed(std::int64_t now_ns) {
  removed_ns_ = std::min(removed_ns_, now_ns);
  if (!lives()) return;
  process_ = Process::ended;
  const auto look = [this](const PageSlot& slot) {
    if (slot.state.get() == SlotState::active) process_ = Process::gone;
  };
  for_each<ClientSlot>(client_slots, look);
  for_each<ServerSlot>(server_slots, look);
  for_each<FileSlot>(file_slots, look);
}

void MappedPage::refuse(Problem problem, std::string text) {
  problem_ = problem;
  text_ = std::move(text);
}

MappedPage::~MappedPage() {
  if (memory_ != nullptr) static_cast<void>(::munmap(const_cast<std::byte*>(memory_), bytes_));
}

std::vector<std::string> names_of_pages() {
  std::vector<std::string> out;
  std::error_code error;
  const std::filesystem::path folder = page_folder;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name.starts_with(page_prefix)) out.push_back(it->path().string());
  }
  if (error) {
    throw Error(ErrorCode::io,
                fmt::format("'{}' cannot be read ({}). Is this the node on which the run is, and "
                            "Linux?",
                            page_folder, error.message()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace epios::config
