// A C++ model that calls each of the C names of XIOS that public models call: it defines everything
// itself, writes a file in one context and reads it in another. With `server` the last process is
// the server.
#include "caller.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "expect.hpp"

namespace {

constexpr int ni = 4, nj = 3, nk = 2, nl = 2;

template <class Function, class Element>
std::string text_of(const Function& get, Element* element) {
  Text text;
  get(element, text.characters, text_size);
  return text.value();
}

template <class Function, class Element>
int number_of(const Function& get, Element* element) {
  int value = -99;
  get(element, &value);
  return value;
}

template <class Function, class Element>
void set_text(const Function& set, Element* element, const std::string& value) {
  set(element, value.c_str(), static_cast<int>(value.size()));
}

template <class Element, class Function>
Element* made(const Function& make, const std::string& id) {
  Element* element = nullptr;
  make(&element, id.c_str(), static_cast<int>(id.size()));
  expect(element != nullptr, "there is a handle");
  return element;
}

template <class Element, class Function, class Parent>
Element* added(const Function& add, Parent* parent, const std::string& id) {
  Element* element = nullptr;
  add(parent, &element, id.c_str(), static_cast<int>(id.size()));
  expect(element != nullptr, "there is a child");
  return element;
}

template <class Function>
bool is_valid(const Function& ask, const std::string& id) {
  bool valid = false;
  ask(&valid, id.c_str(), static_cast<int>(id.size()));
  return valid;
}

cxios_duration hours(double count) { return {0, 0, 0, count, 0, 0, 0}; }

void set_calendar() {
  xios::CCalendarWrapper* calendar = nullptr;
  cxios_get_current_calendar_wrapper(&calendar);
  set_text(cxios_set_calendar_wrapper_type, calendar, "NoLeap");
  expect(text_of(cxios_get_calendar_wrapper_type, calendar) == "NoLeap", "the calendar");
  cxios_set_calendar_wrapper_timestep(calendar, {0, 0, 0, 0, 0, 3600, 0});
  cxios_create_calendar(calendar);
  cxios_update_calendar_timestep(calendar);
  cxios_duration step{};
  cxios_get_calendar_wrapper_timestep(calendar, &step);
  Text text;
  cxios_duration_convert_to_string(step, text.characters, text_size);
  expect(text.value() == "3600s", "the step as text");
  const std::string six = "6h ";
  expect(cxios_duration_convert_from_string(six.c_str(), static_cast<int>(six.size())).hour == 6,
         "a duration of a text");
  const std::string origin = "1970-01-01 00:00:00 ";
  cxios_set_calendar_wrapper_date_time_origin(
      calendar, cxios_date_convert_from_string(origin.c_str(), static_cast<int>(origin.size())));
  cxios_set_calendar_wrapper_date_start_date(calendar, {2023, 3, 17, 12, 30, 5});
  expect(cxios_is_defined_calendar_wrapper_time_origin(calendar) &&
             cxios_is_defined_calendar_wrapper_start_date(calendar) &&
             cxios_is_defined_calendar_wrapper_timestep(calendar),
         "the calendar has what was set");
  cxios_date date{};
  cxios_get_calendar_wrapper_date_time_origin(calendar, &date);
  expect(date.year == 1970 && date.month == 1 && date.second == 0, "the origin");
  cxios_get_calendar_wrapper_date_start_date(calendar, &date);
  expect(date.year == 2023 && date.day == 17 && date.second == 5, "the start");
  const cxios_date next = cxios_date_add_duration(date, hours(12));
  expect(next.day == 18 && next.hour == 0 && next.minute == 30, "twelve hours later");
  expect(cxios_date_lt(date, next) && !cxios_date_lt(date, date) && cxios_date_le(date, date),
         "dates have an order");
  Text shown;
  cxios_date_convert_to_string(date, shown.characters, text_size);
  expect(shown.value() == "2023-03-17 12:30:05", "a date as text");
}

void make_axis(const std::string& id, int size) {
  expect(!is_valid(cxios_axis_valid_id, id), "no axis yet");
  auto* axis = added<xios::CAxis>(
      cxios_xml_tree_add_axis,
      made<xios::CAxisGroup>(cxios_axisgroup_handle_create, "axis_definition"), id);
  expect(is_valid(cxios_axis_valid_id, id), "now an axis");
  expect(made<xios::CAxis>(cxios_axis_handle_create, id) == axis, "the same handle");
  expect(!cxios_is_defined_axis_n_glo(axis) && !cxios_is_defined_axis_value(axis), "nothing set");
  cxios_set_axis_n_glo(axis, size);
  std::vector<double> values(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) values[static_cast<std::size_t>(i)] = 10. * i;
  cxios_set_axis_value(axis, values.data(), &size);
  set_text(cxios_set_axis_dim_name, axis, "dim_" + id);
  expect(cxios_is_defined_axis_n_glo(axis) && cxios_is_defined_axis_value(axis) &&
             cxios_is_defined_axis_dim_name(axis),
         "the axis has what was set");
  expect(number_of(cxios_get_axis_n_glo, axis) == size, "n_glo");
  std::vector<double> found(values.size());
  cxios_get_axis_value(axis, found.data(), &size);
  expect(found == values, "values of the axis");
}

void make_domain(const std::string& id) {
  expect(!is_valid(cxios_domain_valid_id, id), "no domain yet");
  auto* domain = added<xios::CDomain>(
      cxios_xml_tree_add_domain,
      made<xios::CDomainGroup>(cxios_domaingroup_handle_create, "domain_definition"), id);
  expect(is_valid(cxios_domain_valid_id, id) &&
             made<xios::CDomain>(cxios_domain_handle_create, id) == domain,
         "now a domain");
  expect(!cxios_is_defined_domain_type(domain), "no type yet");
  set_text(cxios_set_domain_type, domain, "rectilinear");
  cxios_set_domain_ni_glo(domain, ni);
  cxios_set_domain_nj_glo(domain, nj);
  cxios_set_domain_ni(domain, ni);
  cxios_set_domain_nj(domain, nj);
  cxios_set_domain_ibegin(domain, 0);
  cxios_set_domain_jbegin(domain, 0);
  std::vector<double> lon{0, 90, 180, 270}, lat{-60, 0, 60};
  int columns = ni, rows = nj;
  cxios_set_domain_lonvalue_1d(domain, lon.data(), &columns);
  cxios_set_domain_latvalue_1d(domain, lat.data(), &rows);
  set_text(cxios_set_domain_dim_i_name, domain, "xdim");
  set_text(cxios_set_domain_dim_j_name, domain, "ydim");
  set_text(cxios_set_domain_lon_name, domain, "longitude");
  set_text(cxios_set_domain_lat_name, domain, "latitude");
  expect(cxios_is_defined_domain_type(domain) && cxios_is_defined_domain_ni_glo(domain) &&
             cxios_is_defined_domain_nj_glo(domain) && cxios_is_defined_domain_ni(domain) &&
             cxios_is_defined_domain_nj(domain) && cxios_is_defined_domain_ibegin(domain) &&
             cxios_is_defined_domain_jbegin(domain) &&
             cxios_is_defined_domain_lonvalue_1d(domain) &&
             cxios_is_defined_domain_latvalue_1d(domain) &&
             cxios_is_defined_domain_dim_i_name(domain) &&
             cxios_is_defined_domain_dim_j_name(domain) &&
             cxios_is_defined_domain_lon_name(domain) && cxios_is_defined_domain_lat_name(domain),
         "the domain has what was set");
  expect(text_of(cxios_get_domain_type, domain) == "rectilinear", "the type");
  expect(number_of(cxios_get_domain_ni_glo, domain) == ni &&
             number_of(cxios_get_domain_nj_glo, domain) == nj &&
             number_of(cxios_get_domain_ni, domain) == ni &&
             number_of(cxios_get_domain_nj, domain) == nj &&
             number_of(cxios_get_domain_ibegin, domain) == 0 &&
             number_of(cxios_get_domain_jbegin, domain) == 0,
         "sizes of the domain");
  std::vector<double> found_lon(lon.size()), found_lat(lat.size());
  cxios_get_domain_lonvalue_1d(domain, found_lon.data(), &columns);
  cxios_get_domain_latvalue_1d(domain, found_lat.data(), &rows);
  expect(found_lon == lon && found_lat == lat, "coordinates of the domain");
}

/// Of the domain, and of axes in its order.
void make_grid(const std::string& id, const std::vector<std::string>& axes) {
  expect(!is_valid(cxios_grid_valid_id, id), "no grid yet");
  auto* grid = added<xios::CGrid>(
      cxios_xml_tree_add_grid,
      made<xios::CGridGroup>(cxios_gridgroup_handle_create, "grid_definition"), id);
  expect(
      is_valid(cxios_grid_valid_id, id) && made<xios::CGrid>(cxios_grid_handle_create, id) == grid,
      "now a grid");
  set_text(cxios_set_grid_name, grid, id);
  expect(cxios_is_defined_grid_name(grid) && text_of(cxios_get_grid_name, grid) == id, "its name");
  auto* domain = made<xios::CDomain>(cxios_domain_handle_create, "ocean");
  const std::string name = "ocean";
  cxios_xml_tree_add_domaintogrid(grid, &domain, name.c_str(), static_cast<int>(name.size()));
  for (const std::string& axis_id : axes) {
    auto* axis = made<xios::CAxis>(cxios_axis_handle_create, axis_id);
    cxios_xml_tree_add_axistogrid(grid, &axis, axis_id.c_str(), static_cast<int>(axis_id.size()));
  }
}

void make_field(const std::string& id, const std::string& grid, bool reads) {
  expect(!is_valid(cxios_field_valid_id, id), "no field yet");
  auto* field = added<xios::CField>(
      cxios_xml_tree_add_field,
      made<xios::CFieldGroup>(cxios_fieldgroup_handle_create, "field_definition"), id);
  expect(is_valid(cxios_field_valid_id, id) &&
             made<xios::CField>(cxios_field_handle_create, id) == field,
         "now a field");
  set_text(cxios_set_field_name, field, id);
  set_text(cxios_set_field_operation, field, "instant");
  set_text(cxios_set_field_grid_ref, field, grid);
  cxios_set_field_read_access(field, reads);
  expect(cxios_is_defined_field_name(field) && cxios_is_defined_field_operation(field) &&
             cxios_is_defined_field_grid_ref(field) && cxios_is_defined_field_read_access(field) &&
             !cxios_is_defined_field_freq_offset(field),
         "the field has what was set");
  expect(text_of(cxios_get_field_name, field) == id &&
             text_of(cxios_get_field_operation, field) == "instant" &&
             text_of(cxios_get_field_grid_ref, field) == grid,
         "texts of the field");
  bool access = !reads;
  cxios_get_field_read_access(field, &access);
  expect(access == reads, "read_access");
}

/// Fields that are only asked, never written.
void ask_fields() {
  auto* field = made<xios::CField>(cxios_field_handle_create, "spare");
  cxios_duration freq{};
  cxios_get_field_freq_op(field, &freq);
  expect(freq.timestep == 2, "freq_op of the XML");
  cxios_set_field_freq_offset(field, hours(1));
  cxios_get_field_freq_offset(field, &freq);
  expect(cxios_is_defined_field_freq_offset(field) && freq.hour == 1, "freq_offset");
  set_text(cxios_set_field_field_ref, field, "flat");
}

xios::CFile* make_file(const std::string& id, const std::string& mode) {
  expect(!is_valid(cxios_file_valid_id, id), "no file yet");
  auto* file = added<xios::CFile>(
      cxios_xml_tree_add_file,
      made<xios::CFileGroup>(cxios_filegroup_handle_create, "file_definition"), id);
  expect(
      is_valid(cxios_file_valid_id, id) && made<xios::CFile>(cxios_file_handle_create, id) == file,
      "now a file");
  set_text(cxios_set_file_name, file, "cxios");
  set_text(cxios_set_file_type, file, "one_file");
  set_text(cxios_set_file_mode, file, mode);
  set_text(cxios_set_file_par_access, file, "collective");
  cxios_set_file_output_freq(file, hours(1));
  expect(cxios_is_defined_file_name(file) && cxios_is_defined_file_type(file) &&
             cxios_is_defined_file_mode(file) && cxios_is_defined_file_par_access(file) &&
             cxios_is_defined_file_output_freq(file) && !cxios_is_defined_file_split_freq(file),
         "the file has what was set");
  expect(text_of(cxios_get_file_name, file) == "cxios" &&
             text_of(cxios_get_file_type, file) == "one_file" &&
             text_of(cxios_get_file_mode, file) == mode &&
             text_of(cxios_get_file_par_access, file) == "collective",
         "texts of the file");
  cxios_duration freq{};
  cxios_get_file_output_freq(file, &freq);
  expect(freq.hour == 1, "output_freq");
  return file;
}

void ask_split_freq() {
  auto* file = made<xios::CFile>(cxios_file_handle_create, "never");
  cxios_set_file_split_freq(file, hours(6));
  cxios_duration freq{};
  cxios_get_file_split_freq(file, &freq);
  expect(cxios_is_defined_file_split_freq(file) && freq.hour == 6, "split_freq");
  expect(!cxios_is_defined_file_split_freq_format(file), "no format yet");
  set_text(cxios_set_file_split_freq_format, file, "%y%mo%d");
  expect(cxios_is_defined_file_split_freq_format(file), "the format of dates in names");
}

void put_into(xios::CFile* file, const std::string& id) {
  auto* field = made<xios::CField>(cxios_field_handle_create, id);
  cxios_xml_tree_add_fieldtofile(file, &field, id.c_str(), static_cast<int>(id.size()));
}

void ask_variables() {
  bool exists = false;
  double wide = 0;
  cxios_get_variable_data_k8("depth", 5, &wide, &exists);
  expect(exists && wide == 0.5, "a double");
  float narrow = 0;
  cxios_get_variable_data_k4("depth", 5, &narrow, &exists);
  expect(exists && narrow == 0.5F, "a float");
  int count = 0;
  cxios_get_variable_data_int("count", 5, &count, &exists);
  expect(exists && count == 7, "an integer");
  bool flag = false;
  cxios_get_variable_data_logic("flag", 4, &flag, &exists);
  expect(exists && flag, "a logical");
  Text text;
  cxios_get_variable_data_char("words", 5, text.characters, text_size, &exists);
  expect(exists && text.value() == "two words", "a text");
  cxios_get_variable_data_int("absent", 6, &count, &exists);
  expect(!exists && count == 7, "no such variable");
}

/// Each value says where and when it is.
std::vector<double> values_of(int size, int step) {
  std::vector<double> out(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) out[static_cast<std::size_t>(i)] = 1000. * step + i;
  return out;
}

void define(const std::string& mode) {
  set_calendar();
  make_domain("ocean");
  make_axis("level", nk);
  make_axis("class", nl);
  make_grid("flat_grid", {});
  make_grid("deep_grid", {"level"});
  make_grid("full_grid", {"level", "class"});
  const bool reads = mode == "read";
  make_field("flat", "flat_grid", reads);
  make_field("deep", "deep_grid", reads);
  xios::CFile* const file = make_file("data", mode);
  put_into(file, "flat");
  put_into(file, "deep");
  if (!reads) {
    make_field("full", "full_grid", reads);
    put_into(file, "full");
    ask_fields();
    ask_split_freq();
  }
  cxios_context_close_definition();
}

void open(const std::string& id, MPI_Fint comm) {
  const int length = static_cast<int>(id.size());
  bool is = true;
  cxios_context_is_initialized(id.c_str(), length, &is);
  expect(!is, "not open yet");
  cxios_context_initialize(id.c_str(), length, &comm);
  cxios_context_is_initialized(id.c_str(), length, &is);
  expect(is, "open now");
  expect(is_valid(cxios_context_valid_id, id), "a context of that name");
  xios::CContext* context = nullptr;
  cxios_context_get_current(&context);
  expect(context != nullptr && text_of(cxios_context_get_id, context) == id, "the current one");
}

void write_file() {
  for (int step = 1; step <= 2; ++step) {
    cxios_update_calendar(step);
    cxios_date date{};
    cxios_get_current_date(&date);
    expect(date.hour == 12 + step && date.minute == 30, "the date of the step");
    cxios_write_data_k82("flat", 4, values_of(ni * nj, step).data(), ni, nj, -1);
    cxios_write_data_k83("deep", 4, values_of(ni * nj * nk, step).data(), ni, nj, nk, -1);
    cxios_write_data_k84("full", 4, values_of(ni * nj * nk * nl, step).data(), ni, nj, nk, nl, -1);
  }
  cxios_context_finalize();
}

void read_file() {
  for (int step = 1; step <= 2; ++step) {
    cxios_update_calendar(step - 1);  // the first record is there at the start
    std::vector<double> flat(ni * nj), deep(ni * nj * nk);
    cxios_read_data_k82("flat", 4, flat.data(), ni, nj);
    cxios_read_data_k83("deep", 4, deep.data(), ni, nj, nk);
    expect(flat == values_of(ni * nj, step), "what was written is read");
    expect(deep == values_of(ni * nj * nk, step), "in three dimensions, too");
  }
  cxios_context_finalize();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && std::strcmp(argv[1], "server") == 0 && rank == size - 1) {
    cxios_init_server();
  } else {
    MPI_Fint none = MPI_Comm_c2f(MPI_COMM_NULL);
    MPI_Fint comm = none;
    cxios_init_client("client", 6, &none, &comm);
    open("writing", comm);
    ask_variables();
    define("write");
    write_file();
    open("reading", comm);
    define("read");
    read_file();
    cxios_finalize();
  }
  MPI_Finalize();
  std::printf("all names were called\n");
  return 0;
}
