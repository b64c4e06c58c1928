// Game of life on a torus, rows divided among the ranks, with the state in a file: rank 0 writes
// the first generation, all ranks read their rows, the last one is written by all together and read
// back. MPI: File_open, File_write, File_set_view with a subarray type, File_read_all,
// File_write_at_all, File_iwrite_shared for a log, File_get_size, File_seek, File_read, File_close,
// File_delete.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { width = 24, rows = 5, generations = 12 };  // rows of a rank

typedef char Rows[rows + 2][width];

static int rank, size;

static int is_alive_at_first(int row, int column) {
  return (row * 7 + column * 3 + row * column) % 5 < 2;
}

static void write_first(const char* name) {
  MPI_File file;
  if (rank == 0) {
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int r = 0; r < rows * size; ++r) {
      char row[width];
      for (int c = 0; c < width; ++c) row[c] = is_alive_at_first(r, c) ? '#' : '.';
      MPI_File_write(file, row, width, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void read_own(const char* name, Rows field) {
  const int sizes[2] = {rows * size, width};
  const int part[2] = {rows, width};
  const int start[2] = {rows * rank, 0};
  MPI_Datatype type;
  MPI_File file;
  MPI_Status status;
  int count = 0;
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_CHAR, &type);
  MPI_Type_commit(&type);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_CHAR, type, "native", MPI_INFO_NULL);
  MPI_File_read_all(file, field[1], rows * width, MPI_CHAR, &status);
  MPI_Get_count(&status, MPI_CHAR, &count);
  printf("rank %d read %d cells\n", rank, count);
  MPI_File_close(&file);
  MPI_Type_free(&type);
}

static void advance(Rows field) {
  const int above = (rank + size - 1) % size;
  const int below = (rank + 1) % size;
  MPI_Sendrecv(field[1], width, MPI_CHAR, above, 0, field[rows + 1], width, MPI_CHAR, below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(field[rows], width, MPI_CHAR, below, 1, field[0], width, MPI_CHAR, above, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Rows next;
  for (int r = 1; r <= rows; ++r) {
    for (int c = 0; c < width; ++c) {
      int around = 0;
      for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
          around += (i != 0 || j != 0) && field[r + i][(c + j + width) % width] == '#';
        }
      }
      next[r][c] = around == 3 || (around == 2 && field[r][c] == '#') ? '#' : '.';
    }
  }
  memcpy(field[1], next[1], rows * width);
}

static void write_and_check(const char* name, Rows field) {
  MPI_File file;
  MPI_Offset bytes = 0;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * rows * width, field[1], rows * width, MPI_CHAR,
                        MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_get_size(file, &bytes);
  // Each looks at the first row of the next.
  char row[width];
  MPI_File_seek(file, (rank + 1) % size * rows * width, MPI_SEEK_SET);
  MPI_File_read(file, row, width, MPI_CHAR, MPI_STATUS_IGNORE);
  printf("rank %d: %ld bytes, next row %.*s\n", rank, (long)bytes, width, row);
  MPI_File_close(&file);
}

// One line of each rank, in any order.
static void write_log(const char* name) {
  MPI_File file;
  MPI_Request request;
  MPI_Offset bytes = 0;
  char line[20];
  const int length = sprintf(line, "rank %03d was here\n", rank);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_iwrite_shared(file, line, length, MPI_CHAR, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_get_size(file, &bytes);
  int sum = 0;
  for (MPI_Offset at = 0; at < bytes; ++at) {
    char letter = 0;
    MPI_File_read_at(file, at, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    sum += letter;
  }
  printf("rank %d: log of %ld bytes, sum %d\n", rank, (long)bytes, sum);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  static Rows field;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  write_first("life.state");
  read_own("life.state", field);
  for (int g = 0; g < generations; ++g) advance(field);
  for (int r = 1; r <= rows; ++r) {
    printf("%03d %.*s\n", rank * rows + r - 1, width, field[r]);
  }
  write_and_check("life.state", field);
  write_log("life.log");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_File_delete("life.state", MPI_INFO_NULL);
    MPI_File_delete("life.log", MPI_INFO_NULL);
  }
  MPI_Finalize();
  return 0;
}
