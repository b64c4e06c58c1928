// Wrong calls of files: each is an error of a class and with a text, and what follows works.

#include <gtest/gtest.h>

#include <array>
#include <ep/ep.hpp>
#include <limits>
#include <string>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_misuse_test {
namespace {

constexpr int endpoints = 4;

TEST(FileMisuse, wrong_views_are_errors_at_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    const auto set = [&](MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                         const char* name) {
      return EP_File_set_view(file, disp, etype, filetype, name, MPI_INFO_NULL);
    };
    EXPECT_EQ(set(comm.rank() == 2 ? -1 : 0, MPI_INT, MPI_INT, "native"), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"displacement -1", "negative"}));
    EXPECT_EQ(set(0, MPI_INT, MPI_SHORT, "native"), EP_ERR_TYPE);
    EXPECT_TRUE(last_error_says({"2 bytes", "etypes of 4 bytes"}));
    EXPECT_EQ(set(0, MPI_INT, MPI_INT, "strange"), EP_ERR_UNSUPPORTED_DATAREP);
    EXPECT_TRUE(last_error_says({"'strange'", "external32"}));
    EXPECT_EQ(set(0, MPI_LONG, MPI_LONG, "external32"), EP_ERR_UNSUPPORTED_DATAREP);
    EXPECT_TRUE(last_error_says({"another number of bytes"}));
    const MPI_Datatype differs = comm.rank() == 1 ? MPI_DOUBLE : MPI_INT;
    EXPECT_EQ(set(0, differs, differs, "native"), EP_ERR_NOT_SAME);
    EXPECT_TRUE(last_error_says({"the size of the etype", "rank 1"}));
    const char* const name = comm.rank() == 3 ? "internal" : "native";
    EXPECT_EQ(set(0, MPI_INT, MPI_INT, name), EP_ERR_NOT_SAME);
    EXPECT_EQ(set(EP_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native"), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"EP_MODE_SEQUENTIAL"}));
    MPI_Datatype backwards = MPI_DATATYPE_NULL;
    const std::array<int, 2> lengths{1, 1};
    const std::array<int, 2> places{3, 0};
    MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, &backwards);
    MPI_Type_commit(&backwards);
    EXPECT_EQ(set(0, MPI_INT, backwards, "native"), EP_ERR_TYPE);
    EXPECT_TRUE(last_error_says({"goes backwards"}));
    MPI_Type_free(&backwards);
    MPI_Datatype small = MPI_DATATYPE_NULL;
    MPI_Datatype two = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, 4, &small);
    MPI_Type_commit(&small);
    EXPECT_EQ(set(0, MPI_INT, small, "native"), EP_ERR_TYPE);
    EXPECT_TRUE(last_error_says({"overlap", "extent is 4"}));
    MPI_Type_free(&small);
    MPI_Type_free(&two);
    // The old view holds.
    int number = comm.rank();
    check(EP_File_write_at_all(file, 4 * comm.rank(), &number, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(ints_of(shared), numbers(0, comm.size()));
    check(EP_File_close(&file));
  });
}

TEST(FileMisuse, wrong_arguments) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    int n = 7;
    EXPECT_EQ(EP_File_write_at(file, -2, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"EP_File_write_at", shared.name().c_str(), "offset -2"}));
    constexpr MPI_Offset far = std::numeric_limits<MPI_Offset>::max();
    EXPECT_EQ(EP_File_write_at(file, far - 3, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"no file is so long"}));
    EXPECT_EQ(EP_File_seek(file, far, EP_SEEK_SET), EP_SUCCESS);
    EXPECT_EQ(EP_File_seek(file, 1, EP_SEEK_CUR), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"EP_File_seek", "no file is so long"}));
    EXPECT_EQ(EP_File_seek(file, 0, EP_SEEK_SET), EP_SUCCESS);
    EXPECT_EQ(EP_File_write(file, &n, -1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_COUNT);
    EXPECT_EQ(EP_File_write(file, nullptr, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_BUFFER);
    EXPECT_EQ(EP_File_write(file, &n, 1, MPI_DATATYPE_NULL, EP_STATUS_IGNORE), EP_ERR_TYPE);
    EXPECT_EQ(EP_File_iwrite(file, &n, 1, MPI_INT, nullptr), EP_ERR_ARG);
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    EXPECT_EQ(EP_File_write(file, &n, 3, MPI_CHAR, EP_STATUS_IGNORE), EP_ERR_TYPE);
    EXPECT_TRUE(last_error_says({"3 bytes are not whole etypes", "4 bytes each"}));
    MPI_Offset byte = -1;
    EXPECT_EQ(EP_File_get_byte_offset(file, far / 2, &byte), EP_ERR_ARG);
    EXPECT_EQ(EP_File_write_at_all(file, comm.rank() == 2 ? far / 2 : 0, &n, 1, MPI_INT,
                                   EP_STATUS_IGNORE),
              EP_ERR_ARG);
    // Of one endpoint in a collective call: nobody writes, all know.
    EXPECT_EQ(EP_File_write_all(file, &n, comm.rank() == 2 ? -1 : 1, MPI_INT, EP_STATUS_IGNORE),
              EP_ERR_COUNT);
    EXPECT_TRUE(last_error_says({"count -1"}));
    EXPECT_EQ(EP_File_write_ordered(file, &n, comm.rank() == 1 ? -1 : 1, MPI_INT, EP_STATUS_IGNORE),
              EP_ERR_COUNT);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_File_iwrite_at_all(file, comm.rank() == 3 ? -1 : 0, &n, 1, MPI_INT, &request));
    EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_ARG);
    EXPECT_TRUE(shared.bytes().empty());
    check(EP_File_close(&file));
    file = shared.open(EP_MODE_RDONLY);
    EXPECT_EQ(EP_File_write(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_READ_ONLY);
    EXPECT_TRUE(last_error_says({"EP_MODE_RDONLY"}));
    EXPECT_EQ(EP_File_write_all(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_READ_ONLY);
    check(EP_File_close(&file));
    file = shared.open(EP_MODE_WRONLY);
    EXPECT_EQ(EP_File_read_all(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_ACCESS);
    EXPECT_TRUE(last_error_says({"EP_MODE_WRONLY"}));
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_misuse_test
