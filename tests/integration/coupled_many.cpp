// Many contexts of many components that exchange a field each: who meets whom, and when.
#include <CLI/CLI.hpp>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <epios/epios.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "model_clients.hpp"

namespace {

namespace client = epios::client;

constexpr std::int64_t points = 24;

struct Options {
  std::string code_id = "ocean";
  std::vector<std::string> contexts;  ///< "sea", or "sea:0-1" for those on some clients only
  std::vector<std::string> fields;    ///< "sea_sky": from one context to the other
  int threads = 1;
  int steps = 4;
  bool lives_on = false;
  bool one_after_the_other = false;
  bool step_by_step = false;
  int late_ms = 0;                 ///< so much later the last client opens its contexts
  std::vector<std::string> again;  ///< contexts that are opened when those have ended
};

/// "sea:0-1"
struct Place {
  std::string id;
  int first = 0;
  int last = 0;
};
Place place_of(const std::string& text, int clients) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {text, 0, clients - 1};
  const auto dash = text.find('-', colon);
  return {text.substr(0, colon), std::stoi(text.substr(colon + 1)),
          std::stoi(text.substr(dash + 1))};
}

double value_of(const std::string& field, std::int64_t step, std::int64_t point) {
  double out = 0;
  for (const char c : field) out = out * 3 + c;
  return out + 1000.0 * static_cast<double>(step) + static_cast<double>(point);
}

class Model {
 public:
  Model(const Options& options, client::Client& client, const Place& place, int clients)
      : id_(place.id), context_(open(client, place, clients)) {
    const std::int64_t size = place.last - place.first + 1;
    const std::int64_t rank = client.rank() - place.first;
    first_ = points * rank / size;
    count_ = points * (rank + 1) / size - first_;
    context_.set("domain", "d", "ibegin", first_);
    context_.set("domain", "d", "ni", count_);
    for (const std::string& field : options.fields) {
      const auto bar = field.find('_');
      if (field.substr(0, bar) == id_) sent_.push_back(field);
      if (field.substr(bar + 1) == id_) received_.push_back(field);
    }
  }

  const std::string& id() const { return id_; }
  void close_definition() { context_.close_definition(); }
  void begin_step(std::int64_t step) {
    step_ = step;
    context_.update_calendar(step);
  }
  void send_all() {
    for (const std::string& field : sent_) {
      std::vector<double> data;
      for (std::int64_t p = 0; p < count_; ++p) data.push_back(value_of(field, step_, first_ + p));
      context_.send(field, data);
    }
  }
  void receive_all() {
    for (const std::string& field : received_) {
      std::vector<double> data(static_cast<std::size_t>(count_));
      context_.receive(field, data);
      for (std::int64_t p = 0; p < count_; ++p) {
        if (data[static_cast<std::size_t>(p)] == value_of(field, step_, first_ + p)) continue;
        throw std::runtime_error("field " + field + " is not what was sent");
      }
      ++as_expected_;
    }
  }
  void finalize() { context_.finalize(); }
  int as_expected() const { return as_expected_; }

 private:
  static client::Context open(client::Client& client, const Place& place, int clients) {
    if (place.first == 0 && place.last == clients - 1) return client.open_context(place.id);
    std::vector<int> ranks;
    for (int rank = place.first; rank <= place.last; ++rank) ranks.push_back(rank);
    return client.open_context(place.id, ranks);
  }

  std::string id_;
  client::Context context_;
  std::int64_t first_ = 0, count_ = 0, step_ = 0;
  std::vector<std::string> sent_, received_;
  int as_expected_ = 0;
};

void run_steps(const Options& options, std::vector<Model>& models) {
  if (options.one_after_the_other) {
    for (Model& model : models) {
      for (std::int64_t step = 1; step <= options.steps; ++step) {
        model.begin_step(step);
        model.send_all();
        model.receive_all();
      }
    }
    return;
  }
  if (options.step_by_step) {  // whole steps, context by context
    for (std::int64_t step = 1; step <= options.steps; ++step) {
      for (Model& model : models) {
        model.begin_step(step);
        model.send_all();
        model.receive_all();
      }
    }
    return;
  }
  for (std::int64_t step = 1; step <= options.steps; ++step) {
    for (Model& model : models) model.begin_step(step);
    for (Model& model : models) model.send_all();
    for (Model& model : models) model.receive_all();
  }
}

/// From their opening to their end. How many fields have come as expected.
int run_contexts(const Options& options, client::Client& client,
                 const std::vector<std::string>& contexts) {
  std::vector<Model> models;
  for (const std::string& text : contexts) {
    const Place place = place_of(text, client.size());
    if (client.rank() < place.first || client.rank() > place.last) continue;
    models.emplace_back(options, client, place, client.size());
  }
  for (Model& model : models) model.close_definition();
  run_steps(options, models);
  int as_expected = 0;
  for (Model& model : models) {
    model.finalize();
    as_expected += model.as_expected();
  }
  return as_expected;
}

void run_client(const Options& options, const client::Session& session, int index,
                std::barrier<>& gate) {
  client::Client client(session, index);
  if (client.rank() == client.size() - 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(options.late_ms));
  }
  try {
    int as_expected = run_contexts(options, client, options.contexts);
    if (!options.again.empty()) {
      gate.arrive_and_wait();  // all clients have ended those before
      as_expected += run_contexts(options, client, options.again);
    }
    std::printf("%s client %d: %d fields as expected\n", options.code_id.c_str(), client.rank(),
                as_expected);
  } catch (const std::exception& error) {
    if (!options.lives_on) throw;
    // As a model that looks at return codes, and goes on with something else.
    std::fprintf(stderr, "%s client %d goes on: %s\n", options.code_id.c_str(), client.rank(),
                 error.what());
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Many contexts that exchange a field each", "coupled_many"};
  app.add_option("--code-id", options.code_id);
  app.add_option("--contexts", options.contexts)->delimiter(',');
  app.add_option("--fields", options.fields)->delimiter(',');
  app.add_option("--threads", options.threads);
  app.add_option("--steps", options.steps);
  app.add_option("--late", options.late_ms);
  app.add_flag("--lives-on", options.lives_on);
  app.add_flag("--one-after-the-other", options.one_after_the_other);
  app.add_flag("--step-by-step", options.step_by_step);
  app.add_option("--again", options.again)->delimiter(',');
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  std::barrier<> gate(options.threads);
  run_clients(options.code_id, "iodef.xml", options.threads,
              [&](const client::Session& session, int index) {
                run_client(options, session, index, gate);
              });
  return 0;
}
