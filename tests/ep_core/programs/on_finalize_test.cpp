// EP_On_finalize: in which order callbacks run, and what still works in them, whether the program
// ends MPI itself ("mpi") or through this library ("ep").
#include <ep/finalize.h>

#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <string>

namespace {

/// A program's state that callbacks see.
struct Program {
  std::string order;
  EP_Comm comm = EP_COMM_NULL;
  int sum = 0;
};

Program& program() {
  static Program instance;
  return instance;
}

// Communicates while it can, and is told its letter.
void note(void* letter) {
  Program& p = program();
  p.order += *static_cast<const char*>(letter);
  const int one = 1;
  int sum = 0;
  ep::check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, p.comm));
  p.sum += sum;
}

// Of an attribute of EP_COMM_SELF: nothing has ended yet (MPI-3.1, 8.7.1).
int forget(EP_Comm comm, int keyval, void* letter, void* code) {
  static_cast<void>(keyval);
  Program& p = program();
  p.order += *static_cast<const char*>(letter);
  int finalised = 1;
  int size = 0;
  ep::check(EP_Finalized(&finalised));
  ep::check(EP_Comm_size(comm, &size));
  if (comm != EP_COMM_SELF || finalised != 0 || size != 1) p.order += '!';
  return code != nullptr ? *static_cast<int*>(code) : EP_SUCCESS;
}

void set_attribute(const char* letter, int* code) {
  int key = EP_KEYVAL_INVALID;
  ep::check(EP_Comm_create_keyval(EP_COMM_NULL_COPY_FN, forget, &key, code));
  ep::check(EP_Comm_set_attr(EP_COMM_SELF, key, const_cast<char*>(letter)));
  ep::check(EP_Comm_free_keyval(&key));
}

void free_communicator(void* state) {
  program().order += '.';
  ep::check(EP_Comm_free(static_cast<EP_Comm*>(state)));
}

int fail(const char* text) {
  std::fprintf(stderr, "%s (%s)\n", text, EP_Last_error());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool through_us = argc > 1 && std::strcmp(argv[1], "ep") == 0;
  int level = 0;
  if (through_us) {
    ep::check(EP_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
  } else {
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return 2;
    ep::check(EP_Init_library(MPI_THREAD_MULTIPLE, &level));
  }
  int size = 0;
  if (MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) return 2;
  ep::check(EP_Comm_from_mpi(MPI_COMM_WORLD, &program().comm));
  if (EP_On_finalize(nullptr, nullptr) != EP_ERR_ARG) return fail("no callback is no error");
  static char letters[] = "abc";
  ep::check(EP_On_finalize(free_communicator, &program().comm));
  for (char* letter = letters; *letter != '\0'; ++letter) {
    ep::check(EP_On_finalize(note, letter));
  }
  if (!program().order.empty()) return fail("callbacks run before the end");
  if (through_us) {
    static int code = EP_ERR_OTHER;
    set_attribute("x", nullptr);
    set_attribute("y", &code);
    set_attribute("z", nullptr);
    if (EP_Finalize() != EP_ERR_OTHER) return fail("an attribute's function failed unheard");
  } else if (MPI_Finalize() != MPI_SUCCESS) {
    return 2;
  }
  const std::string end = "cba.";
  if (program().order != (through_us ? "zyx" + end : end))
    return fail(("the order is " + program().order).c_str());
  if (program().sum != 3 * size) return fail("the callbacks could not communicate");
  return 0;
}
