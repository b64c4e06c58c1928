// Opens and closes files of all endpoints of a communicator. All agree on the arguments before any
// of them touches the disk, and a failed call removes a file that it created. In order: hints,
// modes, opening in this process and everywhere, closing.
#include "files/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <random>
#include <sstream>
#include <utility>

#include "collectives/collective.hpp"
#include "creation/creation.hpp"
#include "creation/hints.hpp"
#include "files/file_agreement.hpp"
#include "files/file_pointer.hpp"
#include "files/file_tables.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"

namespace ep {

Endpoint& FileState::endpoint() const { return *comm; }

std::string FileState::cannot(const char* verb) const {
  return std::string("cannot ") + verb + " '" + name + "' for rank " + std::to_string(rank);
}

FileState& file_of(EP_File file) {
  if (file == EP_FILE_NULL) fail(EP_ERR_FILE, "the file is EP_FILE_NULL.");
  if (!file_arena().contains(file) || file->alive.load() != file_alive) {
    fail(EP_ERR_FILE, "the file handle is not valid (closed, or not made by this library).");
  }
  return *file;
}

namespace {

constexpr const char* round_key = "cb_buffer_size";
constexpr std::int64_t least_round_bytes = std::int64_t{64} * 1024;

std::int64_t read_round_bytes(const std::string& text) {
  std::int64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || end != text.data() + text.size() || bytes < 1) {
    fail(EP_ERR_INFO_VALUE, "info key ", round_key, " has the value '", text,
         "' (a number of bytes).");
  }
  return bytes;
}

}  // namespace

std::map<std::string, std::string> file_hints(MPI_Info info) {
  std::map<std::string, std::string> hints = hints_of(info);
  constexpr const char* usual = "33554432";
  static_cast<void>(read_round_bytes(hints.try_emplace(round_key, usual).first->second));
  return hints;
}

void apply_file_hints(FileState& file, std::map<std::string, std::string> hints) {
  file.round_bytes = std::max(read_round_bytes(hints.at(round_key)), least_round_bytes);
  apply_hints(file.endpoint(), std::move(hints));
}

namespace {

void check_amode(int amode) {
  const int access = amode & (EP_MODE_RDONLY | EP_MODE_RDWR | EP_MODE_WRONLY);
  constexpr int all = EP_MODE_RDONLY | EP_MODE_RDWR | EP_MODE_WRONLY | EP_MODE_CREATE |
                      EP_MODE_EXCL | EP_MODE_DELETE_ON_CLOSE | EP_MODE_UNIQUE_OPEN |
                      EP_MODE_SEQUENTIAL | EP_MODE_APPEND;
  if ((amode & ~all) != 0) fail(EP_ERR_AMODE, "mode ", amode, " of EP_File_open (unknown bits).");
  if (access != EP_MODE_RDONLY && access != EP_MODE_RDWR && access != EP_MODE_WRONLY) {
    fail(EP_ERR_AMODE,
         "mode of EP_File_open without exactly one of EP_MODE_RDONLY, _WRONLY and _RDWR.");
  }
  if (access == EP_MODE_RDONLY && (amode & (EP_MODE_CREATE | EP_MODE_EXCL)) != 0) {
    fail(EP_ERR_AMODE, "EP_MODE_CREATE or _EXCL with EP_MODE_RDONLY (nothing could be written).");
  }
  if (access == EP_MODE_RDWR && (amode & EP_MODE_SEQUENTIAL) != 0) {
    fail(EP_ERR_AMODE, "EP_MODE_SEQUENTIAL with EP_MODE_RDWR (a sequence is read or written).");
  }
}

int flags_of(int amode) {
  if ((amode & EP_MODE_RDONLY) != 0) return O_RDONLY;
  return (amode & EP_MODE_WRONLY) != 0 ? O_WRONLY : O_RDWR;
}

/// A file that rank 0 makes, removed again unless it is kept.
class CreatedFile {
 public:
  explicit CreatedFile(const std::string& path) : path_(path) {}
  CreatedFile(const CreatedFile&) = delete;
  CreatedFile(CreatedFile&&) = delete;
  CreatedFile& operator=(const CreatedFile&) = delete;
  CreatedFile& operator=(CreatedFile&&) = delete;
  ~CreatedFile() {
    if (is_mine_) unlink(path_.c_str());
  }

  void create(const FileState& file) {
    int error = 0;
    const int flags = flags_of(file.amode) | O_CREAT;
    FileDescriptor made = open_file(path_.c_str(), flags | O_EXCL, error);
    is_mine_ = error == 0;
    if (error == EEXIST && (file.amode & EP_MODE_EXCL) == 0) {
      made = open_file(path_.c_str(), flags, error);
    }
    if (error != 0) fail_system(error, file.cannot("open"));
    if (const int failed = made.close(); failed != 0) fail_system(failed, file.cannot("open"));
  }
  void keep() noexcept { is_mine_ = false; }

 private:
  const std::string& path_;
  bool is_mine_ = false;
};

// Part of the name of a file that does not exist yet: nobody may guess it and be there before.
std::string unique_id() {
  std::random_device random;
  std::ostringstream id;
  id << std::hex;
  for (int word = 0; word < 4; ++word) id << random();
  return id.str();
}

constexpr const char* opening = "EP_File_open";

using Hints = std::map<std::string, std::string>;

// Agrees on the arguments of all endpoints before any of them touches the disk.
Hints agree_on_arguments(FileState& file, const char* name, MPI_Info info) {
  Hints hints;
  FileAgreement mine;
  mine.problem = problem_of([&] {
    hints = file_hints(info);
    if (name == nullptr || *name == '\0') fail(EP_ERR_BAD_FILE, "EP_File_open without a name.");
    check_amode(file.amode);
    file.name = name;
    file.path = std::filesystem::absolute(name);
  });
  mine.same[0] = file.amode;
  mine.same_names[0] = "the mode of EP_File_open";
  agree_on(file.endpoint(), opening, mine);
  return hints;
}

void open_here(FileState& file, FileAgreement& mine) {
  int error = 0;
  file.descriptor = open_file(file.path.c_str(), flags_of(file.amode), error);
  if (error != 0) fail_system(error, file.cannot("open"));
  struct stat status {};
  if (fstat(file.descriptor.get(), &status) != 0) fail_system(errno, file.cannot("open"));
  if (S_ISDIR(status.st_mode)) fail_system(EISDIR, file.cannot("open"));
  mine.same[0] = static_cast<std::int64_t>(status.st_ino);
  if ((file.amode & EP_MODE_APPEND) != 0) file.position = status.st_size;
}

void open_everywhere(FileState& file) {
  CreatedFile created(file.path);
  const bool in_one_process = file.endpoint().clique->process_count() == 1;
  FileAgreement creation;
  if (file.rank == 0) creation.note = unique_id();
  if ((file.amode & EP_MODE_CREATE) != 0) creation.at_first = [&] { created.create(file); };
  agree_on(file.endpoint(), opening, creation);
  FileAgreement mine;
  mine.same_names[0] = "the number of the file that the name leads to";
  mine.problem = problem_of([&] {
    open_here(file, mine);
    mine.of_first_here =
        std::make_shared<SharedPointer>(in_one_process, file.path, creation.note, file.position);
  });
  try {
    agree_on(file.endpoint(), opening, mine);
  } catch (const Error&) {
    // No endpoint may close the descriptor after the file has been removed.
    file.descriptor.close();
    barrier(file.endpoint());
    throw;
  }
  file.shared_pointer = std::static_pointer_cast<SharedPointer>(mine.of_first_here);
  created.keep();
}

void give_back(EP_File file) noexcept {
  file->alive.store(0);
  if (file->comm != EP_COMM_NULL) static_cast<void>(guarded([&] { free_endpoint(file->comm); }));
  file->comm = EP_COMM_NULL;
  file->descriptor = FileDescriptor();
  file->view.reset();
  file->shared_pointer.reset();
  file->position = 0;
  file->is_atomic = false;
  file_arena().give(file);
}

}  // namespace

EP_File open_file_of(Endpoint& endpoint, const char* name, int amode, MPI_Info info) {
  ep_file* const file = file_arena().take();
  try {
    Membership mine;
    mine.key = endpoint.rank;
    const NewEndpoint private_endpoint = create_members(endpoint, mine, opening).front();
    file->comm = make_endpoint(&endpoint, private_endpoint.clique, private_endpoint.slot,
                               private_endpoint.side, private_endpoint.rank);
    file->rank = private_endpoint.rank;
    file->amode = amode;
    Hints hints = agree_on_arguments(*file, name, info);
    file->view = std::make_shared<const FileView>();
    apply_file_hints(*file, std::move(hints));
    open_everywhere(*file);
    registry().set_name(file->endpoint().place(), file->name);
    file->endpoint().place().errors.set_file(file, file_errors());
  } catch (...) {
    give_back(file);
    throw;
  }
  file->alive.store(file_alive);
  return file;
}

void close_file(EP_File handle) {
  FileState& file = file_of(handle);
  FileAgreement before;
  before.problem = problem_of([&] {
    if (file.split != EP_REQUEST_NULL) {
      fail(EP_ERR_OTHER, file.cannot("close"), " (", file.split_kind,
           "_begin was called). End it first?");
    }
    if (file.under_way.load() > 0) {
      fail(EP_ERR_OTHER, file.cannot("close"), " (accesses are under way). Wait for them first?");
    }
  });
  agree_on(file.endpoint(), "EP_File_close", before);
  try {
    FileAgreement mine;
    mine.problem = problem_of([&] {
      const int error = file.descriptor.close();
      if (error != 0) fail_system(error, file.cannot("close"));
    });
    mine.at_first = [&] {
      file.shared_pointer->forget();
      const bool goes = (file.amode & EP_MODE_DELETE_ON_CLOSE) != 0;
      if (goes && unlink(file.path.c_str()) != 0) fail_system(errno, file.cannot("remove"));
    };
    agree_on(file.endpoint(), "EP_File_close", mine);
  } catch (...) {
    give_back(handle);
    throw;
  }
  give_back(handle);
}

}  // namespace ep
