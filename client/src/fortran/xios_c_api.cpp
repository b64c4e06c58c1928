// What `module xios` calls besides the C interface: the same on the current context.

#include <epios/epios.h>
#include <fmt/format.h>

#include <ep/raw_comm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/definitions.hpp"
#include "config/error.hpp"
#include "fortran/fortran_data.hpp"
#include "fortran/xios_dates.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "handles/locked_handles.hpp"
#include "handles/memory_log.hpp"
#include "handles/xios_run.hpp"
#include "session/xios_words.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::check_c;
using epios::client::ContextRun;
using epios::client::ContextState;
using epios::client::copy_text;
using epios::client::guarded;
using epios::client::HandleTable;
using epios::client::LockedContext;
using epios::client::receive_array;
using epios::client::RunCall;
using epios::client::send_array;
using epios::client::text_of;
using epios::client::trimmed;
using epios::client::XiosRun;
using State = ContextState::State;
namespace config = epios::config;

XiosRun& run() { return HandleTable::instance().xios(); }

ContextState& current_state() { return HandleTable::instance().context(run().current()); }
LockedContext locked_current() { return LockedContext(run().current()); }

/// An element of the current context; contexts are found among all that are open.
epios_element find(const char* tag, const char* id) {
  const bool is_context = std::string_view(tag) == "context";
  epios_context* const context = is_context ? run().context(id) : run().current_or_null();
  epios_element out{context, -1};
  if (context != nullptr) check_c(epios_find(context, tag, is_context ? "" : id, &out));
  return out;
}

config::ElementHandle handle_of(const epios_element& element) { return {element.node}; }

}  // namespace

config::Definitions::ContextCalendar epios::client::xios_calendar() {
  const ContextState& state = current_state();
  return state.definition().known().calendar(state.id());
}

extern "C" {

int epios_xios_initialize(const char* code_id, const int* local_comm, int* return_comm,
                          const int* job_comm) {
  return guarded([&] {
    MPI_Comm component = MPI_COMM_NULL;
    const auto given = [](const int* comm) {
      return comm == nullptr ? MPI_COMM_NULL : ep::from_fortran(*comm);
    };
    run().initialize(text_of(code_id, "code_id"), given(local_comm), given(job_comm),
                     return_comm == nullptr ? nullptr : &component);
    if (return_comm != nullptr) *return_comm = ep::to_fortran(component);
  });
}

int epios_xios_init_server() {
  return guarded([] { check_c(epios_serve(MPI_COMM_WORLD)); });
}

int epios_xios_finalize() {
  return guarded([] { run().finalize(); });
}

int epios_xios_context_initialize(const char* id, int comm) {
  return guarded([&] { run().open_context(text_of(id, "context_id"), ep::from_fortran(comm)); });
}

int epios_xios_context_is_initialized(const char* id, int* is) {
  return guarded([&] { *is = run().is_open(id) ? 1 : 0; });
}

int epios_xios_set_current_context(const char* id) {
  return guarded([&] {
    epios_context* const context = run().context(id);
    if (context == nullptr) {
      throw Error(ErrorCode::call_order,
                  fmt::format("context '{}' cannot be the current one (it is not open). Call "
                              "xios_context_initialize first?",
                              id));
    }
    run().set_current(context);
  });
}

int epios_xios_set_current_context_handle(epios_element element) {
  return guarded([&] {
    HandleTable::instance().context(element.context);  // that it is one
    run().set_current(element.context);
  });
}

int epios_xios_current_context(epios_element* element) {
  return guarded([&] { check_c(epios_at(run().current(), "context", "", element)); });
}

int epios_xios_current_context_id(char* text, size_t capacity) {
  return guarded([&] { copy_text(run().id_of(run().current()), text, capacity); });
}

int epios_xios_at(const char* tag, const char* id, epios_element* element) {
  return guarded([&] {
    *element = find(tag, id);
    if (element->node >= 0) return;
    if (std::string_view(tag) == "context") {
      throw Error(ErrorCode::argument,
                  fmt::format("context '{}' is not open. Call xios_context_initialize first?", id));
    }
    check_c(epios_at(run().current(), tag, id, element));
  });
}

int epios_xios_element(intptr_t number, epios_element* element) {
  return guarded([&] { *element = run().numbers().element_of(number); });
}

int epios_xios_handle(epios_element element, intptr_t* number) {
  return guarded([&] { *number = run().numbers().number_of(element); });
}

int epios_xios_has(const char* tag, const char* id, int* found) {
  return guarded([&] {
    *found = find(tag, id).node >= 0 ? 1 : 0;
    if (*found != 0 || run().session() == nullptr) return;
    // Before the first context, what XML defines counts.
    const config::Definitions& definitions =
        HandleTable::instance().session(run().session()).definitions();
    if (std::string_view(tag) == "context") {
      *found = definitions.has_context(id) ? 1 : 0;
    } else if (run().current_or_null() == nullptr) {
      for (const std::string& context : definitions.contexts()) {
        if (definitions.find(context, tag, id)) *found = 1;
      }
    }
  });
}

int epios_xios_check_shape(epios_element element, const char* attribute, int rank,
                           const int64_t* shape) {
  return guarded([&] {
    int its_rank = 0;
    int64_t its_shape[7] = {};
    check_c(epios_element_shape(element, attribute, &its_rank, its_shape));
    const std::vector<int64_t> given(shape, shape + rank);
    const std::vector<int64_t> wanted(its_shape, its_shape + its_rank);
    if (given == wanted) return;
    throw Error(ErrorCode::argument,
                fmt::format("attribute '{}' has the shape ({}), the array given ({}). Allocate it "
                            "with the attribute's shape?",
                            attribute, fmt::join(wanted, ", "), fmt::join(given, ", ")));
  });
}

int epios_xios_solve_inheritance() {
  return guarded([] { check_c(epios_solve_inheritance(run().current())); });
}

int epios_xios_close_definition() {
  return guarded([] { locked_current()->close_definition(); });
}

int epios_xios_context_finalize() {
  return guarded([] { run().finalize_context(); });
}

int epios_xios_update_calendar(int64_t step) {
  return guarded([&] { locked_current()->update_calendar(step); });
}

int epios_xios_current_date(int* date) {
  return guarded([&] { epios::client::put_date(current_state().date(), date); });
}

int epios_xios_send(const char* field, size_t length, const CFI_cdesc_t* data, const int* tile) {
  return guarded([&] { send_array(current_state(), trimmed(field, length), *data, tile); });
}

int epios_xios_send_element(epios_element field, const CFI_cdesc_t* data, const int* tile) {
  return guarded([&] {
    ContextState& context = HandleTable::instance().context(field.context);
    const int number = context.run(RunCall::find_field).numbers().sent(handle_of(field));
    send_array(context, number, *data, tile);
  });
}

int epios_xios_receive(const char* field, size_t length, const CFI_cdesc_t* data) {
  return guarded([&] { receive_array(current_state(), trimmed(field, length), *data); });
}

int epios_xios_receive_element(epios_element field, const CFI_cdesc_t* data) {
  return guarded([&] {
    ContextState& context = HandleTable::instance().context(field.context);
    receive_array(context, context.definition().known().id(context.id(), handle_of(field)), *data);
  });
}

int epios_xios_field_is_active(const char* field, size_t length, int now, int* active) {
  return guarded([&] {
    // Before the first context no field is.
    epios_context* const context = run().current_or_null();
    *active = 0;
    if (context == nullptr) return;
    const LockedContext state(context, epios::client::ClientLock::Kind::question);
    if (state->state() == State::defining) return;
    ContextRun& run = state->run(RunCall::ask_active);
    *active = run.is_active(trimmed(field, length), now != 0) ? 1 : 0;
  });
}

int epios_xios_field_is_active_element(epios_element field, int now, int* active) {
  return guarded([&] {
    *active = 0;
    const LockedContext state(field.context, epios::client::ClientLock::Kind::question);
    if (state->state() == State::defining) return;
    ContextRun& run = state->run(RunCall::ask_active);
    *active = run.is_active(handle_of(field), now != 0) ? 1 : 0;
  });
}

int epios_xios_variable_length(const char* id, int64_t* length) {
  return guarded([&] { check_c(epios_variable_length(run().current(), id, length)); });
}

int epios_xios_get_variable(const char* id, char* text, size_t capacity) {
  return guarded([&] { check_c(epios_get_variable(run().current(), id, text, capacity)); });
}

int epios_xios_get_variable_bool(const char* id, int* value) {
  return guarded([&] { check_c(epios_get_variable_bool(run().current(), id, value)); });
}

int epios_xios_get_variable_int(const char* id, int64_t* value) {
  return guarded([&] { check_c(epios_get_variable_int(run().current(), id, value)); });
}

int epios_xios_get_variable_double(const char* id, double* value) {
  return guarded([&] { check_c(epios_get_variable_double(run().current(), id, value)); });
}

int epios_xios_set_variable(const char* id, const char* text) {
  return guarded([&] { check_c(epios_set_variable(run().current(), id, text)); });
}

int epios_xios_timer(const char* name, int action, double* seconds) {
  return guarded([&] { *seconds = run().timer(name, static_cast<XiosRun::TimerAction>(action)); });
}

int epios_xios_memory(double* mb) {
  return guarded([&] { *mb = epios::client::resident_memory_mb(); });
}

int epios_xios_log_memory(const char* place, int finalize) {
  return guarded([&] { run().log_memory(place, finalize != 0); });
}

/// Ends the job with the text of the last error of this thread.
void epios_xios_fail() {
  epios::client::fail(run().client(), epios::client::xios_words(epios_last_error()));
}

}  // extern "C"
