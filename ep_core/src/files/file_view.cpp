// Views of files, and walks along the bytes that a view and a buffer share. A position in a view is
// found by division and one search, so that accesses start anywhere at once. In order: the cursor,
// data representations, the view, and the walk of segments.
#include "files/file_view.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "datatypes/external32.hpp"
#include "files/file_tables.hpp"
#include "process/error.hpp"
#include "process/process.hpp"

namespace ep {

BlockCursor::BlockCursor(const TypeMap& map, std::int64_t origin)
    : map_(&map), origin_(origin), base_(origin) {
  const auto& runs = map.blocks.runs();
  is_dense_ = runs.size() == 1 && runs[0].repeat == 1 && runs[0].length == map.extent;
}

std::int64_t BlockCursor::offset() const {
  return base_ + run().offset + place_.repeat * run().stride + place_.within;
}

std::int64_t BlockCursor::left() const {
  return is_dense_ ? std::numeric_limits<std::int64_t>::max() : run().length - place_.within;
}

void BlockCursor::advance(std::int64_t bytes) {
  if (is_dense_) {
    base_ += bytes;
    return;
  }
  place_.within += bytes;
  if (place_.within < run().length) return;
  place_.within = 0;
  if (++place_.repeat < run().repeat) return;
  place_.repeat = 0;
  if (++place_.run < map_->blocks.runs().size()) return;
  place_.run = 0;
  base_ += map_->extent;
}

void BlockCursor::go_to(std::int64_t repetition, const Place& place) {
  base_ = origin_ + repetition * map_->extent;
  place_ = place;
}

bool Representations::knows(const std::string& name) const {
  if (name == "native" || name == "internal" || name == "external32") return true;
  const std::lock_guard lock(mutex_);
  return added_.contains(name);
}

void Representations::add(const std::string& name) {
  if (knows(name)) fail(EP_ERR_DUP_DATAREP, "data representation '", name, "' is known already.");
  const std::lock_guard lock(mutex_);
  added_.insert(name);
}

bool keeps_size_in_external32(MPI_Datatype type) {
  const std::shared_ptr<const TypeMap> map = map_of(type);
  if (has_external32(*map)) return external32_size(*map) == map->size;
  MPI_Aint bytes = 0;
  check_mpi(MPI_Pack_external_size("external32", 1, type, &bytes), "MPI_Pack_external_size");
  return bytes == map->size;
}

FileView::FileView() : map_(map_of(MPI_BYTE)) { index(); }

FileView::FileView(std::int64_t displacement, MPI_Datatype etype, MPI_Datatype filetype,
                   std::string representation)
    : displacement_(displacement),
      etype_(etype),
      filetype_(filetype),
      etype_size_(map_of(etype)->size),
      representation_(std::move(representation)),
      map_(map_of(filetype)) {
  check();
  index();
  etype_ = keep_type(etype);
  try {
    filetype_ = keep_type(filetype);
  } catch (...) {
    drop_type(etype_);
    throw;
  }
}

FileView::~FileView() {
  // Types that MPI has forgotten need no freeing.
  if (mpi_is_finalized()) return;
  drop_type(etype_);
  drop_type(filetype_);
}

void FileView::check() const {
  if (displacement_ < 0) fail(EP_ERR_ARG, "displacement ", displacement_, " of a view (negative).");
  if (!representations().knows(representation_)) {
    fail(EP_ERR_UNSUPPORTED_DATAREP, "data representation '", representation_,
         "' of a view (known: native, internal, external32 and those registered).");
  }
  if (etype_size_ == 0) fail(EP_ERR_TYPE, "the etype of a view has no bytes.");
  if (map_->size % etype_size_ != 0) {
    fail(EP_ERR_TYPE, "the filetype of a view has ", map_->size, " bytes (etypes of ", etype_size_,
         " bytes do not fill it). Made of the etype?");
  }
  if (is_external() && !(keeps_size_in_external32(etype_) && keeps_size_in_external32(filetype_))) {
    fail(EP_ERR_UNSUPPORTED_DATAREP,
         "external32 stores a datatype of the view in another number of bytes than memory has (not "
         "supported). Types of fixed size?");
  }
  std::int64_t end = 0;
  for (const BlockRun& run : map_->blocks.runs()) {
    if (run.offset < end || (run.repeat > 1 && run.stride < run.length)) {
      fail(EP_ERR_TYPE,
           "the filetype of a view goes backwards or overlaps itself (displacements may not "
           "decrease). Order its blocks?");
    }
    end = run.offset + (run.repeat - 1) * run.stride + run.length;
  }
  if (map_->size > 0 && map_->blocks.runs().front().offset + map_->extent < end) {
    fail(EP_ERR_TYPE, "repetitions of the filetype of a view overlap (its extent is ", map_->extent,
         "). Resize it?");
  }
}

void FileView::index() {
  std::int64_t sum = 0;
  for (const BlockRun& run : map_->blocks.runs()) {
    before_.push_back(sum);
    sum += run.length * run.repeat;
  }
}

namespace {

[[noreturn]] void fail_too_far(std::int64_t count, const char* units) {
  fail(EP_ERR_ARG, "an access at ", count, " ", units, " of a view (no file is so long).");
}

}  // namespace

std::int64_t FileView::bytes_of(std::int64_t etypes) const {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(etypes, etype_size_, &bytes)) fail_too_far(etypes, "etypes");
  return bytes;
}

BlockCursor FileView::at(std::int64_t position) const {
  if (is_empty()) {
    fail(EP_ERR_TYPE, "the view of the file is empty (its filetype has no bytes).");
  }
  // The end of the repetition it is in, and one more.
  std::int64_t end = 0;
  const std::int64_t repetitions = position / map_->size;
  const BlockRun& last = map_->blocks.runs().back();
  const std::int64_t longest =
      std::max(map_->extent, last.offset + (last.repeat - 1) * last.stride + last.length);
  if (repetitions > std::numeric_limits<std::int64_t>::max() - 2 ||
      __builtin_mul_overflow(repetitions + 2, longest, &end) ||
      __builtin_add_overflow(end, displacement_, &end)) {
    fail_too_far(position, "bytes");
  }
  BlockCursor cursor(*map_, displacement_);
  const std::int64_t repetition = position / map_->size;
  const std::int64_t rest = position % map_->size;
  const auto found = std::upper_bound(before_.begin(), before_.end(), rest) - 1;
  const auto number = static_cast<std::size_t>(found - before_.begin());
  const std::int64_t length = map_->blocks.runs()[number].length;
  BlockCursor::Place place{number, (rest - *found) / length, (rest - *found) % length};
  if (map_->is_dense(2)) {
    // Repetitions lie in a row: the cursor knows only one place there.
    cursor.go_to(0, {});
    cursor.advance(position);
  } else {
    cursor.go_to(repetition, place);
  }
  return cursor;
}

std::int64_t FileView::data_before(std::int64_t offset) const {
  if (is_empty()) return 0;
  const auto& runs = map_->blocks.runs();
  const std::int64_t ahead = offset - displacement_ - runs.front().offset;
  if (ahead <= 0) return 0;
  const std::int64_t repetition = map_->extent > 0 ? ahead / map_->extent : 0;
  const std::int64_t rest = offset - displacement_ - repetition * map_->extent;
  std::int64_t bytes = repetition * map_->size;
  for (const BlockRun& run : runs) {
    if (run.offset >= rest) break;
    const std::int64_t into = rest - run.offset;
    if (run.repeat == 1) {
      bytes += std::min(into, run.length);
      continue;
    }
    const std::int64_t whole = std::min(into / run.stride, run.repeat);
    bytes += whole * run.length;
    if (whole < run.repeat) bytes += std::min(into - whole * run.stride, run.length);
  }
  return bytes;
}

namespace {

const TypeMap& byte_map() {
  static const std::shared_ptr<const TypeMap> map = map_of(MPI_BYTE);
  return *map;
}

}  // namespace

SegmentWalk::SegmentWalk(const FileView& view, std::int64_t position, const MappedView& memory)
    : file_(memory.bytes() > 0 ? view.at(position) : BlockCursor(byte_map(), 0)),
      memory_(memory.bytes() > 0 ? BlockCursor(*memory.map, 0) : BlockCursor(byte_map(), 0)),
      base_(memory.data),
      left_(memory.bytes()) {}

bool SegmentWalk::next(FileSegment& segment) {
  if (left_ == 0) return false;
  segment = {file_.offset(), 0, base_ + memory_.offset()};
  do {
    const std::int64_t step = std::min({file_.left(), memory_.left(), left_});
    segment.length += step;
    left_ -= step;
    file_.advance(step);
    memory_.advance(step);
  } while (left_ > 0 && file_.offset() == segment.offset + segment.length &&
           base_ + memory_.offset() == segment.memory + segment.length);
  return true;
}

}  // namespace ep
