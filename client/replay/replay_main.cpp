// Plays the recording of a run: starts a job of itself and servers, or is one of its processes.
#include <epios/epios.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "config/error.hpp"
#include "handles/c_replay.hpp"
#include "played_client.hpp"
#include "recording_reader.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::recording_path;
using epios::client::RecordingHeader;
using epios::replay::PlayedClient;
using epios::replay::RecordingReader;
namespace fs = std::filesystem;

struct Options {
  std::string recording;
  std::string component;
  std::string folder;  // empty: beside the recording
  std::vector<std::string> settings;
  std::string mpiexec = "mpiexec";
  int clients = 0;   // 0: as recorded
  int threads = 0;   // clients of a process; 0: as recorded
  int servers = -1;  // below 0: as recorded
  bool recorded_time = false;
  bool print = false;
  bool in_job = false;
};

RecordingHeader header_of(const Options& options, const std::string& component) {
  return RecordingReader(recording_path(options.recording, component, 0)).header();
}

// In the job.

[[noreturn]] void give_up(epios_client* client, const std::string& text) {
  if (client != nullptr) {
    epios_set_last_error(text.c_str());
    epios_client_abandon(client);
  }
  fmt::print(stderr, "epios replay: {}\n", text);
  std::fflush(nullptr);
  // The launcher ends the others at once: they are given a moment to say what they know.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::_Exit(1);
}

void check(int code, epios_client* client) {
  if (code != EPIOS_SUCCESS) give_up(client, epios_last_error());
}

void play_client(const Options& options, const RecordingHeader& recorded, epios_session* session,
                 int index) {
  epios_client* client = nullptr;
  check(epios_client_open(session, index, &client), nullptr);
  try {
    int rank = 0;
    int size = 0;
    check(epios_client_rank(client, &rank), client);
    check(epios_client_size(client, &size), client);
    PlayedClient player(
        options.recording, recorded, client, {rank, size},
        options.recorded_time ? PlayedClient::Pace::recorded : PlayedClient::Pace::fast);
    const std::string problem = player.play();
    // What ended the recorded run may be another client's, which comes to it meanwhile.
    if (player.is_over_early()) std::this_thread::sleep_for(std::chrono::seconds(2));
    if (!problem.empty()) give_up(client, problem);
  } catch (const std::exception& error) {
    give_up(client, error.what());
  }
}

int play(const Options& options) {
  const RecordingHeader recorded = header_of(options, options.component);
  // Before there are threads.
  std::string settings = recorded.settings;
  for (const std::string& pair : options.settings) {
    settings += fmt::format("{}{}", settings.empty() ? "" : "; ", pair);
  }
  ::setenv("EPIOS_SET", settings.c_str(), 1);
  ::setenv("EPIOS_MEMBER", recorded.member.c_str(), 1);
  if (recorded.member.empty()) ::unsetenv("EPIOS_MEMBER");
  const int clients = options.threads > 0 ? options.threads : recorded.clients_of_process;
  epios_session* session = nullptr;
  check(epios::client::open_replayed_session(recorded.code_id.c_str(), clients, recorded.texts,
                                             &session),
        nullptr);
  std::vector<std::thread> threads;
  for (int index = 1; index < clients; ++index) {
    threads.emplace_back([&, index] { play_client(options, recorded, session, index); });
  }
  play_client(options, recorded, session, 0);
  for (std::thread& thread : threads) thread.join();
  check(epios_session_close(session), nullptr);
  return 0;
}

// Before the job.

std::vector<std::string> components_of(const Options& options) {
  std::vector<std::string> all = epios::replay::recorded_components(options.recording);
  if (options.component.empty()) return all;
  if (std::find(all.begin(), all.end(), options.component) != all.end()) {
    return {options.component};
  }
  throw Error(ErrorCode::argument,
              fmt::format("recording '{}' has no component '{}' (it has {}). Name one of them?",
                          options.recording, options.component, fmt::join(all, ", ")));
}

std::string beside_this_program(std::string_view name) {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  return (own.parent_path() / name).string();
}

/// Appends the processes of a component to the command.
void add_component(std::vector<std::string>& command, const Options& options,
                   const RecordingHeader& recorded, bool is_only) {
  const int clients = options.clients > 0 ? options.clients : recorded.clients;
  int threads = options.threads > 0 ? options.threads : recorded.clients_of_process;
  if (options.threads == 0 && clients % threads != 0) threads = 1;
  if (!is_only && (options.clients > 0 || options.threads > 0)) {
    throw Error(ErrorCode::argument,
                "--clients and --threads are of one component (the recording has several). Name it "
                "with --component, or leave them out?");
  }
  if (clients % threads != 0) {
    throw Error(ErrorCode::argument,
                fmt::format("{} clients cannot be {} in each process (some would have fewer). "
                            "Choose another --threads?",
                            clients, threads));
  }
  command.insert(
      command.end(),
      {"-n", std::to_string(clients / threads), beside_this_program("epios-replay"), "--in-job",
       options.recording, "--component", recorded.component, "--threads", std::to_string(threads)});
  for (const std::string& pair : options.settings) command.insert(command.end(), {"--set", pair});
  if (options.recorded_time) command.emplace_back("--recorded-time");
}

std::vector<std::string> command_of(const Options& options) {
  std::vector<std::string> command{options.mpiexec};
  const std::vector<std::string> components = components_of(options);
  int servers = 0;
  for (const std::string& component : components) {
    const RecordingHeader recorded = header_of(options, component);
    if (command.size() > 1) command.emplace_back(":");
    add_component(command, options, recorded, components.size() == 1);
    if (!recorded.is_attached) servers = std::max(servers, recorded.servers);
  }
  if (options.servers >= 0) servers = options.servers;
  if (servers > 0) {
    command.insert(command.end(),
                   {":", "-n", std::to_string(servers), beside_this_program("epios_server")});
  }
  return command;
}

/// Returns a word as one has to write it in a shell.
std::string for_a_shell(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Starts the job in a folder of its own: what the recorded run wrote stays.
int start(Options options) {
  options.recording = fs::absolute(options.recording).lexically_normal().string();
  while (options.recording.ends_with('/')) options.recording.pop_back();
  if (options.folder.empty()) options.folder = options.recording + ".replay";
  const std::vector<std::string> command = command_of(options);
  if (options.print) {
    std::vector<std::string> quoted;
    for (const std::string& word : command) quoted.push_back(for_a_shell(word));
    fmt::print("mkdir -p {0} && cd {0} && {1}\n", for_a_shell(options.folder),
               fmt::join(quoted, " "));
    return 0;
  }
  fs::create_directories(options.folder);
  fs::current_path(options.folder);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  throw Error(ErrorCode::io,
              fmt::format("'{}' cannot be started ({}). Name the launcher of MPI with --mpiexec, "
                          "or see the command with --print?",
                          options.mpiexec, std::strerror(errno)));
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("recording", options.recording, "folder that variable record named")->required();
  app.add_option("--component", options.component, "the one to play; otherwise all are");
  app.add_option("--clients", options.clients, "clients of the component; otherwise as recorded")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "clients of a process; otherwise as recorded")
      ->check(CLI::PositiveNumber);
  app.add_option("--servers", options.servers,
                 "processes of servers, 0: clients write; otherwise as recorded")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--set", options.settings,
                 "a variable of context xios for this run, as in carrier=messages; again for more")
      ->allow_extra_args(false);
  app.add_flag("--recorded-time", options.recorded_time,
               "wait between calls as long as the model computed; otherwise as fast as possible");
  app.add_option("--folder", options.folder,
                 "where the run takes place; otherwise in <recording>.replay");
  app.add_option("--mpiexec", options.mpiexec, "the launcher of MPI");
  app.add_flag("--print", options.print, "only print the command that starts the job");
  app.add_flag("--in-job", options.in_job, "be a process of a job that runs already");
}

}  // namespace

int main(int argc, char** argv) {
  // `epios replay` hands its words on.
  if (argc > 1 && std::string_view(argv[1]) == "replay") {
    ++argv;
    --argc;
  }
  Options options;
  CLI::App app{"Plays the recording of a run on another layout, without the model", "epios replay"};
  add_options(app, options);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    return options.in_job ? play(options) : start(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios replay: {}\n", error.what());
    return 2;
  }
}
