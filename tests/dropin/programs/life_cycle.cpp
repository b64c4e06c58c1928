// What happens to a program from its first static constructor to its last exit handler, with one
// life per rank: options, environment of C and C++, and an end from deep inside. MPI: Init and
// Finalize with null pointers, Initialized, Finalized, exit after Finalize.
//
// usage: life_cycle [-v] [-n number] [--word text] [--deep] file...
#include <getopt.h>
#include <mpi.h>
#include <search.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

std::string journal;  // what has happened so far to this rank
int rank = -1;

struct Witness {
  explicit Witness(const char* name) : name_(name) { journal += std::string("+") + name; }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  // Runs after the handlers of atexit that were registered later.
  ~Witness() { std::printf("rank %d: end of %s\n", rank, name_.c_str()); }

 private:
  std::string name_;
};

const Witness first("first");
const Witness second("second");
thread_local int of_thread = 10;

__attribute__((constructor)) void before_main() { setenv("DROPIN_LIFE", "begun", 0); }

int next_number() {
  static int number = 100;
  return ++number;
}

void say_goodbye() { std::printf("rank %d: goodbye, %s\n", rank, journal.c_str()); }
void say_last() { std::printf("rank %d: last handler\n", rank); }

struct Options {
  bool is_verbose = false;
  bool is_deep = false;
  long number = 0;
  std::string word;
  std::string files;
};

Options read_options(int argc, char** argv) {
  static const std::array<option, 3> names = {{{"word", required_argument, nullptr, 'w'},
                                               {"deep", no_argument, nullptr, 'd'},
                                               {nullptr, 0, nullptr, 0}}};
  Options options;
  for (int c = 0; (c = getopt_long(argc, argv, "vn:", names.data(), nullptr)) != -1;) {
    if (c == 'v') options.is_verbose = true;
    if (c == 'd') options.is_deep = true;
    if (c == 'n') options.number = std::strtol(optarg, nullptr, 10);
    if (c == 'w') options.word = optarg;
    // Ranks read their options at the same time, each with its own position.
    std::this_thread::yield();
  }
  for (; optind < argc; ++optind) options.files += std::string(argv[optind]) + ';';
  return options;
}

[[noreturn]] void leave(int depth) {
  const std::string kept(static_cast<std::size_t>(depth), '.');  // on the stack that is left
  if (depth < 5) leave(depth + 1);
  std::exit(journal.size() > kept.size() ? 40 + rank : 1);
}

}  // namespace

int main(int argc, char** argv) {
  int is_initialised = 1;
  MPI_Initialized(&is_initialised);
  std::atexit(say_last);
  std::atexit(say_goodbye);
  MPI_Init(nullptr, nullptr);
  int is_finalised = 1;
  MPI_Finalized(&is_finalised);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  const Options options = read_options(argc, argv);
  std::printf("rank %d: %d%d verbose %d number %ld word '%s' files %s\n", rank, is_initialised,
              is_finalised, options.is_verbose, options.number, options.word.c_str(),
              options.files.c_str());
  for (int i = 0; i < rank; ++i) next_number();
  of_thread += rank;
  int seen = 0;
  std::thread([&seen] { seen = of_thread; }).join();
  char words[] = "one two,three";
  std::string reversed;
  for (char* word = std::strtok(words, " ,"); word != nullptr; word = std::strtok(nullptr, " ,")) {
    reversed = std::string(word) + ' ' + reversed;
    MPI_Barrier(MPI_COMM_WORLD);  // all are in the middle of their strings
  }
  // Would have found that all ranks of a process had one hash table: only one could create it.
  char key[] = "rank";
  ENTRY entry{};
  entry.key = key;
  const bool is_created = hcreate(8) != 0;
  entry.data = &rank;
  if (is_created) hsearch(entry, ENTER);
  MPI_Barrier(MPI_COMM_WORLD);
  const ENTRY* const found = is_created ? hsearch(entry, FIND) : nullptr;
  const bool is_own = found != nullptr && found->data == &rank;
  hdestroy();
  std::printf("rank %d: table %d\n", rank, is_own ? 1 : 0);
  std::printf("rank %d: static %d, thread %d and %d, %s, %s\n", rank, next_number(), of_thread,
              seen, std::getenv("DROPIN_LIFE"), reversed.c_str());
  journal += "+main";
  MPI_Finalize();
  MPI_Finalized(&is_finalised);
  if (is_finalised != 1) return 1;
  if (options.is_deep) leave(0);
  return 3;
}
