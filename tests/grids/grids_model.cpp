// Runs random cases, each in a context that is defined through the interface alone, on some of the
// clients, several at once: any number of processes and threads.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <future>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "case_program.hpp"
#include "define_case.hpp"
#include "meetings.hpp"
#include "random_case.hpp"

namespace {

namespace client = epios::client;

/// What a client does with its tiles.
enum class Hands { own, one_after_the_other, several };

/// A case as one client lives it: from the definitions to the end, step by step.
class Run {
 public:
  Run(grids::Case of, client::Context context, int rank, int clients)
      : of_(std::move(of)), mine_(make_client(of_, rank, clients)), context_(context), rank_(rank) {
    define(context_, of_, mine_);
    context_.close_definition();
    for (const grids::Field& field : of_.fields) fields_.push_back(context_.field(field.id));
  }

  void make_step(std::int64_t step) {
    context_.update_calendar(step);
    const auto hands = static_cast<Hands>((of_.salt / 7 + static_cast<std::uint64_t>(step)) % 3);
    // Fields in the same order on all clients, whether they come in tiles here or not.
    std::vector<std::size_t> order(of_.fields.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [this](std::size_t f) { return has_first(f); });
    const auto tiled_end = std::find_if(order.begin(), order.end(), [&](std::size_t f) {
      return tiles_at(of_, mine_, of_.fields[f], step) == 0;
    });
    send_tiles({order.begin(), tiled_end}, step, hands);
    for (auto f = tiled_end; f != order.end(); ++f) send(*f, step);
  }

  void end() { context_.finalize(); }

 private:
  /// Whether a field is on the element that may have tiles.
  bool has_first(std::size_t field) const {
    const auto& elements = of_.grids[static_cast<std::size_t>(of_.fields[field].grid)].elements;
    return std::find(elements.begin(), elements.end(), 0) != elements.end();
  }

  /// As models do: a loop over tiles, and all fields of each.
  void send_tiles(const std::vector<std::size_t>& fields, std::int64_t step, Hands hands) {
    if (fields.empty()) return;
    const int tiles = tiles_at(of_, mine_, of_.fields[fields.front()], step);
    const int count = hands == Hands::several ? 3 : hands == Hands::own ? 0 : 1;
    std::atomic<int> next{0};
    const auto take_one = [&] {
      const int turn = next++;
      if (turn >= tiles) return false;
      // From step to step in another order.
      const int tile = (turn + static_cast<int>(step)) % tiles;
      for (const std::size_t field : fields) send_tile(field, step, tile);
      return true;
    };
    if (count == 0) {
      while (take_one()) continue;
      return;
    }
    // One thread after the other: each ends before the next begins.
    while (next < tiles) {
      std::vector<std::future<void>> others;
      for (int t = 0; t < count; ++t) {
        others.push_back(std::async(std::launch::async, [&] {
          while (take_one() && hands == Hands::several) continue;
        }));
      }
      for (auto& other : others) other.get();
    }
  }

  std::vector<double> array(std::size_t field, std::int64_t step, int tile) const {
    const int grid = of_.fields[field].grid;
    std::vector<double> data(static_cast<std::size_t>(array_size(of_, mine_, grid, tile)));
    for (std::size_t place = 0; place < data.size(); ++place) {
      const auto point = point_at(of_, mine_, grid, static_cast<std::int64_t>(place), tile);
      bool is_point = true;
      for (const std::int64_t index : point) is_point = is_point && index >= 0;
      // What is no point must not reach any file.
      data[place] = is_point ? value_at(of_, of_.fields[field], step, rank_, point) : 7.5e30;
    }
    return data;
  }

  void send_tile(std::size_t field, std::int64_t step, int tile) const {
    const std::vector<double> data = array(field, step, tile);
    if (of_.fields[field].is_single) {
      const std::vector<float> single(data.begin(), data.end());
      fields_[field].send_tile(tile, std::span<const float>(single));
    } else {
      fields_[field].send_tile(tile, std::span<const double>(data));
    }
  }

  void send(std::size_t field, std::int64_t step) {
    const std::vector<double> data = array(field, step, grids::no_tile);
    const bool is_borrowed = (of_.salt + static_cast<std::uint64_t>(step) + data.size()) % 3 == 0;
    if (of_.fields[field].is_single) {
      send_array(field, std::vector<float>(data.begin(), data.end()), is_borrowed);
    } else {
      send_array(field, data, is_borrowed);
    }
  }

  template <class T>
  void send_array(std::size_t field, const std::vector<T>& data, bool is_borrowed) {
    if (!is_borrowed) return context_.send(of_.fields[field].id, std::span<const T>(data));
    const std::span<T> array = fields_[field].borrow<T>();
    std::copy(data.begin(), data.end(), array.begin());
    fields_[field].send(array);
  }

  grids::Case of_;
  grids::Client mine_;
  client::Context context_;
  int rank_;
  std::vector<client::Field> fields_;
};

/// The rounds, and the communicator of each meeting that is opened on one.
struct Plan {
  std::vector<grids::Round> rounds;
  std::map<int, MPI_Comm> comms;  ///< by number of the case
};

client::Context open(client::Client& client, const grids::Meeting& meeting, const Plan& plan) {
  switch (meeting.opening) {
    case grids::Opening::on_all:
      return client.open_context(meeting.context);
    case grids::Opening::on_processes:
      return client.open_context(meeting.context, plan.comms.at(meeting.number));
    case grids::Opening::among_ranks:
      break;
  }
  std::vector<int> ranks = meeting.members;
  std::rotate(ranks.begin(), ranks.begin() + client.rank() % static_cast<int>(ranks.size()),
              ranks.end());
  return client.open_context(meeting.context, std::span<const int>(ranks));
}

void live(const grids::CaseOptions& options, const Plan& plan, const grids::Round& round,
          client::Client& client) {
  std::vector<std::optional<Run>> runs(round.meetings.size());
  for (std::int64_t t = 0; t < round.end; ++t) {
    for (std::size_t m = 0; m < runs.size(); ++m) {
      const grids::Meeting& meeting = round.meetings[m];
      const auto& members = meeting.members;
      const auto me = std::find(members.begin(), members.end(), client.rank());
      const std::int64_t step = t - meeting.begin + 1;
      if (me == members.end() || step < 1 || step > grids::steps) continue;
      if (step == 1) {
        runs[m].emplace(grids::make_case(options.seed, meeting.number), open(client, meeting, plan),
                        static_cast<int>(me - members.begin()), static_cast<int>(members.size()));
      }
      runs[m]->make_step(step);
      if (step == grids::steps) runs[m]->end();
    }
  }
}

void run_client(const grids::CaseOptions& options, const Plan& plan, const client::Session& session,
                int index) {
  client::Client client(session, index);
  for (const grids::Round& round : plan.rounds) {
    try {
      live(options, plan, round, client);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "grids_model: client %d of %d, cases %d and %zu more: %s\n",
                   client.rank(), client.size(), round.meetings.front().number,
                   round.meetings.size() - 1, error.what());
      std::fflush(stderr);
      std::_Exit(1);
    }
  }
  client.close();
}

Plan make_plan(const grids::CaseOptions& options, const client::Session& session) {
  int processes = 0;
  int rank = 0;
  MPI_Comm_size(session.comm(), &processes);
  MPI_Comm_rank(session.comm(), &rank);
  Plan out{grids::plan(options.seed, options.first, options.last, processes, options.threads), {}};
  for (const grids::Round& round : out.rounds) {
    for (const grids::Meeting& meeting : round.meetings) {
      if (meeting.opening != grids::Opening::on_processes) continue;
      const auto& members = meeting.members;
      const bool is_in =
          std::find(members.begin(), members.end(), rank * options.threads) != members.end();
      MPI_Comm_split(session.comm(), is_in ? 0 : MPI_UNDEFINED, 0, &out.comms[meeting.number]);
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  return grids::play_cases(argc, argv, "grids_model", "grids",
                           [](const grids::CaseOptions& options, const client::Session& session) {
                             Plan plan = make_plan(options, session);
                             grids::run_in_threads(options.threads, [&](int thread) {
                               run_client(options, plan, session, thread);
                             });
                             for (auto& [number, comm] : plan.comms) {
                               if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
                             }
                           });
}
