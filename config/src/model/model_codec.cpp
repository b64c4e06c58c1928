// Encodes the global part of a Model into canonical bytes and decodes them. Writer and Reader go
// through one archive (model_archive.hpp). After reading, all indices are checked, because the
// bytes may be damaged or hostile.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "config/error.hpp"
#include "config/model.hpp"
#include "model/model_archive.hpp"

namespace epios::config {

namespace {

constexpr std::string_view magic = "EPIOSM03";
constexpr std::uint64_t fnv_start = 0xcbf29ce484222325U;

std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash = fnv_start) {
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  return hash;
}

/// Tells builds with another attribute table apart: their bytes mean something else.
std::uint64_t table_hash() {
  std::uint64_t hash = fnv_start;
  for (const AttributeInfo& row : attribute_table()) {
    const std::string text = fmt::format("{} {} {} {};", name(row.element), row.name,
                                         name(row.type), row.scope == Scope::global);
    hash = fnv1a(std::as_bytes(std::span(text)), hash);
  }
  return hash;
}

/// The parts of a duration, in the order of its members.
template <class D, class Visit>
void each_part(D& d, Visit visit) {
  visit(d.year), visit(d.month), visit(d.day), visit(d.hour), visit(d.minute), visit(d.second);
  visit(d.timestep);
}

class Writer {
 public:
  std::vector<std::byte> bytes;

  void raw(std::uint64_t value, int size = 8) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  void value(const char*, bool v) { raw(v ? 1 : 0, 1); }
  void value(const char*, std::uint8_t v) { raw(v, 1); }
  void value(const char*, std::int64_t v) { raw(static_cast<std::uint64_t>(v)); }
  void value(const char*, double v) { raw(std::bit_cast<std::uint64_t>(v)); }
  void value(const char*, const std::string& v) {
    raw(v.size());
    const auto text = std::as_bytes(std::span(v));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void value(const char*, const Duration& v) { duration("", v); }
  template <class T>
  void value(const char*, const Array<T>& v) {
    list("", v.shape, [this](std::int64_t size) { value("", size); });
    list("", v.values, [this](const T& item) { value("", item); });
  }
  void duration(const char*, const Duration& v) {
    each_part(v, [this](double part) { value("", part); });
  }
  void instant(const char*, const Instant& v) { value("", v.ms); }
  template <class E>
  void word(const char*, E v, int) {
    raw(static_cast<std::uint64_t>(v), 1);
  }
  void index(const char*, int v, std::size_t) { raw(static_cast<std::uint64_t>(v), 4); }
  void link(const char*, int v) { raw(static_cast<std::uint64_t>(v) + 1, 4); }
  template <class Items, class Visit>
  void list(const char*, const Items& v, Visit visit) {
    raw(v.size());
    for (const auto& item : v) visit(item);
  }
  template <class T>
  void rare_value(const char* name, const T& v) {
    value(name, v);
  }
  template <class Items, class Visit>
  void rare_list(const char* name, const Items& v, Visit visit) {
    list(name, v, visit);
  }
  void properties(const char*, const std::vector<Property>& v) {
    list("", v, [this](const Property& property) {
      value("", property.name);
      raw(property.value.index(), 1);
      std::visit([this](const auto& held) { value("", held); }, property.value);
    });
  }
  template <class Attributes>
  void attributes(const Attributes& a) {
    for_each_attribute(a, [this](const AttributeInfo& row, const auto& member) {
      if (row.scope == Scope::local) return;
      raw(member ? 1 : 0, 1);
      if (member) value("", *member);
    });
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  [[noreturn]] static void refuse(const std::string& why) {
    throw Error(
        ErrorCode::protocol,
        fmt::format("the bytes of a model cannot be read ({}). Do client and server run the "
                    "same version?",
                    why));
  }

  std::uint64_t raw(std::size_t size = 8) {
    if (rest_.size() < size) refuse("they end too early");
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < size; ++i) {
      result |= std::to_integer<std::uint64_t>(rest_[i]) << (8 * i);
    }
    rest_ = rest_.subspan(size);
    return result;
  }
  bool flag() {
    const std::uint64_t v = raw(1);
    if (v > 1) refuse("a flag is neither 0 nor 1");
    return v == 1;
  }
  void value(const char*, bool& v) { v = flag(); }
  void value(const char*, std::uint8_t& v) { v = flag() ? 1 : 0; }
  void value(const char*, std::int64_t& v) { v = static_cast<std::int64_t>(raw()); }
  void value(const char*, double& v) { v = std::bit_cast<double>(raw()); }
  void value(const char*, std::string& v) {
    const std::uint64_t size = raw();
    if (size > rest_.size()) refuse("a text is longer than what is left");
    const auto length = static_cast<std::size_t>(size);
    v.resize(length);
    if (length > 0) std::memcpy(v.data(), rest_.data(), length);
    rest_ = rest_.subspan(length);
  }
  void value(const char*, Duration& v) { duration("", v); }
  template <class T>
  void value(const char*, Array<T>& v) {
    list("", v.shape, [this](std::int64_t& size) { value("", size); });
    list("", v.values, [this](T& item) { value("", item); });
  }
  void duration(const char*, Duration& v) {
    each_part(v, [this](double& part) { value("", part); });
  }
  void instant(const char*, Instant& v) { value("", v.ms); }
  template <class E>
  void word(const char* name, E& v, int count) {
    const std::uint64_t number = raw(1);
    if (number >= static_cast<std::uint64_t>(count)) refuse(fmt::format("unknown {}", name));
    v = static_cast<E>(number);
  }
  template <class Id>
  void index(const char* name, Id& v, std::size_t count) {
    const std::uint64_t number = raw(4);
    if (number >= count) refuse(fmt::format("{} {} does not exist", name, number));
    v = Id(static_cast<int>(number));
  }
  template <class Id>
  void link(const char* name, Id& v) {
    const std::uint64_t number = raw(4);
    if (number > std::numeric_limits<int>::max()) refuse(fmt::format("{} is out of range", name));
    v = Id(static_cast<int>(number) - 1);
  }
  template <class T>
  void rare_value(const char* name, T& v) {
    value(name, v);
  }
  template <class Items, class Visit>
  void rare_list(const char* name, Items& v, Visit visit) {
    list(name, v, visit);
  }
  template <class Items, class Visit>
  void list(const char*, Items& v, Visit visit) {
    const std::uint64_t count = raw();
    // Every item takes a byte at least; growing by items keeps memory in proportion to the input.
    if (count > rest_.size()) refuse("a list is longer than what is left");
    for (std::uint64_t i = 0; i < count; ++i) visit(v.emplace_back());
  }
  void properties(const char*, std::vector<Property>& v) {
    list("", v, [this](Property& property) {
      value("", property.name);
      const std::uint64_t alternative = raw(1);
      if (alternative >= std::variant_size_v<Value>) refuse("a value of an unknown type");
      emplace(property.value, alternative, std::make_index_sequence<std::variant_size_v<Value>>());
    });
  }
  template <class Attributes>
  void attributes(Attributes& a) {
    for_each_attribute(a, [this](const AttributeInfo& row, auto& member) {
      if (row.scope == Scope::local || !flag()) return;
      value("", member.emplace());
    });
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  template <std::size_t... I>
  void emplace(Value& v, std::uint64_t alternative, std::index_sequence<I...>) {
    ((I == alternative ? value("", v.emplace<I>()) : void()), ...);
  }

  std::span<const std::byte> rest_;
};

/// Not on the wire: a stream's file follows from the files' lists, and each stream is in one file.
void restore_links(Model& model) {
  IndexedVector<StreamId, bool> has_file(model.streams.size(), false);
  for (const FileId file : model.files.ids()) {
    for (const StreamId stream : model.files[file].streams) {
      if (has_file[stream]) Reader::refuse("a field is in two files");
      has_file[stream] = true;
      model.streams[stream].file = file;
    }
  }
  for (const bool linked : has_file) {
    if (!linked) Reader::refuse("a field is in no file");
  }
  for (ReadField& field : model.read_fields) field.file = ReadFileId();
  for (const ReadFileId file : model.read_files.ids()) {
    for (const ReadFieldId field : model.read_files[file].fields) {
      model.read_fields[field].file = file;
    }
  }
  for (const ReadField& field : model.read_fields) {
    if (field.file < 0) Reader::refuse("a field that is read is in no file");
  }
  for (const ReadFieldId i : model.read_fields.ids()) {
    const SourceId source = model.read_fields[i].source;
    if (source == -1) continue;
    if (!model.sources.contains(source)) Reader::refuse("data come from nowhere");
    model.sources[source].read_field = i;
  }
  for (Stream& result : model.results) result.file = FileId();
}

/// Data come from a source or from one of the first expressions, not from both.
void check_data(const Model& model, SourceId source, ExpressionId expression, ExpressionId end) {
  const bool is_sent = model.sources.contains(source) && expression == -1;
  const bool is_computed = expression >= 0 && expression < end && source == -1;
  if (!is_sent && !is_computed) Reader::refuse("data come from nowhere");
}

/// Whoever evaluates the nodes in their order must find all arguments there. Types are not on the
/// wire: they follow from the operands.
void complete_expression(Model& model, ExpressionId number) {
  auto& nodes = model.expressions[number].nodes;
  if (nodes.empty()) Reader::refuse("an expression is empty");
  for (const ExpressionNodeId at : nodes.ids()) {
    FieldExpressionNode& node = nodes[at];
    node.type = is_data(node.op) ? ExpressionType::field : ExpressionType::scalar;
    if (is_data(node.op)) check_data(model, node.source, node.expression, number);
    if (node.variable != -1 && !model.variables.contains(node.variable)) {
      Reader::refuse("a variable of an expression does not exist");
    }
    if (std::cmp_not_equal(node.arguments.size(), argument_count(node.op))) {
      Reader::refuse("an operation has another number of arguments");
    }
    for (const ExpressionNodeId argument : node.arguments) {
      if (argument < 0 || argument >= at) {
        Reader::refuse("an argument comes after its operation");
      }
      const ExpressionType type = nodes[argument].type;
      if (type == ExpressionType::field) node.type = type;
    }
    if (node.op == ExpressionOp::temporal && node.type != ExpressionType::field) {
      Reader::refuse("a temporal operation has no data");
    }
  }
}

void check_coupler(const Model& model, const Coupler& coupler) {
  const bool is_in = coupler.kind == ElementKind::coupler_in;
  if (!is_in && coupler.kind != ElementKind::coupler_out) Reader::refuse("unknown kind of coupler");
  for (const CoupledField& field : coupler.fields) {
    if (is_in && field.grid == -1 && field.source == -1 && field.expression == -1) continue;
    if (!model.grids.contains(field.grid)) Reader::refuse("a field has no grid");
    check_data(model, field.source, field.expression, model.expressions.end_id());
  }
}

void check_links(Model& model) {
  for (const Coupler& coupler : model.couplers) check_coupler(model, coupler);
  for (const ExpressionId i : model.expressions.ids()) complete_expression(model, i);
  for (const Stream& stream : model.streams) {
    check_data(model, stream.source, stream.expression, model.expressions.end_id());
  }
  for (const Stream& result : model.results) {
    check_data(model, result.source, result.expression, model.expressions.end_id());
  }
}

}  // namespace

std::vector<std::byte> encode(const Model& model) {
  Writer writer;
  const auto head = std::as_bytes(std::span(magic));
  writer.bytes.assign(head.begin(), head.end());
  writer.raw(table_hash());
  describe(writer, model);
  writer.raw(fnv1a(writer.bytes));
  return std::move(writer.bytes);
}

Model decode_model(std::span<const std::byte> bytes) {
  const auto head = std::as_bytes(std::span(magic));
  if (bytes.size() < head.size() + 16 || !std::equal(head.begin(), head.end(), bytes.begin())) {
    Reader::refuse("they do not begin like a model");
  }
  const auto body = bytes.first(bytes.size() - 8);
  if (Reader(bytes.last(8)).raw() != fnv1a(body)) Reader::refuse("the checksum does not match");
  Reader reader(body.subspan(head.size()));
  if (reader.raw() != table_hash()) Reader::refuse("they were made with another attribute table");
  Model model;
  describe(reader, model);
  if (!reader.is_at_end()) Reader::refuse("something follows their end");
  restore_links(model);
  check_links(model);
  return model;
}

std::uint64_t global_hash(const Model& model) { return fnv1a(encode(model)); }

}  // namespace epios::config
