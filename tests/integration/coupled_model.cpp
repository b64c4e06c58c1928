// Models that exchange fields, without physics: what each of them sends is a formula, and so is
// what it expects.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "model_clients.hpp"

namespace {

namespace client = epios::client;

constexpr std::int64_t nx = 20;
constexpr std::int64_t ny = 14;

struct Options {
  std::string iodef = "iodef.xml";
  std::string code_id = "ocean";
  std::vector<std::string> contexts = {"sea"};
  std::string layout = "rows";
  std::string mistake = "none";
  int hours = 24;
  int threads = 1;
  bool receives_first = false;
  bool has_coordinates = false;
  bool tells_grid = false;
};

enum class Operation { instant, average, accumulate };

struct Field {
  const char* id;
  const char* sender;
  int number;
  double period_h;
  Operation operation;
  std::int64_t levels;  ///< 0: one value
  bool is_masked = false;
};
constexpr std::array fields{Field{"sst", "sea", 1, 2, Operation::instant, 1, true},
                            Field{"current", "sea", 2, 4, Operation::average, 3},
                            Field{"wind", "sky", 3, 2, Operation::instant, 1},
                            Field{"rain", "sky", 4, 6, Operation::accumulate, 1},
                            Field{"co2", "sky", 5, 2, Operation::instant, 0}};

double step_h(const std::string& context) { return context == "sky" ? 0.5 : 1.0; }
bool is_land(std::int64_t point) { return point % 7 == 3; }
double value_of(const Field& field, double hours, std::int64_t point) {
  return 1e7 * field.number + 1e4 * hours + static_cast<double>(point);
}
/// What is exchanged of the period that ends at `end_h`.
double exchanged(const Field& field, double end_h, std::int64_t point) {
  const double step = step_h(field.sender);
  if (field.operation == Operation::instant) return value_of(field, end_h, point);
  const double mean = value_of(field, end_h - (field.period_h - step) / 2, point);
  return field.operation == Operation::average ? mean : mean * (field.period_h / step);
}

class Model {
 public:
  Model(const Options& options, client::Client& client, const std::string& context)
      : options_(options), id_(context), context_(client.open_context(context)) {
    share_points(client.rank(), client.size());
    for (const std::string domain : {"d", "wet"}) {
      if (domain == "wet" && id_ != "sea") continue;
      describe(domain);
    }
    if (options.mistake == "takes_another" && client.rank() == 1) {
      context_.set("field", "sst", "enabled", false);
    }
  }

  void close_definition() {
    context_.close_definition();
    if (!options_.tells_grid) return;
    const client::Element domain = context_.at("domain", "d");
    const auto values =
        domain.get<std::vector<double>>("lonvalue_1d").value_or(std::vector<double>());
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == static_cast<double>(points_[k]) / 2) continue;
      throw std::runtime_error("longitude " + std::to_string(k) + " is " +
                               std::to_string(values[k]));
    }
    std::printf("%s: domain d is %s of %lld x %lld points, %zu longitudes of %zu here\n",
                id_.c_str(), domain.get<std::string>("type").value_or("nothing").c_str(),
                static_cast<long long>(domain.get<std::int64_t>("ni_glo").value_or(-1)),
                static_cast<long long>(domain.get<std::int64_t>("nj_glo").value_or(-1)),
                values.size(), points_.size());
  }
  double step_length_h() const { return step_h(id_); }

  void begin_step(std::int64_t step) {
    context_.update_calendar(step);
    hours_ = static_cast<double>(step) * step_h(id_);
  }
  void send_all() {
    for (const Field& field : fields) {
      if (field.sender == id_) send(field);
    }
  }
  void receive_all() {
    for (const Field& field : fields) {
      if (field.sender == id_ || !context_.is_active(field.id, true)) continue;
      if (options_.mistake == "ignores" && std::string(field.id) == "rain") continue;
      if (options_.mistake == "sends_late" && field.operation != Operation::instant) continue;
      receive(field, field.id, 1);
      if (std::string(field.id) == "wind") receive(field, "twice_the_wind", 2);
    }
  }
  void finalize() { context_.finalize(); }

 private:
  void share_points(int rank, int size) {
    for (std::int64_t p = 0; p < nx * ny; ++p) {
      const std::int64_t i = p % nx;
      const std::int64_t j = p / nx;
      std::int64_t owner = j * size / ny;
      if (options_.layout == "columns") owner = i * size / nx;
      if (options_.layout == "scattered") owner = (p * 7 + 3) % size;
      if (options_.layout == "last") owner = size - 1;  // the others have nothing
      if (owner == rank) points_.push_back(p);
    }
  }

  void describe(const std::string& domain) {
    std::vector<std::int64_t> i_index;
    std::vector<std::int64_t> j_index;
    std::vector<unsigned char> mask;
    for (const std::int64_t p : points_) {
      i_index.push_back(p % nx);
      j_index.push_back(p / nx);
      mask.push_back(is_land(p) ? 0 : 1);
    }
    const auto count = static_cast<std::int64_t>(points_.size());
    context_.set("domain", domain, "ni", count);
    context_.set("domain", domain, "nj", 1);
    context_.set("domain", domain, "i_index", i_index);
    context_.set("domain", domain, "j_index", j_index);
    if (domain == "wet") context_.set("domain", domain, "mask_1d", mask);
    if (domain == "wet" && options_.has_coordinates) {
      std::vector<double> lon;
      std::vector<double> lat;
      for (const std::int64_t p : points_) {
        lon.push_back(static_cast<double>(p) / 2);
        lat.push_back(-static_cast<double>(p) / 4);
      }
      context_.set("domain", domain, "lonvalue_1d", lon);
      context_.set("domain", domain, "latvalue_1d", lat);
    }
  }

  std::int64_t size_of(const Field& field) const {
    return field.levels == 0 ? 1 : static_cast<std::int64_t>(points_.size()) * field.levels;
  }
  std::int64_t point_of(const Field& field, std::int64_t k) const {
    if (field.levels == 0) return 0;
    const auto count = static_cast<std::int64_t>(points_.size());
    return points_[static_cast<std::size_t>(k % count)] + nx * ny * (k / count);
  }

  /// Of the period that a record is made of.
  bool is_last_of_period(const Field& field) const {
    return field.operation != Operation::instant && std::fmod(hours_, field.period_h) == 0;
  }

  void send(const Field& field) {
    if (options_.mistake == "sends_late" && is_last_of_period(field)) return;
    if (options_.mistake == "skips" && std::string(field.id) == "wind" && hours_ == 6) return;
    std::vector<double> data;
    for (std::int64_t k = 0; k < size_of(field); ++k) {
      const std::int64_t point = point_of(field, k);
      const bool is_hidden = field.is_masked && is_land(point % (nx * ny));
      data.push_back(is_hidden ? 1e30 : value_of(field, hours_, point));
    }
    context_.send(field.id, data);
  }

  void receive(const Field& field, const std::string& id, double factor) {
    std::vector<double> data(static_cast<std::size_t>(size_of(field)), -1.0);
    context_.receive(id, data);
    const double end_h = std::ceil(hours_ / field.period_h) * field.period_h;
    for (std::int64_t k = 0; k < size_of(field); ++k) {
      const std::int64_t point = point_of(field, k);
      const bool is_hidden = field.is_masked && is_land(point % (nx * ny));
      const double expected = is_hidden ? -99 : factor * exchanged(field, end_h, point);
      const double got = data[static_cast<std::size_t>(k)];
      if (got == expected) continue;
      throw std::runtime_error("field " + id + " at hour " + std::to_string(hours_) + ", point " +
                               std::to_string(point) + ": got " + std::to_string(got) +
                               ", expected " + std::to_string(expected));
    }
    ++received_;
  }

 public:
  std::int64_t received() const { return received_; }

 private:
  const Options& options_;
  std::string id_;
  client::Context context_;
  std::vector<std::int64_t> points_;
  double hours_ = 0;
  std::int64_t received_ = 0;
};

/// That coupling has worked before something goes wrong.
std::string received_text(const std::vector<Model>& models) {
  std::int64_t received = 0;
  for (const Model& model : models) received += model.received();
  return "received " + std::to_string(received) + " fields as expected";
}

void run_client(const Options& options, const client::Session& session, int index) {
  client::Client client(session, index);
  if (options.mistake == "never_opens") {
    // Who has been sent a hello by then can say so.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    client.close();
    return;
  }
  std::vector<Model> models;
  models.reserve(options.contexts.size());
  for (const std::string& context : options.contexts) models.emplace_back(options, client, context);
  if (options.mistake == "sleeps") std::this_thread::sleep_for(std::chrono::hours(1));
  for (Model& model : models) model.close_definition();
  const double smallest = 0.5;
  for (std::int64_t tick = 1; tick <= static_cast<std::int64_t>(options.hours / smallest); ++tick) {
    const double hours = static_cast<double>(tick) * smallest;
    std::vector<Model*> due;
    for (Model& model : models) {
      const double step = hours / model.step_length_h();
      if (step != std::floor(step)) continue;
      model.begin_step(static_cast<std::int64_t>(step));
      due.push_back(&model);
    }
    if (options.receives_first) {
      for (Model* const model : due) model->receive_all();
    }
    for (Model* const model : due) model->send_all();
    if (!options.receives_first) {
      for (Model* const model : due) model->receive_all();
    }
    if (options.mistake == "throws" && hours == 6) {
      throw std::runtime_error("the model blew up, " + received_text(models));
    }
    if (options.mistake == "dies" && hours == 6) {
      std::fprintf(stderr, "%s: leaves without a word to EPIOS, %s\n", options.code_id.c_str(),
                   received_text(models).c_str());
      std::_Exit(7);
    }
    if (options.mistake == "stops" && hours == 6) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
  if (options.mistake == "lingers") std::this_thread::sleep_for(std::chrono::seconds(2));
  for (Model& model : models) model.finalize();
  if (client.rank() == 0) {
    std::printf("%s: %s\n", options.code_id.c_str(), received_text(models).c_str());
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Models that exchange fields", "coupled_model"};
  app.add_option("--iodef", options.iodef);
  app.add_option("--code-id", options.code_id);
  app.add_option("--contexts", options.contexts)->delimiter(',');
  app.add_option("--layout", options.layout);
  app.add_option("--mistake", options.mistake);
  app.add_option("--hours", options.hours);
  app.add_option("--threads", options.threads);
  app.add_flag("--receive-first", options.receives_first);
  app.add_flag("--coordinates", options.has_coordinates);
  app.add_flag("--tells-grid", options.tells_grid);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  run_clients(
      options.code_id, options.iodef, options.threads,
      [&](const client::Session& session, int index) { run_client(options, session, index); });
  return 0;
}
