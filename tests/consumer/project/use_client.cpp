// A model in C++ that also links the distribution's serial NetCDF: it reads what use_client.c wrote
// while EPIOS, attached, has a parallel file of its own open. argv: the XML file, the file to read.
#include <netcdf.h>

#include <cstdio>
#include <epios/epios.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check_netcdf(int code) {
  if (code != NC_NOERR) throw std::runtime_error(nc_strerror(code));
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("not so: " + what);
}

std::vector<double> read_heat(const std::string& path) {
  int file = 0;
  int variable = 0;
  int dimensions[NC_MAX_VAR_DIMS];
  std::size_t records = 0;
  std::size_t levels = 0;
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file));
  check_netcdf(nc_inq_varid(file, "heat", &variable));
  check_netcdf(nc_inq_vardimid(file, variable, dimensions));
  check_netcdf(nc_inq_dimlen(file, dimensions[0], &records));
  check_netcdf(nc_inq_dimlen(file, dimensions[1], &levels));
  std::vector<double> values(records * levels);
  check_netcdf(nc_get_var_double(file, variable, values.data()));
  check_netcdf(nc_close(file));
  return values;
}

void run(const std::string& iodef, const std::string& input) {
  epios::client::Session::Options options;
  options.iodef = iodef;
  const epios::client::Session session("consumer", options);
  epios::client::Client client(session);
  epios::client::Context context = client.open_context("consumer");
  context.set("file", "output", "name", "from_cpp");
  context.set("axis", "level", "value", std::vector<double>{0.0, 10.0, 20.0, 30.0});
  context.close_definition();

  context.update_calendar(1);
  context.send("heat", std::vector<double>{5.0, 6.0, 7.0, 8.0});
  const std::vector<double> expected = {1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75};
  expect(read_heat(input) == expected, "use_client.c's file holds what it sent");
  context.update_calendar(2);
  context.send("heat", std::vector<double>{9.0, 10.0, 11.0, 12.0});
  context.finalize();

  const std::vector<epios::client::FileReport> files = context.file_reports();
  expect(files.size() == 1 && files[0].records_written == 2, "one file with two records");
  expect(read_heat(files[0].path) == std::vector<double>{5, 6, 7, 8, 9, 10, 11, 12},
         "our own file holds what we sent");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "use_client: %s\n", error.what());
    return 1;
  }
  return 0;
}
