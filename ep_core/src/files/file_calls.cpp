// The bodies of the C functions that access files, for counts of any width. In order: where an
// access begins, independent accesses, the accesses of collectives, blocking, non-blocking and
// split.
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "collectives/collective.hpp"
#include "files/api_file.hpp"
#include "files/file_collective.hpp"
#include "files/file_pointer.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "process/error.hpp"

namespace ep {

namespace {

std::int64_t offset_of(FileState& file, const AccessArguments& arguments, Beginning begin) {
  if (begin.kind == Beginning::Kind::shared_pointer) {
    return file.shared_pointer->advance(FileAccess::checked_etypes(file, arguments));
  }
  check_not_sequential(file, arguments.what);
  if (begin.kind == Beginning::Kind::offset) return begin.offset;
  const std::int64_t here = file.position;
  file.position += FileAccess::checked_etypes(file, arguments);
  return here;
}

void give_bytes(const FileAccess& access, EP_Status* status) {
  give_status({EP_ANY_SOURCE, EP_ANY_TAG, access.problem.code, access.done, 0}, status);
}

}  // namespace

int access_alone(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    FileAccess access(file, arguments, offset_of(file, arguments, begin));
    access.perform();
    give_bytes(access, status);
    throw_problem(access.problem);
  });
}

int start_alone(EP_File fh, const AccessArguments& arguments, Beginning begin,
                EP_Request* request) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(request);
    FileAccess access(file, arguments, offset_of(file, arguments, begin));
    access.perform();
    *request = ep::begin(file.endpoint(), MappedView{}, arguments.what, [&](Request& started) {
      started.status.ep_bytes = access.done;
      complete_collective(started, access.problem.code, access.problem.text);
    });
  });
}

namespace {

// Returns the access of one endpoint in a collective access; its errors become its problem.
template <class Offset>
std::shared_ptr<FileAccess> make_access(FileState& file, const AccessArguments& arguments,
                                        Offset&& offset) {
  std::shared_ptr<FileAccess> access;
  const Problem problem = problem_of([&] {
    check_no_split(file, arguments.what);
    access = std::make_shared<FileAccess>(file, arguments, offset());
    access->collect_segments();
  });
  if (problem) access = std::make_shared<FileAccess>(file, arguments, problem);
  return access;
}

constexpr std::int64_t no_etypes = -1;

// Returns the access of this endpoint if all follow each other in rank order. An error is thrown by
// the access itself, so that no endpoint misses the collectives here. Collective.
std::shared_ptr<FileAccess> ordered_access(FileState& file, const AccessArguments& arguments) {
  std::int64_t mine = no_etypes;
  Problem problem = problem_of([&] {
    check_no_split(file, arguments.what);
    mine = FileAccess::checked_etypes(file, arguments);
  });
  Endpoint& endpoint = file.endpoint();
  std::vector<std::int64_t> all(static_cast<std::size_t>(endpoint.local_group().size()));
  allgather_bytes(endpoint, &mine, sizeof mine, all.data());
  const bool all_well = std::find(all.begin(), all.end(), no_etypes) == all.end();
  std::int64_t begin = 0;
  if (file.rank == 0 && all_well) {
    problem = problem_of([&] {
      begin =
          file.shared_pointer->advance(std::accumulate(all.begin(), all.end(), std::int64_t{0}));
    });
  }
  bcast(endpoint, view_of(&begin, 1, MPI_INT64_T), 0);
  return make_access(file, arguments, [&] {
    throw_problem(problem);
    return std::accumulate(all.begin(), all.begin() + file.rank, begin);
  });
}

std::shared_ptr<FileAccess> collective_access(FileState& file, const AccessArguments& arguments,
                                              Beginning begin) {
  if (begin.kind == Beginning::Kind::shared_pointer) return ordered_access(file, arguments);
  return make_access(file, arguments, [&] { return offset_of(file, arguments, begin); });
}

}  // namespace

int access_all(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Status* status) {
  return call_on_file(fh, [&](FileState& file) {
    const std::shared_ptr<FileAccess> access = collective_access(file, arguments, begin);
    access->problem = problem_of([&] { access_together(*access, arguments.what); });
    give_bytes(*access, status);
    throw_problem(access->problem);
  });
}

int start_all(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Request* request) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(request);
    *request = start_together(collective_access(file, arguments, begin), arguments.what);
  });
}

int begin_split(EP_File fh, const AccessArguments& arguments, Beginning begin) {
  return call_on_file(fh, [&](FileState& file) {
    check_no_split(file, arguments.what);
    file.split = start_together(collective_access(file, arguments, begin), arguments.what);
    file.split_kind = arguments.what;
  });
}

int end_split(EP_File fh, const char* begin, EP_Status* status) noexcept {
  EP_Request* request = nullptr;
  const int code = call_on_file(fh, [&](FileState& file) {
    if (file.split == EP_REQUEST_NULL || std::strcmp(file.split_kind, begin) != 0) {
      fail(EP_ERR_OTHER, begin, "_end of '", file.name, "' without its begin",
           file.split == EP_REQUEST_NULL ? "." : " (another split access is under way).");
    }
    request = &file.split;
  });
  // EP_Wait passes errors to the handler of the file.
  return code == EP_SUCCESS ? EP_Wait(request, status) : code;
}

}  // namespace ep
