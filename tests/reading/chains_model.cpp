// Random chains of fields that are read and fields that the model sends: expressions, operations of
// expressions, files, and what the model receives of all that, against an evaluator of this test's
// own that knows steps as whole numbers. Values are the same bit by bit, whatever the parts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../grids/case_program.hpp"

namespace {

namespace client = epios::client;

constexpr int nx = 7, ny = 5;
constexpr int points = nx * ny;
constexpr int steps = 24;
constexpr double untouched = -123456.75;

using Values = std::vector<double>;
using Series = std::map<int, Values>;  // by step

enum class Reduction { average, accumulate, minimum, maximum };
const char* word_of(Reduction reduction) {
  constexpr const char* words[] = {"average", "accumulate", "minimum", "maximum"};
  return words[static_cast<int>(reduction)];
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int pick(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

double value_at(int salt, int number, int point) {
  const auto mixed =
      static_cast<std::uint64_t>(salt * 7919 + number * 104729 + point * 31) * 0x9e3779b97f4a7c15U;
  return static_cast<double>(static_cast<int>(mixed >> 59U) - 16) / 4;
}

Values made_of(int salt, int number) {
  Values out;
  for (int p = 0; p < points; ++p) out.push_back(value_at(salt, number, p));
  return out;
}

/// Data of a field: what it is at which steps, all of them multiples of `period`.
struct Data {
  std::string id;
  int period = 1;
  Series series;
};

struct Read {
  Data data;
  int salt = 0, records = 0;
  bool is_once = false, is_cyclic = false, is_received = false;
};

/// A field with an expression.
struct Made {
  Data data;
  std::string text;
  int freq_op = 0;  // 0: not given
  bool is_received = false;
};

/// A field whose operation '@' asks for.
struct Operand {
  std::string id, of;
  Reduction reduction = Reduction::average;
  int freq_op = 1;
};

struct Output {
  std::string name, of;
  bool is_instant = false;
  Reduction reduction = Reduction::average;
  int freq_op = 0;  // 0: not given
  Series records;   // by number
};

struct Case {
  std::string id;
  std::vector<Read> reads;
  std::vector<Data> sent;
  std::vector<Made> made;
  std::vector<Operand> operands;
  std::vector<Output> outputs;
  int output_freq = 1;
  bool sends_if_active = false, has_halo = false, skips = false;
  int records_per_part = 0;  // of the output; 0: it is not split
  bool is_set = false;       // the output is a file per server
  bool is_dated = false;     // its records are found by their dates: all are instants
};

Values reduced(Reduction reduction, const std::vector<const Values*>& samples) {
  Values out = *samples.front();
  for (std::size_t s = 1; s < samples.size(); ++s) {
    for (std::size_t p = 0; p < out.size(); ++p) {
      const double next = (*samples[s])[p];
      if (reduction == Reduction::minimum) {
        out[p] = std::min(out[p], next);
      } else if (reduction == Reduction::maximum) {
        out[p] = std::max(out[p], next);
      } else {
        out[p] += next;
      }
    }
  }
  if (reduction == Reduction::average) {
    for (double& value : out) value /= static_cast<double>(samples.size());
  }
  return out;
}

/// Results by number, each of the data in (number * period, (number + 1) * period].
Series results_of(const Series& data, Reduction reduction, int period) {
  Series out;
  for (int n = 0; (n + 1) * period <= steps; ++n) {
    std::vector<const Values*> samples;
    for (const auto& [step, values] : data) {
      if (step > n * period && step <= (n + 1) * period) samples.push_back(&values);
    }
    if (!samples.empty()) out[n] = reduced(reduction, samples);
  }
  return out;
}

class Maker {
 public:
  Maker(std::uint64_t seed, int number) : random_(seed * 1000003 + static_cast<unsigned>(number)) {
    case_.id = "chains" + std::to_string(number);
  }

  Case make() {
    case_.sends_if_active = random_.flip();
    case_.has_halo = random_.flip();
    case_.skips = random_.flip();
    const int reads = random_.pick(1, 3);
    for (int r = 0; r < reads; ++r) add_read(r);
    const int sent = random_.pick(0, 2);
    for (int s = 0; s < sent; ++s) {
      Data data{"s" + std::to_string(s), 1, {}};
      for (int step = 1; step <= steps; ++step) data.series[step] = made_of(100 + s, step);
      case_.sent.push_back(data);
      known_.push_back(data);
    }
    const int made = random_.pick(1, 4);
    for (int e = 0; e < made; ++e) add_made(e);
    int period = 1;
    for (const Data& data : known_) period = std::lcm(period, data.period);
    case_.output_freq = period * (period < 7 ? random_.pick(1, 2) : 1);
    const int outputs = random_.pick(1, 4);
    case_.is_dated = random_.pick(0, 2) == 0;
    for (int o = 0; o < outputs; ++o) add_output(o);
    case_.records_per_part = random_.flip() ? random_.pick(1, 3) : 0;
    case_.is_set = random_.pick(0, 2) == 0;
    return std::move(case_);
  }

 private:
  void add_read(int number) {
    Read read;
    read.salt = number;
    read.data.id = "r" + std::to_string(number);
    read.is_once = random_.pick(0, 4) == 0;
    read.is_cyclic = !read.is_once && random_.pick(0, 2) == 0;
    read.is_received = random_.flip();
    const int period = random_.of(std::vector<int>{1, 2, 3});
    read.data.period = read.is_once ? 1 : period;
    read.records = read.is_once ? 1 : read.is_cyclic ? random_.pick(1, 4) : steps / period + 1;
    for (int step = 0; step <= steps; step += read.data.period) {
      const int record = step / read.data.period;
      read.data.series[step] = made_of(number, read.is_once ? 0 : record % read.records);
    }
    known_.push_back(read.data);
    case_.reads.push_back(std::move(read));
  }

  struct Part {
    std::string text;
    int period = 1;
    bool is_number = false;
    double number = 0;
    Series series;
  };

  Part leaf() {
    if (random_.pick(0, 5) == 0) {
      const int number = random_.pick(1, 9);
      return {std::to_string(number), 1, true, static_cast<double>(number), {}};
    }
    const Data data = random_.of(known_);
    if (freq_op_ > 0 && freq_op_ % data.period == 0 && random_.flip()) {
      Operand operand{"m" + std::to_string(case_.operands.size()), data.id,
                      static_cast<Reduction>(random_.pick(0, 3)), data.period};
      Part part{"@" + operand.id, freq_op_, false, 0, {}};
      for (auto& [n, values] : results_of(data.series, operand.reduction, freq_op_)) {
        part.series[(n + 1) * freq_op_] = values;
      }
      case_.operands.push_back(std::move(operand));
      return part;
    }
    return {data.id, data.period, false, 0, data.series};
  }

  template <class Op>
  static Part combined(std::string text, const Part& a, const Part& b, const Op& op) {
    Part out{std::move(text), std::lcm(a.period, b.period), a.is_number && b.is_number, 0, {}};
    if (out.is_number) out.number = op(a.number, b.number);
    const Series& first = a.is_number ? b.series : a.series;
    for (const auto& [step, values] : first) {
      if (!a.is_number && !b.is_number && !b.series.contains(step)) continue;
      Values& made = out.series[step];
      for (std::size_t p = 0; p < values.size(); ++p) {
        made.push_back(op(a.is_number ? a.number : a.series.at(step)[p],
                          b.is_number ? b.number : b.series.at(step)[p]));
      }
    }
    return out;
  }

  Part part(int depth) {
    if (depth == 0 || random_.pick(0, 3) == 0) return leaf();
    const Part a = part(depth - 1);
    const Part b = part(depth - 1);
    const std::string around = a.text + ", " + b.text + ")";
    switch (random_.pick(0, 4)) {
      case 0:
        return combined("(" + a.text + " + " + b.text + ")", a, b,
                        [](double x, double y) { return x + y; });
      case 1:
        return combined("(" + a.text + " - " + b.text + ")", a, b,
                        [](double x, double y) { return x - y; });
      case 2:
        return combined("(" + a.text + " * " + b.text + ")", a, b,
                        [](double x, double y) { return x * y; });
      case 3:
        return combined("min(" + around, a, b, [](double x, double y) { return std::min(x, y); });
      default:
        return combined("max(" + around, a, b, [](double x, double y) { return std::max(x, y); });
    }
  }

  void add_made(int number) {
    freq_op_ = random_.flip() ? random_.of(std::vector<int>{1, 2, 3, 6, 12}) : 0;
    Part first;
    do {
      first = leaf();
    } while (first.is_number);
    const Part rest = part(2);
    const Part whole = combined(first.text + " + " + rest.text, first, rest,
                                [](double x, double y) { return x + y; });
    Made made;
    made.data = {"e" + std::to_string(number), whole.period, whole.series};
    made.text = whole.text;
    made.freq_op = freq_op_;
    made.is_received = random_.pick(0, 2) != 0;
    known_.push_back(made.data);
    case_.made.push_back(std::move(made));
  }

  void add_output(int number) {
    const Data& data = random_.of(known_);
    Output output;
    output.name = "o" + std::to_string(number);
    output.of = data.id;
    output.is_instant = case_.is_dated || random_.pick(0, 2) == 0;
    output.reduction = static_cast<Reduction>(random_.pick(0, 3));
    const auto owner = std::find_if(case_.made.begin(), case_.made.end(),
                                    [&](const Made& made) { return made.data.id == data.id; });
    const bool inherits = owner != case_.made.end() && owner->freq_op > 0;
    if (output.is_instant) {
      if (inherits) output.freq_op = case_.output_freq;
      for (int n = 0; (n + 1) * case_.output_freq <= steps; ++n) {
        const auto found = data.series.find((n + 1) * case_.output_freq);
        if (found != data.series.end()) output.records[n] = found->second;
      }
    } else {
      if (inherits || random_.flip()) output.freq_op = data.period;
      output.records = results_of(data.series, output.reduction, case_.output_freq);
    }
    case_.outputs.push_back(std::move(output));
  }

  Random random_;
  Case case_;
  std::vector<Data> known_;
  int freq_op_ = 0;
};

/// Rows of a client; with a halo of one point on each side of its array.
struct Part {
  int first = 0, rows = 0, halo = 0;

  Part(const Case& of, int rank, int size)
      : first(ny * rank / size), rows(ny * (rank + 1) / size - first), halo(of.has_halo ? 1 : 0) {}
  std::size_t size() const { return static_cast<std::size_t>((nx + 2 * halo) * (rows + 2 * halo)); }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < nx; ++i) {
        visit(static_cast<std::size_t>((j + halo) * (nx + 2 * halo) + i + halo),
              static_cast<std::size_t>((first + j) * nx + i));
      }
    }
  }
  Values array(const Values& all) const {
    Values out(size(), 7.5e30);
    for_each([&](std::size_t place, std::size_t point) { out[place] = all[point]; });
    return out;
  }
};

std::string hours(int count) { return std::to_string(count) + "h"; }

void define_domain(client::Context& context, const Part& part) {
  context.at("calendar").set("type", "NoLeap").set("timestep", "1h");
  context.at("calendar").set("start_date", "2000-01-01 00:00:00");
  const auto domain = context.at("domain_definition").child("domain", "globe");
  domain.set("type", "rectilinear").set("ni_glo", nx).set("nj_glo", ny);
  domain.set("ibegin", 0).set("ni", nx).set("jbegin", part.first).set("nj", part.rows);
  if (part.halo == 0) return;
  domain.set("data_dim", 2).set("data_ibegin", -1).set("data_jbegin", -1);
  domain.set("data_ni", nx + 2).set("data_nj", part.rows + 2);
}

void write_input(client::Client& client, const Case& of, const Read& read, const Part& part) {
  const std::string id = of.id + "_" + read.data.id;
  client::Context context = client.open_context("write_" + id);
  define_domain(context, part);
  context.at("field_definition").child("field", "x").set("domain_ref", "globe");
  const auto file = context.at("file_definition").child("file");
  file.set("name", id).set("output_freq", "1h");
  file.child("field").set("field_ref", "x").set("operation", "instant").set("prec", 8);
  context.close_definition();
  for (int record = 0; record < read.records; ++record) {
    context.update_calendar(record + 1);
    context.send("x", part.array(made_of(read.salt, record)));
  }
  context.finalize();
}

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

void check(const Part& part, const std::string& what, const Values& got, const Values& wanted) {
  Values expected(got.size(), untouched);
  part.for_each([&](std::size_t place, std::size_t point) { expected[place] = wanted[point]; });
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (got[k] != expected[k]) {
      fail(what + ", place " + std::to_string(k) + ": " + std::to_string(got[k]) + " (expected " +
           std::to_string(expected[k]) + ")");
    }
  }
}

void set_parts(const client::Element& file, const Case& of) {
  if (of.records_per_part > 0) file.set("split_freq", hours(of.records_per_part * of.output_freq));
  if (of.records_per_part > 0) file.set("split_freq_format", "%y%mo%d%h");
  if (of.is_set) file.set("type", "multiple_file");
}

void define_chains(client::Context& context, const Case& of) {
  const auto fields = context.at("field_definition");
  const auto files = context.at("file_definition");
  // What refers to fields that are read stands before them, and behind.
  const auto output = files.child("file", "output");
  output.set("name", of.id + "_out").set("output_freq", hours(of.output_freq));
  set_parts(output, of);
  for (const Output& out : of.outputs) {
    const auto field = output.child("field").set("field_ref", out.of).set("name", out.name);
    field.set("operation", out.is_instant ? "instant" : word_of(out.reduction)).set("prec", 8);
    if (out.freq_op > 0) field.set("freq_op", hours(out.freq_op));
  }
  for (const Read& read : of.reads) {
    const auto file = files.child("file", "in_" + read.data.id).set("mode", "read");
    file.set("name", of.id + "_" + read.data.id).set("cyclic", read.is_cyclic);
    file.set("output_freq", hours(read.is_once ? steps : read.data.period));
    const auto field = file.child("field", read.data.id).set("name", "x");
    field.set("domain_ref", "globe").set("read_access", read.is_received);
    field.set("operation", read.is_once ? "once" : "instant");
  }
  for (const Data& data : of.sent) fields.child("field", data.id).set("domain_ref", "globe");
  for (const Made& made : of.made) {
    const auto field = fields.child("field", made.data.id).set("expr", made.text);
    if (made.freq_op > 0) field.set("freq_op", hours(made.freq_op));
    field.set("read_access", made.is_received);
  }
  for (const Operand& operand : of.operands) {
    const auto field = fields.child("field", operand.id).set("field_ref", operand.of);
    field.set("operation", word_of(operand.reduction)).set("freq_op", hours(operand.freq_op));
    field.set("read_access", false);
  }
}

void receive_at(client::Context& context, const Part& part, int step, const Data& data) {
  Values got(part.size(), untouched);
  const auto found = data.series.find(step);
  const std::string what = "field " + data.id + ", step " + std::to_string(step);
  if (found != data.series.end()) {
    context.receive(data.id, got);
    return check(part, what, got, found->second);
  }
  try {
    context.receive(data.id, got);
  } catch (const client::Error& error) {
    if (std::string(error.what()).find("has no ") != std::string::npos) return;
    throw;
  }
  fail(what + ": received what is not there");
}

void run_chains(client::Client& client, const Case& of, const Part& part, Random random) {
  client::Context context = client.open_context(of.id);
  define_domain(context, part);
  define_chains(context, of);
  context.close_definition();
  for (int step = 0; step <= steps; ++step) {
    context.update_calendar(step);
    std::vector<const Data*> sent;
    for (const Data& data : of.sent) sent.push_back(&data);
    if (random.flip()) std::reverse(sent.begin(), sent.end());
    const auto receive_reads = [&] {
      for (const Read& read : of.reads) {
        if (of.skips && random.pick(0, 2) == 0) continue;
        if (read.is_received || random.pick(0, 3) == 0) receive_at(context, part, step, read.data);
      }
    };
    const bool is_early = random.flip();
    if (is_early) receive_reads();
    for (const Data* data : sent) {
      if (!data->series.contains(step)) continue;
      if (of.sends_if_active && !context.is_active(data->id, true)) continue;
      context.send(data->id, part.array(data->series.at(step)));
    }
    if (!is_early) receive_reads();
    for (const Made& made : of.made) {
      if (!made.is_received || (of.skips && random.pick(0, 2) == 0)) continue;
      receive_at(context, part, step, made.data);
    }
  }
  context.finalize();
}

void check_output(client::Client& client, const Case& of, const Part& part) {
  client::Context context = client.open_context("check_" + of.id);
  define_domain(context, part);
  const auto file = context.at("file_definition").child("file").set("mode", "read");
  file.set("name", of.id + "_out").set("output_freq", hours(of.output_freq));
  set_parts(file, of);
  file.set("time_from_file", of.is_dated);
  const int first =
      of.is_dated ? of.output_freq : 0;  // a record is dated with the end of its period
  for (const Output& out : of.outputs) {
    file.child("field", out.name)
        .set("domain_ref", "globe")
        .set("operation", "instant")
        .set("freq_offset", hours(first));
  }
  context.close_definition();
  for (int n = 0; n < steps / of.output_freq; ++n) {
    context.update_calendar(n * of.output_freq + first);
    for (const Output& out : of.outputs) {
      if (!out.records.contains(n)) continue;
      Values got(part.size(), untouched);
      context.receive(out.name, got);
      check(part, "output " + out.name + " of " + out.of + ", record " + std::to_string(n), got,
            out.records.at(n));
    }
  }
  context.finalize();
}

std::string text_of(const Case& of) {
  std::string out = " every " + hours(of.output_freq);
  for (const Read& read : of.reads) {
    out += "\n  " + read.data.id + " every " + hours(read.data.period) +
           (read.is_once ? " once" : "") + (read.is_cyclic ? " cyclic" : "") +
           (read.is_received ? " received" : "");
  }
  for (const Made& made : of.made) {
    out += "\n  " + made.data.id + " = " + made.text + (made.is_received ? " received" : "") +
           " freq_op " + hours(made.freq_op);
  }
  for (const Operand& operand : of.operands) {
    out += "\n  " + operand.id + " of " + operand.of + " " + word_of(operand.reduction);
  }
  for (const Output& output : of.outputs) {
    out += "\n  " + output.name + " of " + output.of + " " +
           (output.is_instant ? "instant" : word_of(output.reduction)) + " freq_op " +
           hours(output.freq_op);
  }
  return out;
}

void run_client(const grids::CaseOptions& options, const client::Session& session, int index) {
  client::Client client(session, index);
  for (int number = options.first; number <= options.last; ++number) {
    const Case of = Maker(options.seed, number).make();
    const Part part(of, client.rank(), client.size());
    try {
      for (const Read& read : of.reads) write_input(client, of, read, part);
      run_chains(client, of, part, Random(options.seed + static_cast<unsigned>(number)));
      check_output(client, of, part);
    } catch (const std::exception& error) {
      grids::give_up("chains_model", client, number,
                     error.what() + std::string("\n") + text_of(of));
    }
  }
  client.close();
}

}  // namespace

int main(int argc, char** argv) {
  return grids::play_cases(argc, argv, "chains_model", "reading",
                           [](const grids::CaseOptions& options, const client::Session& session) {
                             grids::run_in_threads(options.threads, [&](int thread) {
                               run_client(options, session, thread);
                             });
                           });
}
