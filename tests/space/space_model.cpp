// Runs random cases, each in a context that is defined through the interface alone, with fields on
// grids that are made of others: any number of processes and threads.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "../grids/define_case.hpp"
#include "../grids/random_case.hpp"
#include "space_case.hpp"

namespace {

namespace client = epios::client;

/// Some of the points for each client, the last ones first.
std::vector<std::int64_t> listed_points(const space::Target& target, const client::Client& mine) {
  std::vector<std::int64_t> out;
  for (auto point = static_cast<std::int64_t>(target.sources.size()); point-- > 0;) {
    if ((point / 2 + point % 3) % mine.size() == mine.rank()) out.push_back(point);
  }
  return out;
}

/// Every other one of those that servers can make is made by them.
bool is_for_servers(const grids::Case& of, const space::Made& made, int number) {
  const grids::Field& field = of.fields[static_cast<std::size_t>(made.field)];
  if (field.is_average || (number + made.field) % 2 != 0) return false;
  return std::none_of(made.elements.begin(), made.elements.end(), [](const space::Target& target) {
    return std::any_of(target.steps.begin(), target.steps.end(), [](const space::Step& step) {
      return step.tag.starts_with("reduce") || step.tag.starts_with("redistribute");
    });
  });
}

/// The element that a target is, or that it is made of.
std::string define_target(client::Context& context, const space::Target& target,
                          const grids::Element& source, const client::Client& mine,
                          bool on_servers) {
  if (target.steps.empty()) return source.id;
  const client::Element to = context.at(target.tag + "_definition").child(target.tag, target.id);
  if (source.is_double) to.set("prec", 8);
  if (target.n_glo > 0) to.set("n_glo", target.n_glo);
  for (const space::Step& step : target.steps) {
    const client::Element transformation = to.child(step.tag);
    if (on_servers) transformation.set("place", "server");
    for (const auto& [attribute, text] : step.attributes) {
      transformation.set(attribute, text);
      if (text == "index") transformation.set("index", listed_points(target, mine));
    }
  }
  return target.id;
}

void define_made(client::Context& context, const grids::Case& of, const space::Made& made,
                 const client::Client& mine, bool on_servers) {
  const grids::Field& field = of.fields[static_cast<std::size_t>(made.field)];
  const grids::Grid& from = of.grids[static_cast<std::size_t>(field.grid)];
  const client::Element grid = context.at("grid_definition").child("grid", "grid_" + made.id);
  for (std::size_t e = 0; e < made.elements.size(); ++e) {
    const space::Target& target = made.elements[e];
    const auto& source = of.elements[static_cast<std::size_t>(from.elements[e])];
    grid.child(target.tag)
        .set(target.tag + "_ref", define_target(context, target, source, mine, on_servers));
  }
  context.at("field_definition")
      .child("field", made.id)
      .set("field_ref", field.id)
      .set("grid_ref", "grid_" + made.id);
  for (const bool is_raw : {true, false}) {
    const client::Element file = context.at("file_definition").child("file");
    file.set("name", of.id + "_" + made.id + (is_raw ? "_raw" : ""));
    // What is made of new values is not made of their averages.
    const bool is_average = field.is_average && !(is_raw && made.is_moved());
    file.set("output_freq", is_average ? "2h" : "1h");
    const client::Element in_file = file.child("field");
    in_file.set("field_ref", is_raw ? field.id : made.id)
        .set("name", "data")
        .set("operation", is_average ? "average" : "instant")
        .set("prec", 8);
    if (made.is_moved() && !field.default_value) in_file.set("default_value", space::filled);
  }
}

std::vector<double> array(const grids::Case& of, const grids::Client& mine,
                          const grids::Field& field, std::int64_t step, int rank) {
  std::vector<double> data(static_cast<std::size_t>(array_size(of, mine, field.grid)));
  for (std::size_t place = 0; place < data.size(); ++place) {
    const auto point = point_at(of, mine, field.grid, static_cast<std::int64_t>(place));
    bool is_point = true;
    for (const std::int64_t index : point) is_point = is_point && index >= 0;
    // What is no point must not reach any file.
    data[place] = is_point ? value_at(of, field, step, rank, point) : 7.5e30;
  }
  return data;
}

void run_case(client::Client& client, std::uint64_t seed, int number) {
  grids::Case of = grids::make_case(seed, number);
  const std::vector<space::Made> targets = space::make_targets(of);
  // Of a point that it has itself a client need not ask others; servers take that of the lowest.
  of.do_clients_differ = of.do_clients_differ &&
                         std::none_of(targets.begin(), targets.end(), [&](const space::Made& made) {
                           return made.is_moved() || is_for_servers(of, made, number);
                         });
  grids::Client mine = make_client(of, client.rank(), client.size());
  for (grids::Local& local : mine.elements) local.takes_tiles_only = false;
  client::Context context = client.open_context(of.id);
  define(context, of, mine);
  for (const space::Made& made : targets) {
    define_made(context, of, made, client, is_for_servers(of, made, number));
  }
  context.close_definition();
  for (std::int64_t step = 1; step <= grids::steps; ++step) {
    context.update_calendar(step);
    for (const grids::Field& field : of.fields) {
      const std::vector<double> data = array(of, mine, field, step, client.rank());
      if (field.is_single) {
        const std::vector<float> single(data.begin(), data.end());
        context.send(field.id, std::span<const float>(single));
      } else {
        context.send(field.id, std::span<const double>(data));
      }
    }
  }
  context.finalize();
}

void run_client(const client::Session& session, int index, std::uint64_t seed, int first,
                int last) {
  client::Client client(session, index);
  for (int number = first; number <= last; ++number) {
    try {
      run_case(client, seed, number);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "space_model: client %d of %d, case %d: %s\n", client.rank(),
                   client.size(), number, error.what());
      std::fflush(stderr);
      std::_Exit(1);
    }
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: space_model <seed> <first case> <last case> <threads>\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const int first = std::atoi(argv[2]);
  const int last = std::atoi(argv[3]);
  client::Session::Options options;
  options.clients = std::atoi(argv[4]);
  client::Session session("space", options);
  std::vector<std::thread> threads;
  for (int t = 1; t < options.clients; ++t) {
    threads.emplace_back([&, t] { run_client(session, t, seed, first, last); });
  }
  run_client(session, 0, seed, first, last);
  for (auto& thread : threads) thread.join();
  session.close();
  return 0;
}
