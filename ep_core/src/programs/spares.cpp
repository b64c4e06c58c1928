// Parked processes that run the programs of spawns. A root reserves spares one after the other, in
// ascending order, and gives them back if there are too few. In order: encoding of offers, the
// control communicator, reservation at a root, the end of the job, and the life of a spare.
#include "programs/spares.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "creation/api_creation.hpp"
#include "creation/subset.hpp"
#include "handles/handle_tables.hpp"
#include "process/error.hpp"
#include "programs/program_tables.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// Tags on the control communicator; those of spawns follow.
constexpr int request_tag = 1;
constexpr int idle_tag = 2;
constexpr int first_spawn_tag = 16;
constexpr int spawn_tags = 16384;

enum class Ask : int { offer, are_you_idle, dismissal };
enum class Answer : int { ready, busy, cannot };

void put_text(BlobWriter& blob, const std::string& text) {
  blob.put(static_cast<int>(text.size()));
  for (const char character : text) blob.put(character);
}

std::string get_text(BlobReader& blob) {
  std::string text(static_cast<std::size_t>(blob.get<int>()), '\0');
  for (char& character : text) character = blob.get<char>();
  return text;
}

/// Returns the file that a command names, or its path in the working directory if no folder has it.
std::string find_program(const Command& command) {
  const std::string& name = command.program;
  const auto in_folder = [&](const std::string& folder) {
    const std::string path = folder.empty() ? name : folder + "/" + name;
    return path.front() == '/' || command.folder.empty() ? path : command.folder + "/" + path;
  };
  if (name.find('/') != std::string::npos) return in_folder("");
  const char* const inherited = std::getenv("PATH");
  std::istringstream folders(command.path + ":" + (inherited != nullptr ? inherited : ""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && ::access(in_folder(folder).c_str(), X_OK) == 0) return in_folder(folder);
  }
  return in_folder("");
}

/// Why a file is no program that endpoints can run copies of; "" if it is one.
std::string flaw_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "'" + path + "' cannot be read (" + std::strerror(errno) + ").";
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!bytes.starts_with("\x7f"
                         "ELF")) {
    return "'" + path + "' is no program.";
  }
  if (bytes.find(std::string("\0ep_program\0", 12)) == std::string::npos) {
    return "'" + path + "' was not linked by epcc or epcxx.";
  }
  return {};
}

}  // namespace

std::vector<std::byte> Spares::Offer::write() const {
  BlobWriter blob;
  blob.put(Ask::offer).put(tag).put(is_patient).put(command.endpoints).put(command.connects_first);
  blob.put(command.number);
  put_text(blob, command.program);
  put_text(blob, command.folder);
  put_text(blob, command.path);
  blob.put(static_cast<int>(command.arguments.size()));
  for (const std::string& argument : command.arguments) put_text(blob, argument);
  return blob.take();
}

Spares::Offer Spares::Offer::read(BlobReader& blob, int root) {
  Offer offer;
  offer.root = root;
  offer.tag = blob.get<int>();
  offer.is_patient = blob.get<bool>();
  offer.command.endpoints = blob.get<int>();
  offer.command.connects_first = blob.get<bool>();
  offer.command.number = blob.get<int>();
  offer.command.program = get_text(blob);
  offer.command.folder = get_text(blob);
  offer.command.path = get_text(blob);
  const int count = blob.get<int>();
  for (int i = 0; i < count; ++i) offer.command.arguments.push_back(get_text(blob));
  return offer;
}

void Spares::connect(bool is_spare) {
  control_ = Comm::from_mpi(MPI_COMM_WORLD);
  program_tables().ports.begin(*control_.get());
  const int size = control_.size();
  const int mine = is_spare ? 1 : 0;
  std::vector<int> all(static_cast<std::size_t>(size));
  check(EP_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, control_.get()));
  for (int rank = 0; rank < size; ++rank) {
    (all[static_cast<std::size_t>(rank)] != 0 ? spares_ : mains_).push_back(rank);
  }
  next_tag_.store(0);
}

EP_Comm Spares::main_processes() {
  return handle_of(nullptr,
                   create_subset(*control_.get(), mains_, subset_tag(first_spawn_tag - 1)));
}

void Spares::free() noexcept {
  control_ = Comm();
  mains_.clear();
  spares_.clear();
}

// One attempt of a root to reserve spare processes.
class Spares::Reservation {
 public:
  Reservation(const Spares& spares, int tag, bool is_patient)
      : spares_(spares), tag_(tag), is_patient_(is_patient) {}

  /// Asks spares, one for each process, until all commands have theirs or a program is refused.
  SpawnOutcome run(const std::vector<Command>& commands) {
    SpawnOutcome outcome;
    outcome.tag = tag_;
    try {
      next_ = spares_.spares_.begin();
      for (const Command& command : commands) {
        const int got = ask_for(command);
        for (int i = 0; i < command.processes; ++i) {
          outcome.codes.push_back(i < got ? EP_SUCCESS : EP_ERR_SPAWN);
        }
        outcome.is_short = outcome.is_short || got < (command.is_soft ? 1 : command.processes);
      }
    } catch (const Error& error) {
      outcome.problem = error.what();
    }
    if (outcome.is_short && outcome.problem.empty()) outcome.problem = shortage(commands);
    if (!outcome.problem.empty()) {
      int all = 0;
      for (const Command& command : commands) all += command.processes;
      outcome.codes.assign(static_cast<std::size_t>(all), EP_ERR_SPAWN);
    }
    decide(outcome.problem.empty());
    outcome.processes = held_;
    return outcome;
  }

 private:
  int ask_for(const Command& command) {
    int got = 0;
    const Offer offer{0, tag_, is_patient_, command};
    for (; next_ != spares_.spares_.end() && got < command.processes; ++next_) {
      send(spares_.control_, offer.write(), *next_, request_tag);
      const Received message = receive(spares_.control_, *next_, tag_);
      BlobReader blob(message.bytes);
      const auto answer = blob.get<Answer>();
      if (answer == Answer::cannot) fail(EP_ERR_SPAWN, get_text(blob));
      if (answer == Answer::busy) {
        ++busy_;
        continue;
      }
      held_.push_back(*next_);
      ++got;
    }
    return got;
  }
  std::string shortage(const std::vector<Command>& commands) const {
    int wanted = 0;
    for (const Command& command : commands) wanted += command.processes;
    return "there are too few spare processes for '" + commands.front().program + "' (" +
           std::to_string(wanted) + " wanted, " + std::to_string(spares_.count()) +
           " in this job, " + std::to_string(busy_) + " of them busy). Start with epexec -spare " +
           std::to_string(wanted + busy_) + "?";
  }
  /// Tells all participants, in their order, to run the program or to forget it.
  void decide(bool runs) const {
    BlobWriter blob;
    blob.put(runs ? 1 : 0).put(static_cast<int>(held_.size()));
    for (const int spare : held_) blob.put(spare);
    const std::vector<std::byte> bytes = blob.take();
    for (const int spare : held_) send(spares_.control_, bytes, spare, tag_);
  }

  const Spares& spares_;
  int tag_;
  bool is_patient_;
  std::vector<int>::const_iterator next_;
  std::vector<int> held_;
  int busy_ = 0;
};

SpawnOutcome Spares::reserve(const std::vector<Command>& commands) {
  const int tag = first_spawn_tag + next_tag_.fetch_add(1) % spawn_tags;
  SpawnOutcome outcome = Reservation(*this, tag, false).run(commands);
  // A program that was left a moment ago may be about to end.
  if (outcome.is_short) outcome = Reservation(*this, tag, true).run(commands);
  return outcome;
}

void Spares::dismiss(EP_Comm world) {
  check(EP_Barrier(world));
  int rank = 0;
  check(EP_Comm_rank(world, &rank));
  if (rank != 0) return;
  BlobWriter question;
  question.put(Ask::are_you_idle);
  const std::vector<std::byte> question_bytes = question.take();
  // Programs that still run may start others on spares that have answered already.
  for (int before = -1, runs = 0; runs != before;) {
    before = runs;
    for (const int spare : spares_) send(control_, question_bytes, spare, request_tag);
    runs = 0;
    for (const int spare : spares_) {
      int its_runs = 0;
      check(EP_Recv(&its_runs, 1, MPI_INT, spare, idle_tag, control_.get(), EP_STATUS_IGNORE));
      runs += its_runs;
    }
  }
  BlobWriter dismissal;
  dismissal.put(Ask::dismissal);
  const std::vector<std::byte> dismissal_bytes = dismissal.take();
  for (const int spare : spares_) send(control_, dismissal_bytes, spare, request_tag);
}

bool Spares::has_message() const {
  int flag = 0;
  check(EP_Iprobe(EP_ANY_SOURCE, request_tag, control_.get(), &flag, EP_STATUS_IGNORE));
  return flag != 0;
}

int Spares::serve() {
  const WaitSpec spec{.reason = "a spare process: a spawn", .is_idle = true};
  while (!is_dismissed_) {
    if (!offers_.empty()) {
      const Offer offer = offers_.front();
      offers_.pop_front();
      answer(offer);
      continue;
    }
    answer_idle();
    registry().wait(control_.get()->place(), spec, [&] { return has_message(); });
    take_message();
  }
  return status_;
}

void Spares::take_message() {
  const Received message = receive(control_, EP_ANY_SOURCE, request_tag);
  BlobReader blob(message.bytes);
  switch (blob.get<Ask>()) {
    case Ask::are_you_idle:
      asking_ = message.source;
      return;
    case Ask::dismissal:
      is_dismissed_ = true;
      return;
    case Ask::offer:
      offers_.push_back(Offer::read(blob, message.source));
      return;
  }
}

void Spares::refuse_offers(bool also_patient) {
  std::erase_if(offers_, [&](const Offer& offer) {
    if (offer.is_patient && !also_patient) return false;
    BlobWriter busy;
    busy.put(Answer::busy);
    send(control_, busy.take(), offer.root, offer.tag);
    return true;
  });
}

void Spares::answer_idle() {
  if (asking_ == EP_PROC_NULL) return;
  check(EP_Send(&runs_, 1, MPI_INT, asking_, idle_tag, control_.get()));
  asking_ = EP_PROC_NULL;
}

void Spares::answer(const Offer& offer) {
  const std::string path = find_program(offer.command);
  std::string flaw = flaw_of(path);
  if (!offer.command.folder.empty() && ::access(offer.command.folder.c_str(), X_OK) != 0) {
    flaw = "the working directory '" + offer.command.folder + "' cannot be entered (" +
           std::strerror(errno) + ").";
  }
  BlobWriter answer;
  answer.put(flaw.empty() ? Answer::ready : Answer::cannot);
  if (!flaw.empty()) put_text(answer, flaw);
  send(control_, answer.take(), offer.root, offer.tag);
  if (!flaw.empty()) return;

  const Received decision = receive(control_, offer.root, offer.tag);
  BlobReader blob(decision.bytes);
  const bool runs = blob.get<int>() != 0;
  std::vector<int> participants(static_cast<std::size_t>(blob.get<int>()));
  for (int& participant : participants) participant = blob.get<int>();
  if (runs) run(offer, path, participants);
}

void Spares::run(const Offer& offer, const std::string& path,
                 const std::vector<int>& participants) {
  ++runs_;
  const std::string home = offer.command.folder.empty() ? "" : ::get_current_dir_name();
  if (!home.empty() && ::chdir(offer.command.folder.c_str()) != 0) {
    fail(EP_ERR_SPAWN, "the working directory '", offer.command.folder, "' cannot be entered.");
  }
  const EP_Comm world = handle_of(
      nullptr, create_subset(*control_.get(), participants, subset_tag(offer.tag + spawn_tags)));
  start_communicators().create(world, offer.command.endpoints, MPI_THREAD_MULTIPLE);
  handle_tables().application = offer.command.number;
  const auto connect = [&](int endpoint) {
    if (offer.command.connects_first && endpoint > 0) return;
    const EP_Comm local = offer.command.connects_first ? EP_COMM_WORLD : EP_COMM_ENDPOINTS;
    EP_Comm parent = EP_COMM_NULL;
    check(EP_Intercomm_create(local, 0, control_.get(), offer.root, offer.tag, &parent));
    start_communicators().set_parent(endpoint, parent);
  };
  const auto ring = [&] { registry().notify(control_.get()->place()); };
  own_program().start(path, offer.command.arguments, {connect, ring});
  wait_for_program();
  status_ = std::max(status_, own_program().wait_for_all());
  start_communicators().free();
  handle_tables().application = -1;
  if (!home.empty() && ::chdir(home.c_str()) != 0) fail(EP_ERR_SPAWN, "no way back to ", home);
}

void Spares::wait_for_program() {
  using Clock = std::chrono::steady_clock;
  const auto have_ended = [] { return own_program().have_all_ended(); };
  Clock::time_point first_offer{};
  while (!have_ended()) {
    // A program whose endpoints have freed their parent communicator is about to end, so we wait
    // longer for it.
    const auto patience =
        std::chrono::milliseconds(start_communicators().are_orphans() ? 5000 : 500);
    const auto is_late = [&] { return !offers_.empty() && Clock::now() > first_offer + patience; };
    refuse_offers(is_late());
    const WaitSpec spec{.reason = "a spare process: the end of its program",
                        .max_sleep_s = offers_.empty() ? 0 : 0.05,
                        .is_idle = true};
    registry().wait(control_.get()->place(), spec,
                    [&] { return have_ended() || has_message() || is_late(); });
    if (!has_message()) continue;
    if (offers_.empty()) first_offer = Clock::now();
    take_message();
  }
}

}  // namespace ep
