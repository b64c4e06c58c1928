#include "files/file_ways.hpp"

#include <ep/ep.hpp>

// Compiled twice: file_ways_large.cpp includes it.
#ifdef LARGE_WAYS
#define FILE_CALL(name) EP_File_##name##_c
#define WAYS large_ways
#else
#define FILE_CALL(name) EP_File_##name
#define WAYS ways
#endif

namespace ep::test {

std::vector<FileWay> WAYS() {
  using F = EP_File;
  using O = MPI_Offset;
  using S = EP_Status*;
  const auto wait = [](S s, const auto& start) {
    EP_Request request = EP_REQUEST_NULL;
    check(start(&request));
    check(EP_Wait(&request, s));
  };
  return {
      {"at",
       [](F f, O o, int* b, int n, S s) { check(FILE_CALL(write_at)(f, o, b, n, MPI_INT, s)); },
       [](F f, O o, int* b, int n, S s) { check(FILE_CALL(read_at)(f, o, b, n, MPI_INT, s)); }},
      {"at_all",
       [](F f, O o, int* b, int n, S s) { check(FILE_CALL(write_at_all)(f, o, b, n, MPI_INT, s)); },
       [](F f, O o, int* b, int n, S s) { check(FILE_CALL(read_at_all)(f, o, b, n, MPI_INT, s)); }},
      {"individual",
       [](F f, O, int* b, int n, S s) { check(FILE_CALL(write)(f, b, n, MPI_INT, s)); },
       [](F f, O, int* b, int n, S s) { check(FILE_CALL(read)(f, b, n, MPI_INT, s)); }},
      {"all", [](F f, O, int* b, int n, S s) { check(FILE_CALL(write_all)(f, b, n, MPI_INT, s)); },
       [](F f, O, int* b, int n, S s) { check(FILE_CALL(read_all)(f, b, n, MPI_INT, s)); }},
      {"iat",
       [=](F f, O o, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iwrite_at)(f, o, b, n, MPI_INT, r); });
       },
       [=](F f, O o, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iread_at)(f, o, b, n, MPI_INT, r); });
       }},
      {"iat_all",
       [=](F f, O o, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iwrite_at_all)(f, o, b, n, MPI_INT, r); });
       },
       [=](F f, O o, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iread_at_all)(f, o, b, n, MPI_INT, r); });
       }},
      {"i",
       [=](F f, O, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iwrite)(f, b, n, MPI_INT, r); });
       },
       [=](F f, O, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iread)(f, b, n, MPI_INT, r); });
       }},
      {"iall",
       [=](F f, O, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iwrite_all)(f, b, n, MPI_INT, r); });
       },
       [=](F f, O, int* b, int n, S s) {
         wait(s, [&](EP_Request* r) { return FILE_CALL(iread_all)(f, b, n, MPI_INT, r); });
       }},
      {"split_at",
       [](F f, O o, int* b, int n, S s) {
         check(FILE_CALL(write_at_all_begin)(f, o, b, n, MPI_INT));
         check(EP_File_write_at_all_end(f, b, s));
       },
       [](F f, O o, int* b, int n, S s) {
         check(FILE_CALL(read_at_all_begin)(f, o, b, n, MPI_INT));
         check(EP_File_read_at_all_end(f, b, s));
       }},
      {"split",
       [](F f, O, int* b, int n, S s) {
         check(FILE_CALL(write_all_begin)(f, b, n, MPI_INT));
         check(EP_File_write_all_end(f, b, s));
       },
       [](F f, O, int* b, int n, S s) {
         check(FILE_CALL(read_all_begin)(f, b, n, MPI_INT));
         check(EP_File_read_all_end(f, b, s));
       }},
  };
}

}  // namespace ep::test

#undef FILE_CALL
#undef WAYS
