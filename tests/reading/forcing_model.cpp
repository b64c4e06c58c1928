// Receives a field of forcing.xml for some steps and writes the rows that it has to a file of its
// own: what several processes print may be mixed. Environment: STRIDE (steps that the calendar goes
// at a time), CATCH (an error is written there, too, and the model goes on), BEFORE ("2 command":
// what client 0 does before step 2, when servers have read ahead). An error that ends the run is in
// error.<client>, and no client ends before all have said theirs, or some seconds are over.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <epios/epios.hpp>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int nx = 4, ny = 3;

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

void do_before(int step) {
  const char* const text = std::getenv("BEFORE");
  if (text == nullptr || std::atoi(text) != step) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  const std::string command = std::strchr(text, ' ');
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot do '" + command + "'");
}

bool exists(const std::string& path) { return std::ifstream(path).good(); }

void tell(const epios::client::Client& client, const char* error) {
  const auto name = [](int rank) { return "error." + std::to_string(rank); };
  std::ofstream(name(client.rank())) << error << std::endl;
  for (int tries = 0; tries < 100; ++tries) {
    int told = 0;
    for (int rank = 0; rank < client.size(); ++rank) told += exists(name(rank)) ? 1 : 0;
    if (told == client.size()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void run(epios::client::Client& client, const std::string& field, int steps) {
  const int first = ny * client.rank() / client.size();
  const int rows = ny * (client.rank() + 1) / client.size() - first;
  epios::client::Context context = client.open_context("forcing");
  context.set("domain", "globe", "ibegin", 0);
  context.set("domain", "globe", "ni", nx);
  context.set("domain", "globe", "jbegin", first);
  context.set("domain", "globe", "nj", rows);
  context.close_definition();
  std::ofstream rows_file("rows." + std::to_string(client.rank()));
  const int stride = number_in("STRIDE", 1);
  const bool goes_on = number_in("CATCH", 0) != 0;
  for (int step = 0; step < steps; ++step) {
    if (client.rank() == 0) do_before(step);
    std::vector<double> values(static_cast<std::size_t>(nx * rows), -1);
    try {
      context.update_calendar(step * stride);
      context.receive(field, values);
    } catch (const std::exception& error) {
      if (!goes_on) throw;
      rows_file << "step " << step << " client " << client.rank() << ": " << error.what() << '\n';
      continue;
    }
    for (int j = 0; j < rows; ++j) {
      std::string line = "step " + std::to_string(step) + " row " + std::to_string(first + j) + ":";
      for (int i = 0; i < nx; ++i) {
        char text[40];
        std::snprintf(text, sizeof text, " %g", values[static_cast<std::size_t>(j * nx + i)]);
        line += text;
      }
      rows_file << line << '\n';
    }
  }
  context.finalize();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: forcing_model <field> <steps>\n");
    return 2;
  }
  try {
    epios::client::Session session("forcing");
    epios::client::Client client(session);
    try {
      run(client, argv[1], std::atoi(argv[2]));
    } catch (const std::exception& error) {
      tell(client, error.what());
      throw;
    }
    client.close();
    session.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "forcing_model: %s\n", error.what());
    return 1;
  }
  return 0;
}
