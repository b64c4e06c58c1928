// Counts words: rank 0 has the text and deals out its lines, every rank counts with a table that is
// a static object of the program, and tables travel packed to rank 0, which adds them up. MPI:
// Pack, Unpack, Pack_size, Bcast of a length, Send and Recv of MPI_PACKED, Scatterv of text,
// Barrier.
#include <mpi.h>

#include <cctype>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

// Of the program, not of a function: each rank needs one of its own.
std::map<std::string, int> table;
const std::vector<std::string> lines = {
    "the sea is never still and the wind is never still",
    "a ship goes out when the tide goes out",
    "the tide comes in and the ship comes in",
    "never trust the wind nor the sea",
    "a still sea makes no sailor",
    "the sailor knows the wind and the wind knows no sailor",
    "out and in goes the tide",
};

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

std::string share_of_text() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string text;
  std::vector<int> counts(static_cast<std::size_t>(size)), starts(counts);
  if (rank_of_this() == 0) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      starts[r] = static_cast<int>(text.size());
      for (std::size_t i = r; i < lines.size(); i += counts.size()) text += lines[i] + ' ';
      counts[r] = static_cast<int>(text.size()) - starts[r];
    }
  }
  int length = 0;
  MPI_Scatter(counts.data(), 1, MPI_INT, &length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::string mine(static_cast<std::size_t>(length), ' ');
  MPI_Scatterv(text.data(), counts.data(), starts.data(), MPI_CHAR, mine.data(), length, MPI_CHAR,
               0, MPI_COMM_WORLD);
  return mine;
}

int packed_size(int count, MPI_Datatype type) {
  int bytes = 0;
  MPI_Pack_size(count, type, MPI_COMM_WORLD, &bytes);
  return bytes;
}

void send_table() {
  int room = packed_size(1, MPI_INT);
  for (const auto& [word, count] : table) {
    room += packed_size(2, MPI_INT) + packed_size(static_cast<int>(word.size()), MPI_CHAR);
  }
  std::vector<char> buffer(static_cast<std::size_t>(room));
  int at = 0;
  const auto pack = [&](const void* data, int count, MPI_Datatype type) {
    MPI_Pack(data, count, type, buffer.data(), room, &at, MPI_COMM_WORLD);
  };
  const int entries = static_cast<int>(table.size());
  pack(&entries, 1, MPI_INT);
  for (const auto& [word, count] : table) {
    const int numbers[2] = {static_cast<int>(word.size()), count};
    pack(numbers, 2, MPI_INT);
    pack(word.data(), numbers[0], MPI_CHAR);
  }
  MPI_Send(buffer.data(), at, MPI_PACKED, 0, 0, MPI_COMM_WORLD);
}

void add_table_of(int source) {
  MPI_Status status;
  int room = 0;
  MPI_Probe(source, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_PACKED, &room);
  std::vector<char> buffer(static_cast<std::size_t>(room));
  MPI_Recv(buffer.data(), room, MPI_PACKED, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int at = 0;
  int entries = 0;
  MPI_Unpack(buffer.data(), room, &at, &entries, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < entries; ++i) {
    int numbers[2];
    MPI_Unpack(buffer.data(), room, &at, numbers, 2, MPI_INT, MPI_COMM_WORLD);
    std::string word(static_cast<std::size_t>(numbers[0]), ' ');
    MPI_Unpack(buffer.data(), room, &at, word.data(), numbers[0], MPI_CHAR, MPI_COMM_WORLD);
    table[word] += numbers[1];
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::istringstream text(share_of_text());
  for (std::string word; text >> word;) {
    word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    ++table[word];
  }
  std::ostringstream report;
  report << "rank " << rank_of_this() << " has " << table.size() << " words\n";
  std::cout << report.str() << std::flush;
  if (rank_of_this() != 0) {
    send_table();
  } else {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int source = 1; source < size; ++source) add_table_of(source);
    for (const auto& [word, count] : table) std::cout << word << ' ' << count << std::endl;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
