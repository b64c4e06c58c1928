// A C++ program that calls the C names of XIOS that no public model declares: two contexts at once,
// of which the second reads what the first has written. With `short` it asks for a text that its
// buffer does not hold, which ends the job.
#include "caller_derived.hpp"

#include <dlfcn.h>

#include <cmath>
#include <string>
#include <vector>

#include "expect.hpp"

namespace {

constexpr int levels = 3, label_size = 8;

template <class Element, class Function>
Element* found(const Function& find, const std::string& id) {
  Element* element = nullptr;
  find(&element, id.c_str(), static_cast<int>(id.size()));
  expect(element != nullptr, "there is a handle");
  return element;
}

xios::CContext* opened(const std::string& id, MPI_Fint comm) {
  cxios_context_initialize(id.c_str(), static_cast<int>(id.size()), &comm);
  xios::CContext* context = nullptr;
  cxios_context_get_current(&context);
  return context;
}

std::string current_id() {
  xios::CContext* context = nullptr;
  cxios_context_get_current(&context);
  Text text;
  cxios_context_get_id(context, text.characters, text_size);
  return text.value();
}

void set_variables() {
  bool exists = false;
  double wide = 0;
  cxios_set_variable_data_k8("real", 4, 0.1, &exists);
  cxios_get_variable_data_k8("real", 4, &wide, &exists);
  expect(exists && wide == 0.1, "a double to the last bit");
  float narrow = 0;
  cxios_set_variable_data_k4("real", 4, 0.3F, &exists);
  cxios_get_variable_data_k4("real", 4, &narrow, &exists);
  expect(exists && narrow == 0.3F, "a float to the last bit");
  int count = 0;
  cxios_set_variable_data_int("count", 5, -2147483647, &exists);
  cxios_get_variable_data_int("count", 5, &count, &exists);
  expect(exists && count == -2147483647, "an integer");
  bool flag = true;
  cxios_set_variable_data_logic("flag", 4, false, &exists);
  cxios_get_variable_data_logic("flag", 4, &flag, &exists);
  expect(exists && !flag, "a logical");
  Text text;
  cxios_set_variable_data_char("words", 5, "three more words  ", 18, &exists);
  cxios_get_variable_data_char("words", 5, text.characters, text_size, &exists);
  expect(exists && text.value() == "three more words", "a text");
  cxios_set_variable_data_int("absent", 6, 1, &exists);
  expect(!exists, "no such variable");
}

void set_axes() {
  auto* axis = found<xios::CAxis>(cxios_axis_handle_create, "labelled");
  int extent = levels;
  expect(!cxios_is_defined_axis_label(axis), "no labels yet");
  cxios_set_axis_label(axis, "surface middle  bottom  ", label_size, &extent);
  expect(cxios_is_defined_axis_label(axis), "labels");
  char labels[levels * text_size];
  std::memset(labels, '#', sizeof labels);
  cxios_get_axis_label(axis, labels, text_size, &extent);
  expect(std::string(labels, 8) == "surface " && std::string(labels + text_size, 8) == "middle  " &&
             std::string(labels + 2 * text_size, text_size) == "bottom" + std::string(58, ' '),
         "labels padded with blanks");
  auto* spare = found<xios::CAxis>(cxios_axis_handle_create, "spare");
  bool mask[levels] = {true, false, true}, found_mask[levels] = {false, true, false};
  cxios_set_axis_mask(spare, mask, &extent);
  cxios_get_axis_mask(spare, found_mask, &extent);
  expect(found_mask[0] && !found_mask[1] && found_mask[2], "an array of logicals");
  int extents[] = {2, levels};
  double bounds[] = {0, 1, 1, 2, 2, 3}, found_bounds[6] = {};
  cxios_set_axis_bounds(spare, bounds, extents);
  cxios_get_axis_bounds(spare, found_bounds, extents);
  expect(std::memcmp(bounds, found_bounds, sizeof bounds) == 0, "two dimensions");
  void* zoom = nullptr;
  cxios_xml_tree_add_zoomaxistoaxis(spare, &zoom, "zoom", 4);
  bool valid = false;
  cxios_zoom_axis_valid_id(&valid, "zoom", 4);
  int begin = -1;
  cxios_set_zoom_axis_begin(zoom, 1);
  cxios_get_zoom_axis_begin(zoom, &begin);
  expect(valid && begin == 1, "a transformation made by the model");
  void* turn = found<void>(cxios_reorder_domain_handle_create, "turn");
  bool inverted = false;
  cxios_set_reorder_domain_invert_lat(turn, true);
  cxios_get_reorder_domain_invert_lat(turn, &inverted);
  expect(inverted, "one that module xios does not export");
}

void set_fields() {
  auto* idle = found<xios::CField>(cxios_field_handle_create, "idle");
  bool enabled = true;
  cxios_set_field_enabled(idle, false);
  cxios_get_field_enabled(idle, &enabled);
  expect(!enabled, "a logical of a field");
  double value = 0;
  cxios_set_field_default_value(idle, 1e20);
  cxios_get_field_default_value(idle, &value);
  expect(value == 1e20, "a number of a field");
}

void compute_with_dates() {
  const cxios_date noon{2001, 3, 1, 12, 0, 0}, midnight{2001, 3, 2, 0, 0, 0};
  const cxios_duration half_day{0, 0, 0, 12, 0, 0, 0};
  expect(cxios_date_eq(cxios_date_sub_duration(midnight, half_day), noon), "half a day before");
  expect(cxios_date_sub(midnight, noon).second == 43200, "between dates");
  expect(cxios_date_neq(noon, midnight) && !cxios_date_neq(noon, noon) &&
             cxios_date_gt(midnight, noon) && !cxios_date_gt(noon, noon) &&
             cxios_date_ge(noon, noon) && !cxios_date_ge(noon, midnight),
         "dates have an order");
  // Days since the year began, with their fraction: 59 days have passed before the first of March.
  expect(cxios_date_get_second_of_year(noon) == (59 * 24 + 12) * 3600 &&
             cxios_date_get_day_of_year(noon) == 59.5 &&
             std::abs(cxios_date_get_fraction_of_year(noon) - 59.5 / 365) < 1e-15 &&
             cxios_date_get_second_of_day(noon) == 43200 &&
             cxios_date_get_fraction_of_day(noon) == 0.5,
         "where in its year a date is");
  const cxios_duration day = cxios_duration_add(half_day, half_day);
  expect(cxios_duration_eq(day, cxios_duration_mult(2, half_day)) &&
             cxios_duration_neq(day, half_day) &&
             cxios_duration_eq(cxios_duration_sub(half_day, day), cxios_duration_neg(half_day)),
         "durations");
}

/// No C name of XIOS tells the time of one alone that callers are known to declare.
double seconds_of(const char* timer) {
  using Ask = int (*)(const char*, int, double*);
  const auto ask = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "epios_xios_timer"));
  expect(ask != nullptr, "timers can be read");
  double seconds = -1;
  expect(ask(timer, 0, &seconds) == 0, "a timer is read");
  return seconds;
}

void measure() {
  cxios_timer_resume("loop", 4, true);
  while (seconds_of("loop") <= 0) continue;
  cxios_timer_suspend("loop", 4, false);
  const double stopped = seconds_of("loop");
  expect(stopped > 0 && seconds_of("loop") == stopped, "a suspended timer stands still");
  cxios_timer_reset("loop", 4);
  expect(seconds_of("loop") == 0, "a timer is reset");
  cxios_mem_checker_log("in_the_loop", 11, true);
}

bool is_active(const char* id) {
  bool active = false;
  cxios_field_is_active(found<xios::CField>(cxios_field_handle_create, id), false, &active);
  return active;
}

void write_file(xios::CContext* first, xios::CContext* second) {
  cxios_update_calendar(1);
  expect(is_active("total") && is_active("column") && !is_active("idle"), "what files need");
  const double total = 17.25;
  const float column[levels] = {1, 2, 3};
  cxios_write_data_k80("total", 5, &total, -1);
  // Would have found that a handle stood for the field of that id in the current context.
  auto* const of_first = found<xios::CField>(cxios_field_handle_create, "column");
  cxios_context_set_current(second, false);
  cxios_write_data_k41_hdl(of_first, column, levels, -1);
  cxios_context_set_current(first, false);
  cxios_context_finalize();
}

void read_file() {
  cxios_update_calendar(0);
  double total = 0;
  float column[levels] = {};
  cxios_read_data_k80_hdl(found<xios::CField>(cxios_field_handle_create, "total"), &total);
  cxios_read_data_k41("column", 6, column, levels);
  expect(total == 17.25 && column[0] == 1 && column[1] == 2 && column[2] == 3, "what was written");
  cxios_context_finalize();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Fint none = MPI_Comm_c2f(MPI_COMM_NULL);
  MPI_Fint comm = none;
  cxios_init_client("derived", 7, &none, &comm);
  cxios_oasis_enddef();
  xios::CContext* const first = opened("first", comm);
  xios::CContext* const second = opened("second", comm);
  expect(first != second && current_id() == "second", "the last one is current");
  cxios_context_set_current(first, false);
  expect(current_id() == "first", "the one that was chosen is current");
  if (argc > 1 && std::strcmp(argv[1], "short") == 0) {
    char narrow[3];
    cxios_date_convert_to_string({2001, 1, 1, 0, 0, 0}, narrow, sizeof narrow);
    expect(false, "a text that does not fit ends the job");
  }
  if (argc > 1 && std::strcmp(argv[1], "negative") == 0) {
    bool mask[1] = {true};
    int extent = -1;
    cxios_set_axis_mask(found<xios::CAxis>(cxios_axis_handle_create, "spare"), mask, &extent);
    expect(false, "an extent below 0 ends the job");
  }
  set_variables();
  set_axes();
  set_fields();
  compute_with_dates();
  cxios_solve_inheritance();
  cxios_context_close_definition();
  measure();
  write_file(first, second);
  cxios_context_set_current(second, true);
  cxios_context_close_definition();
  read_file();
  cxios_finalize();
  MPI_Finalize();
  std::printf("all names were called\n");
  return 0;
}
