#include "process/raw_large.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "process/error.hpp"

namespace ep {

namespace {

/// A datatype that is freed when it leaves the scope; MPI keeps it as long as operations need it.
class OwnType {
 public:
  explicit OwnType(MPI_Datatype type) : type_(type) {}
  OwnType(const OwnType&) = delete;
  OwnType(OwnType&&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  OwnType& operator=(OwnType&&) = delete;
  ~OwnType() {
    if (MPI_Type_free(&type_) != MPI_SUCCESS) set_last_error("MPI_Type_free failed.");
  }
  MPI_Datatype get() const noexcept { return type_; }

 private:
  MPI_Datatype type_;
};

MPI_Datatype contiguous(std::int64_t count, MPI_Datatype of) {
  MPI_Datatype out = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(count), of, &out), "MPI_Type_contiguous");
  return out;
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  return extent;
}

}  // namespace

MPI_Datatype bytes_type(std::int64_t bytes, int block) {
  const std::int64_t blocks = bytes / block;
  const std::int64_t rest = bytes % block;
  if (blocks > INT_MAX) {
    fail(EP_ERR_COUNT, bytes, " bytes in one message (more than ", INT_MAX, " blocks of ", block,
         "). Send parts?");
  }
  const OwnType one_block(contiguous(block, MPI_BYTE));
  const OwnType all_blocks(contiguous(blocks, one_block.get()));
  const std::array<int, 2> lengths{1, static_cast<int>(rest)};
  const std::array<MPI_Aint, 2> begins{0, static_cast<MPI_Aint>(bytes - rest)};
  const std::array<MPI_Datatype, 2> types{all_blocks.get(), MPI_BYTE};
  MPI_Datatype out = MPI_DATATYPE_NULL;
  check_mpi(
      MPI_Type_create_struct(rest > 0 ? 2 : 1, lengths.data(), begins.data(), types.data(), &out),
      "MPI_Type_create_struct");
  if (const int code = MPI_Type_commit(&out); code != MPI_SUCCESS) {
    MPI_Type_free(&out);
    check_mpi(code, "MPI_Type_commit");
  }
  return out;
}

namespace counted_in_int {

void raw_send(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
              MPI_Request* request, int block) {
  const OwnType type(bytes_type(bytes, block));
  check_mpi(MPI_Isend(data, 1, type.get(), dest, tag, comm, request), "MPI_Isend");
}

void raw_receive(void* data, std::int64_t bytes, MPI_Message* message, MPI_Request* request,
                 int block) {
  const OwnType type(bytes_type(bytes, block));
  check_mpi(MPI_Imrecv(data, 1, type.get(), message, request), "MPI_Imrecv");
}

void pack_external(const char* representation, const void* from, MPI_Count count, MPI_Datatype type,
                   void* to, MPI_Count size, MPI_Count* position, int most) {
  const MPI_Aint extent = extent_of(type);
  auto at = static_cast<MPI_Aint>(*position);
  for (MPI_Count done = 0; done < count; done += most) {
    const auto now = static_cast<int>(std::min<MPI_Count>(most, count - done));
    check_mpi(MPI_Pack_external(representation, static_cast<const std::byte*>(from) + done * extent,
                                now, type, to, static_cast<MPI_Aint>(size), &at),
              "MPI_Pack_external");
  }
  *position = at;
}

void unpack_external(const char* representation, const void* from, MPI_Count size,
                     MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type, int most) {
  const MPI_Aint extent = extent_of(type);
  auto at = static_cast<MPI_Aint>(*position);
  for (MPI_Count done = 0; done < count; done += most) {
    const auto now = static_cast<int>(std::min<MPI_Count>(most, count - done));
    check_mpi(MPI_Unpack_external(representation, from, static_cast<MPI_Aint>(size), &at,
                                  static_cast<std::byte*>(to) + done * extent, now, type),
              "MPI_Unpack_external");
  }
  *position = at;
}

// external32 has no gaps between elements, so sizes of parts add up.
MPI_Count external_size(const char* representation, MPI_Count count, MPI_Datatype type, int most) {
  MPI_Count out = 0;
  for (MPI_Count done = 0; done < count; done += most) {
    const auto now = static_cast<int>(std::min<MPI_Count>(most, count - done));
    MPI_Aint part = 0;
    check_mpi(MPI_Pack_external_size(representation, now, type, &part), "MPI_Pack_external_size");
    out += part;
  }
  return out;
}

}  // namespace counted_in_int

#ifdef EP_WITHOUT_LARGE_COUNTS

void raw_send_large(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  counted_in_int::raw_send(data, bytes, dest, tag, comm, request, INT_MAX);
}

void raw_receive_large(void* data, std::int64_t bytes, MPI_Message* message, MPI_Request* request) {
  counted_in_int::raw_receive(data, bytes, message, request, INT_MAX);
}

void pack_external(const char* representation, const void* from, MPI_Count count, MPI_Datatype type,
                   void* to, MPI_Count size, MPI_Count* position) {
  counted_in_int::pack_external(representation, from, count, type, to, size, position, INT_MAX);
}

void unpack_external(const char* representation, const void* from, MPI_Count size,
                     MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type) {
  counted_in_int::unpack_external(representation, from, size, position, to, count, type, INT_MAX);
}

MPI_Count external_size(const char* representation, MPI_Count count, MPI_Datatype type) {
  return counted_in_int::external_size(representation, count, type, INT_MAX);
}

#else

void raw_send_large(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  check_mpi(MPI_Isend_c(data, bytes, MPI_BYTE, dest, tag, comm, request), "MPI_Isend_c");
}

void raw_receive_large(void* data, std::int64_t bytes, MPI_Message* message, MPI_Request* request) {
  check_mpi(MPI_Imrecv_c(data, bytes, MPI_BYTE, message, request), "MPI_Imrecv_c");
}

void pack_external(const char* representation, const void* from, MPI_Count count, MPI_Datatype type,
                   void* to, MPI_Count size, MPI_Count* position) {
  check_mpi(MPI_Pack_external_c(representation, from, count, type, to, size, position),
            "MPI_Pack_external_c");
}

void unpack_external(const char* representation, const void* from, MPI_Count size,
                     MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type) {
  check_mpi(MPI_Unpack_external_c(representation, from, size, position, to, count, type),
            "MPI_Unpack_external_c");
}

MPI_Count external_size(const char* representation, MPI_Count count, MPI_Datatype type) {
  MPI_Count out = 0;
  check_mpi(MPI_Pack_external_size_c(representation, count, type, &out),
            "MPI_Pack_external_size_c");
  return out;
}

#endif

}  // namespace ep
