// C functions that open, close, resize and sync files, and those of info and atomicity. Collective
// changes are made once, by the process of rank 0, and all agree on the outcome. In order: such
// changes, opening and closing, size, info, consistency.
#include <ep/ep.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>
#include <utility>

#include "files/api_file.hpp"
#include "files/file_agreement.hpp"
#include "files/file_tables.hpp"
#include "handles/endpoint.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "process/fortran_handle.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Collective. The process of rank 0 applies `change` to the file, after all endpoints have called.
template <class Change>
void change_size(FileState& file, const char* what, std::int64_t size, Change&& change) {
  FileAgreement before;
  before.same[0] = size;
  before.same_names[0] = "the size";
  before.problem = problem_of([&] {
    check_no_split(file, what);
    if (size < 0) fail(EP_ERR_ARG, what, ": size ", size, " (negative).");
    if (!file.can_write()) {
      fail(EP_ERR_READ_ONLY, what, ": ", file.cannot("resize"), " (opened with EP_MODE_RDONLY).");
    }
    if (file.is_sequential()) {
      fail(EP_ERR_UNSUPPORTED_OPERATION, what, ": ", file.cannot("resize"),
           " (opened with EP_MODE_SEQUENTIAL).");
    }
  });
  agree_on(file.endpoint(), what, before);
  FileAgreement mine;
  mine.at_first = change;
  agree_on(file.endpoint(), what, mine);
}

// posix_fallocate returns its error.
int reserve(int fd, std::int64_t size) {
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(fd, 0, size);
  return error;
}

int repeat_if_interrupted(int (*call)(int), int fd) {
  while (call(fd) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace

int EP_File_open(EP_Comm comm, const char* filename, int amode, MPI_Info info, EP_File* fh) {
  if (fh != nullptr) *fh = EP_FILE_NULL;
  const int code = guarded([&] {
    check_out(fh);
    const CallScope call(comm);
    *fh = open_file_of(intra_endpoint_of(comm, "EP_File_open"), filename, amode, info);
  });
  return code != EP_SUCCESS ? raise_file_error(EP_FILE_NULL, code) : code;
}

int EP_File_close(EP_File* fh) {
  return call_on_file(fh != nullptr ? *fh : EP_FILE_NULL, [&](FileState& file) {
    const Problem problem = problem_of([&] { close_file(*fh); });
    if (file.alive.load() != file_alive) *fh = EP_FILE_NULL;
    throw_problem(problem);
  });
}

int EP_File_delete(const char* filename, MPI_Info info) {
  static_cast<void>(info);
  const int code = guarded([&] {
    if (filename == nullptr || *filename == '\0') {
      fail(EP_ERR_BAD_FILE, "EP_File_delete without a name.");
    }
    if (unlink(filename) == 0) return;
    fail_system(errno, std::string("cannot remove '") + filename + "'");
  });
  return code != EP_SUCCESS ? raise_file_error(EP_FILE_NULL, code) : code;
}

int EP_File_set_size(EP_File fh, MPI_Offset size) {
  return call_on_file(fh, [&](FileState& file) {
    change_size(file, "EP_File_set_size", size, [&] {
      while (ftruncate(file.descriptor.get(), size) != 0) {
        if (errno != EINTR) fail_system(errno, file.cannot("resize"));
      }
    });
  });
}

int EP_File_preallocate(EP_File fh, MPI_Offset size) {
  return call_on_file(fh, [&](FileState& file) {
    change_size(file, "EP_File_preallocate", size, [&] {
      const int error = size > 0 ? reserve(file.descriptor.get(), size) : 0;
      if (error != 0) fail_system(error, file.cannot("reserve space for"));
    });
  });
}

int EP_File_get_size(EP_File fh, MPI_Offset* size) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(size);
    *size = file_size(file.descriptor.get(), file.name);
  });
}

int EP_File_get_group(EP_File fh, EP_Group* group) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(group);
    check(EP_Comm_group(file.comm, group));
  });
}

int EP_File_get_amode(EP_File fh, int* amode) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(amode);
    *amode = file.amode;
  });
}

int EP_File_set_info(EP_File fh, MPI_Info info) {
  return call_on_file(fh, [&](FileState& file) {
    std::map<std::string, std::string> hints;
    FileAgreement mine;
    mine.problem = problem_of([&] {
      check_no_split(file, "EP_File_set_info");
      hints = file_hints(info);
    });
    agree_on(file.endpoint(), "EP_File_set_info", mine);
    apply_file_hints(file, std::move(hints));
  });
}

int EP_File_get_info(EP_File fh, MPI_Info* info_used) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(info_used);
    check(EP_Comm_get_info(file.comm, info_used));
  });
}

int EP_File_set_atomicity(EP_File fh, int flag) {
  return call_on_file(fh, [&](FileState& file) {
    FileAgreement mine;
    mine.same[0] = flag != 0 ? 1 : 0;
    mine.same_names[0] = "the flag of EP_File_set_atomicity";
    agree_on(file.endpoint(), "EP_File_set_atomicity", mine);
    file.is_atomic = flag != 0;
  });
}

int EP_File_get_atomicity(EP_File fh, int* flag) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(flag);
    *flag = file.is_atomic ? 1 : 0;
  });
}

int EP_File_sync(EP_File fh) {
  return call_on_file(fh, [&](FileState& file) {
    FileAgreement mine;
    mine.problem = problem_of([&] { check_no_split(file, "EP_File_sync"); });
    mine.at_each = [&] {
      const int error = repeat_if_interrupted(fsync, file.descriptor.get());
      if (error != 0) fail_system(error, file.cannot("bring to the disk"));
    };
    agree_on(file.endpoint(), "EP_File_sync", mine);
  });
}

MPI_Fint EP_File_c2f(EP_File file) { return to_fortran(file_arena(), file); }
EP_File EP_File_f2c(MPI_Fint file) { return from_fortran<EP_File>(file_arena(), file); }
