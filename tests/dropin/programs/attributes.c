// Attributes and error handlers: what hangs on a communicator, who gets a copy when it is
// duplicated, who is told when it goes, and how a library learns of errors without the end of the
// program. MPI: Comm_create_keyval with own functions, Comm_set_attr, Comm_get_attr,
// Comm_delete_attr, attributes of MPI_COMM_WORLD, an attribute of MPI_COMM_SELF that Finalize
// deletes, MPI_ERRORS_RETURN, Comm_create_errhandler, Comm_call_errhandler, Error_class,
// Add_error_class, Add_error_code, Add_error_string.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int copies;
static int deletions;
static int calls;

static int copy(MPI_Comm comm, int keyval, void* extra, void* value, void* out, int* flag) {
  (void)comm;
  (void)keyval;
  const intptr_t doubled = 2 * (intptr_t)value + *(int*)extra;
  memcpy(out, &doubled, sizeof doubled);
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm;
  (void)keyval;
  (void)extra;
  deletions += (int)(intptr_t)value;
  return MPI_SUCCESS;
}

static int say_end(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)keyval;
  ++*(int*)extra;
  printf("rank %d: finalised %d, %s, of self %d\n", rank, *(int*)extra, (const char*)value,
         comm == MPI_COMM_SELF);
  return MPI_SUCCESS;
}

static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  int class = 0;
  MPI_Error_class(*code, &class);
  if (class == MPI_ERR_RANK) ++calls;
}

static void use_attributes(void) {
  static int extra = 5;
  int key = MPI_KEYVAL_INVALID;
  int none = MPI_KEYVAL_INVALID;
  MPI_Comm dup, dup_of_dup;
  void* value = NULL;
  void* copied = NULL;
  int flag = 0;
  int is_there = 0;
  int remains = 1;
  MPI_Comm_create_keyval(copy, forget, &key, &extra);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &none, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_set_attr(dup, key, (void*)(intptr_t)(10 + rank));
  MPI_Comm_set_attr(dup, none, &extra);
  MPI_Comm_dup(dup, &dup_of_dup);
  MPI_Comm_get_attr(dup, key, &value, &flag);
  MPI_Comm_get_attr(dup_of_dup, key, &copied, &is_there);
  MPI_Comm_get_attr(dup_of_dup, none, &value, &remains);
  printf("rank %d: copied %ld, there %d %d %d\n", rank, (long)(intptr_t)copied, flag, is_there,
         remains);
  MPI_Comm_set_attr(dup, key, (void*)(intptr_t)3);  // the old value is deleted
  MPI_Comm_delete_attr(dup, key);
  MPI_Comm_free(&dup_of_dup);
  MPI_Comm_free(&dup);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free_keyval(&none);
  printf("rank %d: %d copies, deleted %d, key %s\n", rank, copies, deletions,
         key == MPI_KEYVAL_INVALID ? "gone" : "there");

  int* tag_limit = NULL;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_limit, &flag);
  printf("rank %d: tags %s\n", rank, flag && *tag_limit >= 32767 ? "enough" : "too few");
}

static const char* class_of(int code) {
  static const struct {
    int class;
    const char* name;
  } names[] = {{MPI_SUCCESS, "none"},      {MPI_ERR_RANK, "rank"}, {MPI_ERR_TAG, "tag"},
               {MPI_ERR_COUNT, "count"},   {MPI_ERR_ROOT, "root"}, {MPI_ERR_TYPE, "type"},
               {MPI_ERR_TRUNCATE, "long"}, {MPI_ERR_OP, "op"},     {MPI_ERR_COMM, "comm"}};
  int class = 0;
  MPI_Error_class(code, &class);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (names[i].class == class) return names[i].name;
  }
  return "other";
}

static int receive_too_much(MPI_Comm comm, int* data) {
  MPI_Request request;
  MPI_Isend(data, 4, MPI_INT, rank, 0, comm, &request);
  int room = 0;
  const int code = MPI_Recv(&room, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}

static void make_mistakes(void) {
  MPI_Comm comm;
  int size = 0;
  int data[4] = {0, 0, 0, 0};
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_size(comm, &size);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int codes[] = {
      MPI_Send(data, 1, MPI_INT, size, 0, comm),
      MPI_Send(data, 1, MPI_INT, rank, -7, comm),
      MPI_Send(data, -1, MPI_INT, rank, 0, comm),
      MPI_Bcast(data, 1, MPI_INT, size + 3, comm),
      MPI_Send(data, 1, MPI_DATATYPE_NULL, rank, 0, comm),
      MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 0, comm),
      receive_too_much(comm, data),
  };
  char line[200] = "";
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) {
    strcat(strcat(line, " "), class_of(codes[i]));
  }
  printf("rank %d:%s\n", rank, line);

  MPI_Errhandler handler, found;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Send(data, 1, MPI_INT, -9, 0, comm);
  MPI_Comm_call_errhandler(comm, MPI_ERR_RANK);
  MPI_Comm_get_errhandler(comm, &found);
  int class = 0;
  int code = 0;
  int length = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "the moon is not full");
  MPI_Error_string(code, text, &length);
  int class_of_code = 0;
  MPI_Error_class(code, &class_of_code);
  printf("rank %d: handler called %d times, same %d, class %d, %s\n", rank, calls, found == handler,
         class_of_code == class, text);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

static void say_name(const char* what, MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Comm_get_name(comm, name, &length);
  printf("rank %d: %s is called %s, %d letters\n", rank, what, name, length);
}

// It lives as long as an attribute of it.
static void use_freed_keyval(void) {
  static int extra = 0;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, &extra);
  MPI_Comm_set_attr(comm, key, (void*)(intptr_t)1000);
  const int known = key;
  MPI_Comm_free_keyval(&key);
  const int code = MPI_Comm_delete_attr(comm, known);
  printf("rank %d: freed keyval %s, deleted %d\n", rank, code == MPI_SUCCESS ? "works" : "fails",
         deletions);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  use_attributes();
  make_mistakes();
  say_name("world", MPI_COMM_WORLD);
  say_name("self", MPI_COMM_SELF);
  use_freed_keyval();
  // The last one set is deleted first.
  static char farewells[][12] = {"and thanks", "good night", "it was nice"};
  static int ends = 0;
  for (int i = 0; i < 3; ++i) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, say_end, &key, &ends);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, farewells[i]);
    MPI_Comm_free_keyval(&key);
  }
  MPI_Finalize();
  return 0;
}
