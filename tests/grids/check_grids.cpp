// Every value that the files of random cases must hold, worked out point by point from the
// descriptions of all clients, and compared bit by bit with what the distribution's serial NetCDF
// reads.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "meetings.hpp"
#include "random_case.hpp"

namespace {

using grids::Case;
using grids::Client;
using grids::Element;
using grids::Kind;
using grids::Local;
using toy::NetcdfFile;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

int failures = 0;
std::string where;

void fail(const std::string& what) {
  if (++failures <= 20) std::fprintf(stderr, "check_grids: %s: %s\n", where.c_str(), what.c_str());
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void compare(const std::string& name, const std::vector<double>& got,
             const std::vector<double>& expected) {
  if (got.size() != expected.size()) {
    return fail(name + " has " + std::to_string(got.size()) + " values instead of " +
                std::to_string(expected.size()));
  }
  std::size_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (is_same(got[k], expected[k])) continue;
    if (wrong++ == 0) first = k;
  }
  if (wrong == 0) return;
  fail(name + ": " + std::to_string(wrong) + " of " + std::to_string(got.size()) +
       " values are wrong, at " + std::to_string(first) + " " + std::to_string(got[first]) +
       " instead of " + std::to_string(expected[first]));
}

/// The points of a grid, first element fastest, which is the order of files.
template <class Visit>
void for_each_point(const Case& of, int grid, Visit&& visit) {
  const auto& elements = of.grids[static_cast<std::size_t>(grid)].elements;
  std::vector<std::int64_t> point(elements.size(), 0);
  while (true) {
    visit(point);
    std::size_t e = 0;
    for (; e < elements.size(); ++e) {
      if (++point[e] < of.elements[static_cast<std::size_t>(elements[e])].points()) break;
      point[e] = 0;
    }
    if (e == elements.size()) return;
  }
}

/// Whose value of a point is written, and whether it is in the tiles that the client sends.
struct Owner {
  int rank = -1;
  bool is_in_tile = true;
};

double sample(const Case& of, const std::vector<Client>& clients, const grids::Field& field,
              std::int64_t step, const Owner& owner, const std::vector<std::int64_t>& point) {
  if (owner.rank < 0) return nothing;
  const Client& client = clients[static_cast<std::size_t>(owner.rank)];
  if (!owner.is_in_tile && tiles_at(of, client, field, step) > 0) return nothing;
  const double value = value_at(of, field, step, owner.rank, point);
  return field.default_value && value == *field.default_value ? nothing : value;
}

double on_file(double value, const grids::Field& field) {
  if (std::isnan(value) && field.default_value) value = *field.default_value;
  return field.prec == 4 ? static_cast<double>(static_cast<float>(value)) : value;
}

double mean(const Case& of, const std::vector<Client>& clients, const grids::Field& field,
            std::int64_t first, const Owner& owner, const std::vector<std::int64_t>& point) {
  double sum = 0;
  int count = 0;
  for (std::int64_t step = first; step < first + grids::steps_per_average; ++step) {
    const double value = sample(of, clients, field, step, owner, point);
    // A number like others where no value stands for missing ones.
    if (std::isnan(value) && field.default_value) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? nothing : sum / count;
}

void check_field(const NetcdfFile& file, const Case& of, const std::vector<Client>& clients,
                 const grids::Field& field) {
  std::vector<Owner> owners;
  for_each_point(of, field.grid, [&](const std::vector<std::int64_t>& point) {
    Owner owner;
    for (int c = 0; c < static_cast<int>(clients.size()) && owner.rank < 0; ++c) {
      const Client& client = clients[static_cast<std::size_t>(c)];
      const std::int64_t place = place_of(of, client, field.grid, point);
      if (place >= 0) owner = {c, is_in_tile(of, client, field.grid, place)};
    }
    owners.push_back(owner);
  });
  std::vector<double> expected;
  const std::int64_t period = field.is_average ? grids::steps_per_average : 1;
  for (std::int64_t first = 1; first <= grids::steps; first += period) {
    auto owner = owners.begin();
    for_each_point(of, field.grid, [&](const std::vector<std::int64_t>& point) {
      const double value = field.is_average ? mean(of, clients, field, first, *owner, point)
                                            : sample(of, clients, field, first, *owner, point);
      expected.push_back(on_file(value, field));
      ++owner;
    });
  }
  compare(field.id, file.values(field.id), expected);
}

/// What files call a coordinate of an element: several domains of one file are told apart.
std::string variable_of(const NetcdfFile& file, const std::string& name, const Element& element) {
  const std::string longer = name + "_" + element.id;
  for (int v = 0; v < file.variable_count(); ++v) {
    if (file.variable_name(v) == longer) return longer;
  }
  return name;
}

using Gives = std::function<bool(const Local&)>;
/// Which of the points (of a side: columns or rows) any client describes that gives values.
std::vector<bool> known(const std::vector<Client>& clients, std::size_t element, std::size_t points,
                        const Gives& gives,
                        const std::function<std::size_t(std::int64_t)>& point_of) {
  std::vector<bool> out(points, false);
  for (const Client& client : clients) {
    const Local& local = client.elements[element];
    if (!gives(local)) continue;
    for (const std::int64_t cell : local.cells) out[point_of(cell)] = true;
  }
  return out;
}

bool any(const std::vector<bool>& flags) {
  for (const bool flag : flags) {
    if (flag) return true;
  }
  return false;
}

class CoordinateCheck {
 public:
  CoordinateCheck(const NetcdfFile& file, const Case& of, const std::vector<Client>& clients,
                  std::size_t number)
      : file_(file), clients_(clients), number_(number), element_(of.elements[number]) {}

  void run() const {
    const Gives values = [](const Local& local) { return local.gives_coordinates; };
    const Gives bounds = [this](const Local& local) {
      return local.gives_bounds && !(element_.kind == Kind::rectilinear && local.is_listed);
    };
    const auto n = static_cast<std::size_t>(element_.points());
    const auto same = [](std::int64_t cell) { return static_cast<std::size_t>(cell); };
    if (element_.is_domain()) {
      const bool is_curvilinear = element_.kind == Kind::curvilinear;
      const std::string lon = is_curvilinear ? "nav_lon" : "lon";
      const std::string lat = is_curvilinear ? "nav_lat" : "lat";
      if (element_.kind == Kind::rectilinear) {
        const auto column = [this](std::int64_t cell) {
          return static_cast<std::size_t>(cell % element_.ni);
        };
        const auto row = [this](std::int64_t cell) {
          return static_cast<std::size_t>(cell / element_.ni);
        };
        const auto ni = static_cast<std::size_t>(element_.ni);
        const auto nj = static_cast<std::size_t>(element_.nj);
        check(lon, 0, 1, known(clients_, number_, ni, values, column));
        check(lat, 1, 1, known(clients_, number_, nj, values, row));
        check("bounds_" + lon, 10, 2, known(clients_, number_, ni, bounds, column));
        check("bounds_" + lat, 30, 2, known(clients_, number_, nj, bounds, row));
      } else {
        const auto vertices = static_cast<int>(element_.vertices);
        check(lon, 0, 1, known(clients_, number_, n, values, same));
        check(lat, 1, 1, known(clients_, number_, n, values, same));
        check("bounds_" + lon, 10, vertices, known(clients_, number_, n, bounds, same));
        check("bounds_" + lat, 30, vertices, known(clients_, number_, n, bounds, same));
      }
      const Gives area = [](const Local& local) { return local.gives_area; };
      return check("area", 2, 1, known(clients_, number_, n, area, same));
    }
    const auto has_values = known(clients_, number_, n, values, same);
    check_labels();
    check(element_.id, 0, 1, has_values);
    if (any(has_values)) {
      check(element_.id + "_bounds", 10, 2, known(clients_, number_, n, bounds, same));
    }
  }

 private:
  /// `each` values per point: of `what`, what + 1, ...
  void check(const std::string& name, int what, int each, const std::vector<bool>& is_known) const {
    if (!any(is_known)) return;
    std::vector<double> expected;
    for (std::size_t p = 0; p < is_known.size(); ++p) {
      for (int k = 0; k < each; ++k) {
        double value =
            is_known[p] ? coordinate(element_, what + k, static_cast<std::int64_t>(p)) : nothing;
        if (!element_.is_double) value = static_cast<double>(static_cast<float>(value));
        expected.push_back(value);
      }
    }
    const std::string variable = variable_of(file_, name, element_);
    compare(variable, file_.values(variable), expected);
  }

  /// Texts as rows of characters, under the name of the element when it has no values.
  void check_labels() const {
    const Gives gives = [](const Local& local) { return local.gives_labels; };
    const auto n = static_cast<std::size_t>(element_.points());
    const auto is_known = known(clients_, number_, n, gives,
                                [](std::int64_t cell) { return static_cast<std::size_t>(cell); });
    if (!any(is_known)) return;
    bool has_values = false;
    for (const Client& client : clients_) {
      has_values = has_values || client.elements[number_].gives_coordinates;
    }
    const std::string name = has_values ? element_.id + "_label" : element_.id;
    const auto bytes = file_.data(file_.find(name));
    const std::size_t length = bytes.size() / n;
    for (std::size_t p = 0; p < n; ++p) {
      std::string got(reinterpret_cast<const char*>(bytes.data()) + p * length, length);
      got.resize(got.find_last_not_of(std::string(" \0", 2)) + 1);
      const auto index = static_cast<std::int64_t>(p);
      const std::string expected = is_known[p] ? label(element_, index) : std::string();
      if (got != expected) fail(name + " is '" + got + "' instead of '" + expected + "'");
    }
  }

  const NetcdfFile& file_;
  const std::vector<Client>& clients_;
  std::size_t number_;
  const Element& element_;
};

void check_case(const Case& of, int client_count) {
  std::vector<Client> clients;
  for (int c = 0; c < client_count; ++c) clients.push_back(make_client(of, c, client_count));
  for (const bool is_average : {false, true}) {
    const std::string path = of.id + (is_average ? "_means" : "_now") + ".nc";
    where = path;
    std::vector<bool> is_used(of.elements.size(), false);
    bool is_there = false;
    for (const auto& field : of.fields) {
      if (field.is_average != is_average) continue;
      is_there = true;
      for (const int e : of.grids[static_cast<std::size_t>(field.grid)].elements) {
        is_used[static_cast<std::size_t>(e)] = true;
      }
    }
    if (!is_there) continue;
    const NetcdfFile file(path);
    for (const auto& field : of.fields) {
      if (field.is_average == is_average) check_field(file, of, clients, field);
    }
    for (std::size_t e = 0; e < of.elements.size(); ++e) {
      if (is_used[e]) CoordinateCheck(file, of, clients, e).run();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr,
                 "usage: check_grids <seed> <first case> <last case> <processes> <threads>\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const auto rounds = grids::plan(seed, std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]),
                                  std::atoi(argv[5]));
  for (const grids::Round& round : rounds) {
    for (const grids::Meeting& meeting : round.meetings) {
      try {
        check_case(grids::make_case(seed, meeting.number),
                   static_cast<int>(meeting.members.size()));
      } catch (const std::exception& error) {
        fail(error.what());
      }
    }
  }
  if (failures > 0) return 1;
  std::printf("check_grids: all values as computed\n");
  return 0;
}
