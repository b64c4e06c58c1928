// One endpoint's access to a file: checks, conversion to external32 where requested, and moving
// segments in portions of limited size. In order: construction and checks, conversion, collecting
// all segments for collective accesses, and an independent access.
#include "files/file_access.hpp"

#include <optional>
#include <utility>

#include "datatypes/external32.hpp"
#include "messages/api_message.hpp"
#include "process/error.hpp"
#include "process/raw_large.hpp"

namespace ep {

namespace {

// Number of segments that are moved before the next ones are computed.
constexpr std::size_t segments_at_once = 1024;

void check_mode(const FileState& file, const char* what, Direction direction) {
  if (direction == Direction::read && !file.can_read()) {
    fail(EP_ERR_ACCESS, what, ": ", file.cannot("read"), " (opened with EP_MODE_WRONLY).");
  }
  if (direction == Direction::write && !file.can_write()) {
    fail(EP_ERR_READ_ONLY, what, ": ", file.cannot("write"), " (opened with EP_MODE_RDONLY).");
  }
}

}  // namespace

std::int64_t FileAccess::checked_etypes(const FileState& file, const AccessArguments& arguments) {
  check_mode(file, arguments.what, arguments.direction);
  const std::int64_t bytes =
      checked_message(arguments.buf, arguments.count, arguments.type).bytes();
  const std::int64_t etype = file.view->etype_size();
  if (bytes % etype != 0) {
    fail(EP_ERR_TYPE, arguments.what, ": ", bytes, " bytes are not whole etypes of the view of '",
         file.name, "' (", etype, " bytes each).");
  }
  return bytes / etype;
}

FileAccess::FileAccess(FileState& file, const AccessArguments& arguments, std::int64_t offset)
    : file_(&file), direction_(arguments.direction), view_(file.view) {
  static_cast<void>(checked_etypes(file, arguments));
  memory_ = checked_message(arguments.buf, arguments.count, arguments.type);
  if (offset < 0) {
    fail(EP_ERR_ARG, arguments.what, " of '", file.name, "' at offset ", offset, " (negative).");
  }
  position_ = view_->bytes_of(offset);
  std::int64_t end = 0;
  if (__builtin_add_overflow(position_, memory_.bytes(), &end)) {
    fail(EP_ERR_ARG, arguments.what, " of '", file.name, "' at offset ", offset,
         " (no file is so long).");
  }
  if (memory_.bytes() > 0) static_cast<void>(view_->at(end - 1));
  if (!view_->is_external()) return;
  if (!keeps_size_in_external32(arguments.type)) {
    fail(EP_ERR_UNSUPPORTED_DATAREP,
         "external32 stores this datatype in another number of bytes than memory has (not "
         "supported). A type of fixed size?");
  }
  target_ = memory_;
  if (!has_external32(*target_.map)) target_type_ = keep_type(arguments.type);
  convert();
}

FileAccess::FileAccess(FileState& file, const AccessArguments& arguments, Problem why)
    : problem(std::move(why)), file_(&file), direction_(arguments.direction), view_(file.view) {}

FileAccess::~FileAccess() {
  if (target_type_ != MPI_DATATYPE_NULL) drop_type(target_type_);
  if (holds_file_) file_->under_way.fetch_sub(1);
}

void FileAccess::hold_file() {
  file_->under_way.fetch_add(1);
  holds_file_ = true;
}

void FileAccess::convert() {
  const std::int64_t bytes = memory_.bytes();
  external_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  if (direction_ == Direction::write) {
    if (target_type_ == MPI_DATATYPE_NULL) {
      pack_external32(target_, external_.get());
    } else {
      MPI_Count used = 0;
      pack_external("external32", target_.data, target_.count, target_type_, external_.get(), bytes,
                    &used);
    }
  }
  memory_ = mapped_bytes(external_.get(), bytes);
}

void FileAccess::finish() const {
  if (!external_ || direction_ == Direction::write) return;
  if (target_type_ == MPI_DATATYPE_NULL) {
    return unpack_external32(external_.get(), done, target_);
  }
  const std::int64_t elements = done / target_.map->size;
  MPI_Count used = 0;
  unpack_external("external32", external_.get(), done, &used, target_.data, elements, target_type_);
}

void FileAccess::collect_segments() {
  SegmentWalk walk(*view_, position_, memory_);
  for (FileSegment segment; walk.next(segment);) segments.push_back(segment);
}

void FileAccess::perform() {
  problem = problem_of([this] {
    if (memory_.bytes() == 0) return;
    std::optional<RangeLock> lock;
    if (file_->is_atomic) {
      lock.emplace(file_->descriptor.get(), direction_, view_->byte_of(position_),
                   view_->byte_of(position_ + memory_.bytes() - 1) + 1, file_->name);
    }
    perform_locked();
  });
}

void FileAccess::perform_locked() {
  SegmentWalk walk(*view_, position_, memory_);
  std::vector<FileTask> tasks;
  bool more = true;
  while (more) {
    tasks.clear();
    FileSegment segment;
    while (tasks.size() < segments_at_once && (more = walk.next(segment))) {
      tasks.push_back({segment, 0, file_->rank});
    }
    const MoveEnd end = move(file_->descriptor.get(), direction_, tasks);
    for (const FileTask& task : tasks) {
      done += task.done;
      if (task.done < task.length) more = false;  // the file ends here
    }
    if (end.error != 0) {
      const Problem why = problem_of_move(end.error, *file_, direction_, tasks[end.task]);
      throw Error(why.code, why.text);
    }
  }
  finish();
}

Problem problem_of_move(int error, const FileState& file, Direction direction,
                        const FileTask& task) {
  const std::string verb = direction == Direction::write ? "write" : "read";
  const SystemError what = explain(error, "cannot " + verb + " '" + file.name + "' at byte " +
                                              std::to_string(task.offset + task.done) +
                                              " for rank " + std::to_string(task.rank));
  return {what.error_class, what.text};
}

}  // namespace ep
