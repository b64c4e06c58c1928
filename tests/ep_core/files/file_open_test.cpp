// Opening and closing files, their sizes and modes, error handlers: all but reading and writing.

#include <gtest/gtest.h>

#include <array>
#include <ep/ep.hpp>
#include <string>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_open_test {
namespace {

constexpr int endpoints = 4;

int open(const Comm& comm, const std::string& name, int amode) {
  EP_File file = EP_FILE_NULL;
  const int code = EP_File_open(comm.get(), name.c_str(), amode, MPI_INFO_NULL, &file);
  if (file != EP_FILE_NULL) check(EP_File_close(&file));
  return code;
}

TEST(FileOpen, gives_every_endpoint_a_file_of_its_own) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    int amode = 0;
    check(EP_File_get_amode(file, &amode));
    EXPECT_EQ(amode, EP_MODE_RDWR | EP_MODE_CREATE);
    EP_Group group = EP_GROUP_NULL;
    EP_Group all = EP_GROUP_NULL;
    int result = -1;
    check(EP_File_get_group(file, &group));
    check(EP_Comm_group(comm.get(), &all));
    check(EP_Group_compare(group, all, &result));
    EXPECT_EQ(result, EP_IDENT);
    check(EP_Group_free(&group));
    check(EP_Group_free(&all));
    EXPECT_EQ(EP_File_f2c(EP_File_c2f(file)), file);
    EXPECT_EQ(EP_File_c2f(EP_FILE_NULL), 0);
    std::vector<MPI_Fint> handles(static_cast<std::size_t>(comm.size()));
    const MPI_Fint mine = EP_File_c2f(file);
    check(EP_Allgather(&mine, 1, MPI_INT, handles.data(), 1, MPI_INT, comm.get()));
    int at_me = 0;
    for (int r = 0; r < comm.size(); ++r) {
      int locality = 0;
      check(EP_Comm_locality(comm.get(), r, &locality));
      const bool same = handles[static_cast<std::size_t>(r)] == mine;
      if (same && locality == EP_LOCALITY_PROCESS) ++at_me;
    }
    EXPECT_EQ(at_me, 1);
    check(EP_File_close(&file));
    EXPECT_EQ(file, EP_FILE_NULL);
    EXPECT_TRUE(shared.exists());
  });
}

TEST(FileOpen, wrong_modes_are_errors_at_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_CREATE), EP_ERR_AMODE);
    EXPECT_TRUE(last_error_says({"without exactly one of EP_MODE_RDONLY"}));
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDONLY | EP_MODE_WRONLY), EP_ERR_AMODE);
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDONLY | EP_MODE_CREATE), EP_ERR_AMODE);
    EXPECT_TRUE(last_error_says({"EP_MODE_CREATE", "EP_MODE_RDONLY"}));
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDWR | EP_MODE_SEQUENTIAL), EP_ERR_AMODE);
    EXPECT_TRUE(last_error_says({"EP_MODE_SEQUENTIAL with EP_MODE_RDWR"}));
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDWR | (1 << 20)), EP_ERR_AMODE);
    EXPECT_TRUE(last_error_says({"unknown bits"}));
    const int last = comm.size() - 1;
    const int differs = comm.rank() == last ? EP_MODE_RDWR : EP_MODE_WRONLY;
    EXPECT_EQ(open(comm, shared.name(), differs | EP_MODE_CREATE), EP_ERR_NOT_SAME);
    EXPECT_TRUE(last_error_says({"the mode of EP_File_open", "at rank 3"}));
    // One is wrong: all fail.
    const int wrong = comm.rank() == 1 ? 0 : EP_MODE_RDWR | EP_MODE_CREATE;
    EXPECT_EQ(open(comm, shared.name(), wrong), EP_ERR_AMODE);
    EXPECT_FALSE(shared.exists());
  });
}

TEST(FileOpen, what_the_system_refuses_is_an_error_at_all) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDONLY), EP_ERR_NO_SUCH_FILE);
    EXPECT_TRUE(last_error_says({"cannot open", shared.name().c_str(), "rank 0",
                                 "No such file or directory", "EP_MODE_CREATE"}));
    EXPECT_EQ(open(comm, shared.folder() + "/no/data", EP_MODE_RDWR | EP_MODE_CREATE),
              EP_ERR_NO_SUCH_FILE);
    EXPECT_EQ(open(comm, shared.folder(), EP_MODE_RDONLY), EP_ERR_BAD_FILE);
    EXPECT_TRUE(last_error_says({"Is a directory"}));
    EXPECT_EQ(open(comm, "", EP_MODE_RDONLY), EP_ERR_BAD_FILE);
    EXPECT_TRUE(last_error_says({"without a name"}));
    constexpr int exclusive = EP_MODE_RDWR | EP_MODE_CREATE | EP_MODE_EXCL;
    EXPECT_EQ(open(comm, shared.name(), exclusive), EP_SUCCESS);
    EXPECT_EQ(open(comm, shared.name(), exclusive), EP_ERR_FILE_EXISTS);
    EXPECT_TRUE(last_error_says({"File exists", "EP_MODE_EXCL"}));
    // Names of two files: nobody has one open.
    const bool other = comm.rank() == comm.size() - 1;
    if (other) std::ofstream(shared.folder() + "/other") << "x";
    const std::string name = other ? shared.folder() + "/other" : shared.name();
    EXPECT_EQ(open(comm, name, EP_MODE_RDWR), EP_ERR_NOT_SAME);
    EXPECT_TRUE(last_error_says({"the number of the file that the name leads to"}));
    // A file that was made for a call that fails is removed.
    const std::string missing = other ? shared.folder() + "/no/data" : shared.folder() + "/new";
    EXPECT_EQ(open(comm, missing, EP_MODE_RDWR | EP_MODE_CREATE), EP_ERR_NO_SUCH_FILE);
    shared.barrier();
    EXPECT_FALSE(std::filesystem::exists(shared.folder() + "/new"));
  });
}

TEST(FileOpen, delete_on_close_and_delete) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file =
        shared.open(EP_MODE_RDWR | EP_MODE_CREATE | EP_MODE_DELETE_ON_CLOSE | EP_MODE_UNIQUE_OPEN);
    shared.barrier();
    EXPECT_TRUE(shared.exists());
    check(EP_File_close(&file));
    EXPECT_FALSE(shared.exists());
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_WRONLY | EP_MODE_CREATE), EP_SUCCESS);
    shared.barrier();
    if (comm.rank() == 0) {
      EXPECT_EQ(EP_File_delete(shared.name().c_str(), MPI_INFO_NULL), EP_SUCCESS);
      EXPECT_EQ(EP_File_delete(shared.name().c_str(), MPI_INFO_NULL), EP_ERR_NO_SUCH_FILE);
      EXPECT_TRUE(last_error_says({"cannot remove", shared.name().c_str()}));
      EXPECT_EQ(EP_File_delete(nullptr, MPI_INFO_NULL), EP_ERR_BAD_FILE);
    }
  });
}

TEST(FileOpen, sizes) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    MPI_Offset size = -1;
    const MPI_Offset large = MPI_Offset{5} << 30;  // a hole
    check(EP_File_set_size(file, large));
    check(EP_File_get_size(file, &size));
    EXPECT_EQ(size, large);
    check(EP_File_set_size(file, 10));
    check(EP_File_preallocate(file, 5));
    check(EP_File_get_size(file, &size));
    EXPECT_EQ(size, 10);
    shared.barrier();
    check(EP_File_preallocate(file, 20000));
    check(EP_File_get_size(file, &size));
    EXPECT_EQ(size, 20000);
    EXPECT_EQ(EP_File_set_size(file, comm.rank()), EP_ERR_NOT_SAME);
    EXPECT_TRUE(last_error_says({"the size is 0 at rank 0 and 1 at rank 1"}));
    EXPECT_EQ(EP_File_set_size(file, -1), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"size -1", "negative"}));
    EXPECT_EQ(EP_File_get_size(file, nullptr), EP_ERR_ARG);
    check(EP_File_sync(file));
    check(EP_File_close(&file));
    file = shared.open(EP_MODE_RDONLY);
    EXPECT_EQ(EP_File_set_size(file, 1), EP_ERR_READ_ONLY);
    EXPECT_TRUE(last_error_says({"EP_MODE_RDONLY", shared.name().c_str(), "rank 0"}));
    check(EP_File_close(&file));
  });
}

TEST(FileOpen, hints_are_kept) {
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    MPI_Info info = MPI_INFO_NULL;
    ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    ASSERT_EQ(MPI_Info_set(info, "cb_nodes", "4"), MPI_SUCCESS);
    EP_File file = EP_FILE_NULL;
    check(EP_File_open(comm.get(), shared.name().c_str(), EP_MODE_RDWR | EP_MODE_CREATE, info,
                       &file));
    MPI_Info used = MPI_INFO_NULL;
    std::array<char, 16> value{};
    int found = 0;
    check(EP_File_get_info(file, &used));
    MPI_Info_get(used, "cb_nodes", 15, value.data(), &found);
    EXPECT_EQ(found, 1);
    EXPECT_STREQ(value.data(), "4");
    MPI_Info_free(&used);
    MPI_Info_set(info, "cb_nodes", "5");
    MPI_Info_set(info, "cb_buffer_size", comm.rank() == 1 ? "much" : "100000");
    EXPECT_EQ(EP_File_set_info(file, info), EP_ERR_INFO_VALUE);
    EXPECT_TRUE(last_error_says({"info key cb_buffer_size has the value 'much'"}));
    EXPECT_EQ(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", info), EP_ERR_INFO_VALUE);
    EP_File none = EP_FILE_NULL;
    EXPECT_EQ(EP_File_open(comm.get(), shared.name().c_str(), EP_MODE_RDWR, info, &none),
              EP_ERR_INFO_VALUE);
    MPI_Info_set(info, "cb_buffer_size", "100000");
    check(EP_File_set_info(file, info));
    check(EP_File_get_info(file, &used));
    MPI_Info_get(used, "cb_nodes", 15, value.data(), &found);
    EXPECT_STREQ(value.data(), "5");
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    check(EP_File_close(&file));
  });
}

TEST(FileOpen, handles_that_are_none) {
  EP_File none = EP_FILE_NULL;
  EXPECT_EQ(EP_File_sync(none), EP_ERR_FILE);
  EXPECT_TRUE(last_error_says({"EP_FILE_NULL"}));
  EXPECT_EQ(EP_File_close(&none), EP_ERR_FILE);
  EXPECT_EQ(EP_File_close(nullptr), EP_ERR_FILE);
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    const EP_File closed = file;
    check(EP_File_close(&file));
    EXPECT_EQ(EP_File_sync(closed), EP_ERR_FILE);
    EXPECT_TRUE(last_error_says({"closed, or not made by this library"}));
    EXPECT_EQ(EP_File_open(EP_COMM_NULL, "x", EP_MODE_RDONLY, MPI_INFO_NULL, &file), EP_ERR_COMM);
    EXPECT_EQ(EP_File_open(comm.get(), "x", EP_MODE_RDONLY, MPI_INFO_NULL, nullptr), EP_ERR_ARG);
  });
}

struct Handled {
  EP_File file = EP_FILE_NULL;
  int code = EP_SUCCESS;
  int calls = 0;
};

Handled& handled() {
  thread_local Handled last;
  return last;
}

void note(EP_File* file, int* code, ...) { handled() = {*file, *code, handled().calls + 1}; }
void note_of_comm(EP_Comm* comm, int* code, ...) {
  static_cast<void>(comm);
  static_cast<void>(code);
}

TEST(FileErrors, each_endpoint_has_a_handler_of_its_own) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    handled() = {};
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_File_get_errhandler(file, &handler));
    EXPECT_EQ(handler, EP_ERRORS_RETURN);
    check(EP_File_create_errhandler(note, &handler));
    if (comm.rank() % 2 == 0) check(EP_File_set_errhandler(file, handler));
    check(EP_Errhandler_free(&handler));
    EXPECT_EQ(EP_File_seek(file, -1, EP_SEEK_SET), EP_ERR_ARG);
    EXPECT_EQ(handled().calls, comm.rank() % 2 == 0 ? 1 : 0);
    if (comm.rank() % 2 == 0) {
      EXPECT_EQ(handled().file, file);
      EXPECT_EQ(handled().code, EP_ERR_ARG);
    }
    // Also that of a request.
    char byte = 0;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_File_iread_at_all(file, comm.rank() == 1 ? -1 : 0, &byte, 1, MPI_CHAR, &request));
    EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), EP_ERR_ARG);
    EXPECT_EQ(handled().calls, comm.rank() % 2 == 0 ? 2 : 0);
    EXPECT_EQ(EP_File_call_errhandler(file, EP_ERR_IO), EP_SUCCESS);
    EXPECT_EQ(handled().calls, comm.rank() % 2 == 0 ? 3 : 0);
    check(EP_Comm_create_errhandler(note_of_comm, &handler));
    EXPECT_EQ(EP_File_set_errhandler(file, handler), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"was made for communicators, not for files"}));
    check(EP_Errhandler_free(&handler));
    check(EP_File_create_errhandler(note, &handler));
    EXPECT_EQ(EP_Comm_set_errhandler(comm.get(), handler), EP_ERR_ARG);
    EXPECT_TRUE(last_error_says({"was made for files, not for communicators"}));
    check(EP_Errhandler_free(&handler));
    check(EP_File_close(&file));
  });
}

void change_code(EP_File* /*file*/, int* code, ...) { *code = EP_ERR_INTERN; }

TEST(FileErrors, a_code_that_the_handler_changes_is_what_the_call_returns) {
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_File_create_errhandler(change_code, &handler));
    check(EP_File_set_errhandler(file, handler));
    check(EP_Errhandler_free(&handler));
    char byte = 0;
    EP_Status status{};
    status.EP_ERROR = 4711;
    EXPECT_EQ(EP_File_seek(file, -1, EP_SEEK_SET), EP_ERR_INTERN);
    EXPECT_EQ(EP_File_read_at(file, -1, &byte, 1, MPI_CHAR, &status), EP_ERR_INTERN);
    check(EP_File_write_at_all(file, comm.rank(), &byte, 1, MPI_CHAR, &status));
    EXPECT_EQ(status.EP_ERROR, 4711) << "not of several requests (MPI-3.1, 3.2.5)";
    check(EP_File_set_errhandler(file, EP_ERRORS_RETURN));
    check(EP_File_close(&file));
  });
}

TEST(FileErrors, the_null_file_has_the_default_handler) {
  run_endpoints(1, [](const Comm& comm) {
    const SharedFile shared(comm);
    handled() = {};
    EP_Errhandler handler = EP_ERRHANDLER_NULL;
    check(EP_File_create_errhandler(note, &handler));
    check(EP_File_set_errhandler(EP_FILE_NULL, handler));
    EXPECT_EQ(open(comm, shared.name(), EP_MODE_RDONLY), EP_ERR_NO_SUCH_FILE);
    EXPECT_EQ(handled().file, EP_FILE_NULL);
    EXPECT_EQ(handled().code, EP_ERR_NO_SUCH_FILE);
    EP_File file = shared.open();
    EXPECT_EQ(EP_File_seek(file, 0, 17), EP_ERR_ARG);
    EXPECT_EQ(handled().file, file);
    EXPECT_EQ(handled().calls, 2);
    check(EP_File_set_errhandler(EP_FILE_NULL, EP_ERRORS_RETURN));
    check(EP_Errhandler_free(&handler));
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_open_test
