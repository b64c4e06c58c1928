// Random expressions in random chains of operations, through clients, threads and servers into
// files: bit by bit what one workflow over the whole grid makes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <epios/epios.hpp>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "config/definitions.hpp"
#include "config/model.hpp"
#include "shared_scratch.hpp"
#include "workflow/workflow.hpp"

namespace epios::client::random_chains_test {
namespace {

constexpr int contexts = 16;
constexpr int points = 30;
constexpr int steps = 24;
constexpr int sources = 3;

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int pick(int first, int last) {
    return first + static_cast<int>(random_() % static_cast<unsigned>(last - first + 1));
  }
  template <class T>
  T one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(pick(0, static_cast<int>(choices.size()) - 1))];
  }

 private:
  std::mt19937 random_;
};

/// One context. Periods are 1, 2 or 4 time steps, so that all data meet.
class Configuration {
 public:
  explicit Configuration(int number) : dice_(static_cast<unsigned>(number)) {
    for (int s = 0; s < sources; ++s) periods_[fmt::format("s{}", s)] = 1;
    std::string fields;
    for (int s = 0; s < sources; ++s) {
      fields += fmt::format(
          "<field id='s{}' operation='{}' default_value='-9' "
          "detect_missing_value='{}'/>",
          s, operation(), dice_.one_of<std::string>({"true", "false"}));
    }
    const int expressions = dice_.pick(2, 5);
    for (int e = 0; e < expressions; ++e) {
      least_ = 1;
      has_results_ = false;
      const std::string text = operand() + " + " + expression(2);
      const int period = has_results_ ? std::max(least_, 1 << dice_.pick(1, 2)) : least_;
      periods_[fmt::format("e{}", e)] = period;
      fields += fmt::format("<field id='e{}' operation='{}' freq_op='{}ts' expr='{}'/>", e,
                            operation(), period, text);
    }
    xml_ = fmt::format(
        "<context id='c{}'><calendar type='{}' timestep='{}' start_date='2000-02-28'/>"
        "<axis_definition><axis id='a' n_glo='{}'/></axis_definition><field_definition "
        "axis_ref='a' "
        "prec='8'>{}</field_definition><file_definition>{}</file_definition></context>",
        number, dice_.one_of<std::string>({"Gregorian", "Julian", "NoLeap", "AllLeap", "D360"}),
        dice_.one_of<std::string>({"1h", "20mi", "1d", "90s"}), points, fields,
        file(number, expressions, 1) + file(number, expressions, 2));
  }
  const std::string& xml() const { return xml_; }

 private:
  std::string operation() {
    return dice_.one_of<std::string>({"average", "accumulate", "minimum", "maximum", "instant"});
  }
  std::string operand() {
    auto chosen = periods_.begin();
    std::advance(chosen, dice_.pick(0, static_cast<int>(periods_.size()) - 1));
    least_ = std::max(least_, chosen->second);
    const bool is_result = dice_.pick(0, 2) == 0;
    has_results_ = has_results_ || is_result;
    return (is_result ? "@" : "") + chosen->first;
  }
  std::string expression(int depth) {
    const auto part = [&] { return expression(depth - 1); };
    switch (depth == 0 ? 0 : dice_.pick(0, 6)) {
      case 0:
        return operand();
      case 1:
        return fmt::format("sqrt(abs({}))", part());
      case 2:
        return fmt::format("(({}) &lt; ({}) and not ({}) ? ({}) : 2)", part(), part(), part(),
                           part());
      case 3:
        return fmt::format("max({}, ({}) ^ 2)", part(), part());
      case 4:
        return fmt::format("({}) / ({})", part(), part());
      case 5:
        return fmt::format("exp(sin({}))", part());
      default:
        return fmt::format("(({}) * ({}) - 0.25)", part(), part());
    }
  }
  std::string file(int context, int expressions, int number) {
    const int output = 4 * number;
    std::string out = fmt::format("<file id='f{0}' name='c{1}_{0}' output_freq='{2}ts'>", number,
                                  context, output);
    for (int e = 0; e < expressions; ++e) {
      out += fmt::format(
          "<field field_ref='e{0}' name='v{0}' operation='{1}'{2}/>", e, operation(),
          dice_.pick(0, 1) == 0 ? " detect_missing_value='true' default_value='1e20'" : "");
    }
    return out + "</file>";
  }

  Dice dice_;
  std::map<std::string, int> periods_;
  int least_ = 1;  // of the expression under way
  bool has_results_ = false;
  std::string xml_;
};

std::string iodef() {
  std::string out = "<simulation>";
  for (int c = 0; c < contexts; ++c) out += Configuration(c).xml();
  return out + "</simulation>";
}

/// What the model has at a point of the grid.
double value(int context, int source, int step, std::int64_t point) {
  const std::uint32_t seed =
      static_cast<std::uint32_t>(((context * 7 + source) * 101 + step) * 997) +
      static_cast<std::uint32_t>(point) * 2'654'435'761U;
  const auto chosen = static_cast<int>(seed >> 13U & 31U);
  return chosen == 0 ? -9 : static_cast<double>(chosen - 16) / 4;
}

/// The sources in the order of a step, the same on all clients.
std::vector<int> order_of(int context, int step) {
  std::vector<int> out = {0, 1, 2};
  std::rotate(out.begin(), out.begin() + (context + step) % 3, out.end());
  if (step % 2 == 0) std::swap(out[0], out[1]);
  return out;
}

void run_context(Client& client, int number) {
  const std::int64_t begin = points * client.rank() / client.size();
  const std::int64_t count = points * (client.rank() + 1) / client.size() - begin;
  const std::int64_t halo = client.rank() % 2;
  Context context = client.open_context(fmt::format("c{}", number));
  context.set("axis", "a", "begin", begin);
  context.set("axis", "a", "n", count);
  if (halo > 0) {
    context.set("axis", "a", "data_begin", -halo);
    context.set("axis", "a", "data_n", count + 2 * halo);
  }
  context.close_definition();
  std::vector<double> array(static_cast<std::size_t>(count + 2 * halo), 1e30);
  for (int step = 1; step <= steps; ++step) {
    context.update_calendar(step);
    for (const int source : order_of(number, step)) {
      const std::string id = fmt::format("s{}", source);
      for (std::int64_t k = 0; k < count; ++k) {
        array[static_cast<std::size_t>(k + halo)] = value(number, source, step, begin + k);
      }
      // Some models borrow, some ask before they compute.
      const Field field = context.field(id);
      if (client.rank() == 0 && number % 2 == 0) {
        const std::span<double> lent = field.borrow();
        std::copy_n(array.begin(), lent.size(), lent.begin());
        field.send(lent);
      } else if (number % 3 != 0 || field.is_active(true)) {
        field.send(array);
      }
    }
  }
  context.finalize();
}

/// Records of a stream by number, as one workflow makes them.
using Records = std::map<std::int64_t, std::vector<double>>;

struct Keeper : io::Sink {
  explicit Keeper(Records& records) : records_(records) {}
  void put(std::int64_t record, std::int64_t /*samples*/, const io::ArrayValues& values) override {
    const auto array = std::get<std::span<const double>>(values.values);
    std::vector<double>& kept = records_[record];
    kept.assign(array.begin(), array.end());
  }

 private:
  Records& records_;
};

std::vector<Records> expected(const config::Model& model, int number) {
  std::vector<Records> out(model.streams.size());
  const config::Calendar calendar = model.calendar();
  const io::LocalParts parts(model);
  io::Workflow workflow(model, parts, [&](int stream) {
    return std::make_unique<Keeper>(out[static_cast<std::size_t>(stream)]);
  });
  std::vector<double> array(points);
  for (int step = 1; step <= steps; ++step) {
    for (const int source : order_of(number, step)) {
      const int known = model.find_source(fmt::format("s{}", source));
      if (known < 0) continue;
      for (int p = 0; p < points; ++p) {
        array[static_cast<std::size_t>(p)] = value(number, source, step, p);
      }
      workflow.send(known, calendar.at_step(model.start_date, step),
                    std::span<const double>(array));
    }
  }
  workflow.finish(calendar.at_step(model.start_date, steps));
  return out;
}

bool is_same(double got, double wanted) {
  return std::isnan(wanted)
             ? std::isnan(got)
             : std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(wanted);
}

void compare(const config::Model& model, const std::vector<Records>& wanted) {
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    const config::Stream& stream = nth(model.streams, s);
    const std::string path = model.files[stream.file].path;
    SCOPED_TRACE(path + " " + stream.name + ": " + model.expressions[stream.expression].text);
    int file = -1;
    int variable = -1;
    ASSERT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
    ASSERT_EQ(nc_inq_varid(file, stream.name.c_str(), &variable), NC_NOERR);
    ASSERT_EQ(wanted[s].size(), steps * 1.0 / (stream.file == 0 ? 4 : 8));
    for (const auto& [record, values] : wanted[s]) {
      const std::size_t start[] = {static_cast<std::size_t>(record), 0};
      const std::size_t count[] = {1, points};
      std::vector<double> got(points);
      ASSERT_EQ(nc_get_vara_double(file, variable, start, count, got.data()), NC_NOERR);
      for (std::size_t p = 0; p < got.size(); ++p) {
        const double marked = stream.attributes.default_value.value_or(NAN);
        const double value = std::isnan(values[p]) ? marked : values[p];
        ASSERT_TRUE(is_same(got[p], value))
            << "record " << record << " point " << p << ": " << got[p] << " not " << value;
      }
    }
    nc_close(file);
  }
}

/// Of a process: clients, or a server.
int clients_of(int rank, int size) {
  if (size == 1) return 3;
  if (size == 2) return rank == 0 ? 1 : 0;
  return rank == 0 ? 1 : rank == 1 ? 2 : 0;
}

TEST(RandomChains, FilesAreThoseOfOneWorkflowInAnyLayout) {
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string xml = iodef();
  const SharedScratch scratch(xml);
  const int clients = clients_of(rank, size);
  if (clients == 0) {
    EXPECT_EQ(epios_serve(MPI_COMM_WORLD), EPIOS_SUCCESS) << epios_last_error();
    return;
  }
  Session::Options options;
  options.clients = clients;
  Session session("model", options);
  const auto run = [&](int index) {
    Client client(session, index);
    for (int c = 0; c < contexts; ++c) run_context(client, c);
    client.close();
  };
  std::vector<std::thread> others;
  for (int index = 1; index < clients; ++index) others.emplace_back(run, index);
  run(0);
  for (std::thread& other : others) other.join();
  session.close();
  if (rank != 0) return;
  const config::Definitions definitions{config::Document({{"iodef.xml", xml}})};
  for (int c = 0; c < contexts; ++c) {
    const config::Model model = definitions.resolve(fmt::format("c{}", c));
    compare(model, expected(model, c));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace epios::client::random_chains_test
