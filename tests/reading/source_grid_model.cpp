// Closes the definition of source_grid.xml, says which grid it has then, receives a field of it and
// sends it on to another file. What it has of the grid goes to a file per client.
//   source_grid_model <parts>: whole, rows (of a domain of 3 rows), cells (of one of 6)
#include <cstdint>
#include <cstdio>
#include <epios/epios.hpp>
#include <exception>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

namespace client = epios::client;

void define_part(client::Context& context, const std::string& parts, int rank, int size) {
  if (parts == "rows") {
    const int first = 3 * rank / size;
    context.set("domain", "globe", "jbegin", first);
    context.set("domain", "globe", "nj", 3 * (rank + 1) / size - first);
  } else if (parts == "cells") {  // dealt like cards, the last ones twice
    std::vector<std::int64_t> cells;
    for (std::int64_t cell = rank; cell < 6; cell += size) cells.push_back(cell);
    cells.push_back(cells.back());
    context.at("domain", "globe").set("i_index", std::span<const std::int64_t>(cells));
  }
}

/// Attributes that have a value, with it.
void describe(client::Context& context, const std::string& tag, const std::string& id,
              const std::vector<std::string>& attributes, std::ofstream& out) {
  const client::Element element = context.at(tag, id);
  for (const std::string& attribute : attributes) {
    if (element.is_defined(attribute)) {
      out << tag << ' ' << attribute << " = " << element.get<std::string>(attribute).value()
          << '\n';
    }
  }
}

std::int64_t number(const client::Element& element, const std::string& attribute) {
  return element.get<std::int64_t>(attribute).value();
}

void run(client::Client& client, const std::string& parts) {
  client::Context context = client.open_context("grids");
  define_part(context, parts, client.rank(), client.size());
  context.close_definition();
  std::ofstream out("has." + std::to_string(client.rank()));
  describe(context, "domain", "globe",
           {"type", "ni_glo", "nj_glo", "ibegin", "ni", "jbegin", "nj", "lonvalue_1d",
            "latvalue_1d", "lonvalue_2d", "latvalue_2d", "nvertex", "bounds_lon_1d",
            "bounds_lat_1d", "bounds_lon_2d", "bounds_lat_2d"},
           out);
  describe(context, "axis", "depth", {"n_glo", "begin", "n", "value", "bounds"}, out);
  const client::Element globe = context.at("domain", "globe");
  const std::int64_t cells =
      parts == "cells" ? globe.shape("i_index").front() : number(globe, "ni") * number(globe, "nj");
  std::vector<double> values(
      static_cast<std::size_t>(cells * number(context.at("axis", "depth"), "n")), -1);
  context.update_calendar(0);
  context.receive("temp", values);
  out << "temp =";
  for (const double value : values) out << ' ' << value;
  out << '\n';
  context.update_calendar(1);
  context.send("copy", values);
  context.finalize();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: source_grid_model whole|rows|cells\n");
    return 2;
  }
  try {
    client::Session session("grids");
    client::Client client(session);
    run(client, argv[1]);
    client.close();
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "source_grid_model: %s\n", error.what());
    return 1;
  }
  return 0;
}
