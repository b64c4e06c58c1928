#include "formats/cdf_endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "config/error.hpp"
#include "disk/value_kind.hpp"

namespace epios::io {

namespace {

constexpr const char* highest_byte_first = "external32";
// Turned round and written so much at a time: it is still in the cache when it is written.
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

MPI_Datatype type_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::float32:
      return MPI_FLOAT;
    case ValueKind::float64:
      return MPI_DOUBLE;
    case ValueKind::int32:
      return MPI_INT32_T;
    case ValueKind::int64:
      return MPI_INT64_T;
    case ValueKind::int16:
      return MPI_INT16_T;
    case ValueKind::text:
      return MPI_BYTE;
  }
  return MPI_BYTE;
}

/// The endpoints library tells errors of the system by class and text.
int errno_of(const ep::Error& error) {
  const std::string text = error.what();
  constexpr std::array known = {ENOSPC, EDQUOT, EFBIG,  EIO,    ENOENT, EACCES,     EPERM, EROFS,
                                EMFILE, ENFILE, ENOMEM, ESTALE, EISDIR, EOPNOTSUPP, EINVAL};
  const auto* const found = std::find_if(known.begin(), known.end(), [&](int number) {
    return text.find("(" + std::generic_category().message(number) + ")") != std::string::npos;
  });
  if (found != known.end()) return *found;
  if (error.code() == EP_ERR_IO) return EIO;
  throw Error(ErrorCode::internal, text);
}

}  // namespace

CdfEndpoint::~CdfEndpoint() {
  try {
    static_cast<void>(close());
  } catch (const std::exception&) {
    // Nothing is concluded from how a file closes that is being abandoned.
    return;
  }
}

template <class Work>
int CdfEndpoint::attempt(Work work) {
  try {
    work();
    return 0;
  } catch (const ep::Error& error) {
    return errno_of(error);
  }
}

int CdfEndpoint::open(const ep::Comm& comm, const std::string& path) {
  return attempt([&] { file_ = ep::File::open(comm, path, EP_MODE_WRONLY); });
}

void CdfEndpoint::set_shares(std::vector<Share> shares, std::uint64_t records_begin,
                             std::uint64_t record_bytes) {
  shares_ = std::move(shares);
  records_begin_ = records_begin;
  record_bytes_ = record_bytes;
  std::vector<ep::ArrayPart> parts;
  shown_bytes_ = 0;
  places_.clear();
  for (const Share& share : shares_) {
    places_.push_back(shown_bytes_);
    if (share.box.is_empty()) continue;
    const auto bytes = static_cast<int>(size_bytes(share.kind));
    shown_bytes_ += share.box.volume() * bytes;
    parts.push_back({static_cast<std::int64_t>(share.begin), bytes, share.shape, share.box.begin,
                     share.box.size});
  }
  if (!parts.empty()) {
    filetype_ = ep::type_of_parts(parts, static_cast<std::int64_t>(record_bytes));
  }
}

void CdfEndpoint::show_bytes() {
  if (view_ == View::bytes) return;
  file_.set_view(0, MPI_BYTE, highest_byte_first);
  view_ = View::bytes;
}

void CdfEndpoint::show_shares() {
  if (view_ == View::shares) return;
  file_.set_view(static_cast<MPI_Offset>(records_begin_), filetype_.get(), highest_byte_first);
  view_ = View::shares;
}

/// The individual pointer says where, and goes along.
void CdfEndpoint::write(ValueKind kind, std::span<const std::byte> data) const {
  const auto value = static_cast<std::size_t>(size_bytes(kind));
  const MPI_Datatype type = type_of(kind);
  while (!data.empty()) {
    const auto piece = data.first(std::min(data.size(), piece_bytes));
    file_.write(piece.data(), static_cast<int>(piece.size() / value), type);
    data = data.subspan(piece.size());
  }
}

int CdfEndpoint::write_share(std::size_t column, std::int64_t record,
                             std::span<const std::byte> data) {
  return attempt([&] {
    show_shares();
    file_.seek(record * shown_bytes_ + places_[column]);
    write(shares_[column].kind, data);
  });
}

int CdfEndpoint::write_at(ValueKind kind, std::span<const std::byte> data, std::uint64_t address) {
  return attempt([&] {
    show_bytes();
    file_.seek(static_cast<MPI_Offset>(address));
    write(kind, data);
  });
}

int CdfEndpoint::sync() {
  return attempt([&] { file_.sync(); });
}

int CdfEndpoint::close() {
  return attempt([&] { file_.close(); });
}

}  // namespace epios::io
