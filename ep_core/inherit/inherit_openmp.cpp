// ep_inherit_openmp: an OpenMP tool (OMPT). The threads of a parallel region and explicit tasks act
// as the endpoint of the thread that opened the region or made the task. For runtimes with OMPT
// (clang's); a program links this library or names it in OMP_TOOL_LIBRARIES.
#include <ep/ep.h>
#include <omp-tools.h>

#include <cstdint>

namespace {

// OMPT stores one value for us per region and task: the endpoint's number plus one, or 0 if it is
// unknown.

std::uint64_t remembered() {
  int endpoint = EP_UNDEFINED;
  if (EP_Thread_attached(&endpoint) != EP_SUCCESS || endpoint == EP_UNDEFINED) return 0;
  return static_cast<std::uint64_t>(endpoint) + 1;
}

void recall(std::uint64_t value) {
  // A start that is over meanwhile leaves the thread unattached, which its first call will say.
  if (value != 0) static_cast<void>(EP_Thread_inherit(static_cast<int>(value - 1)));
}

bool is_of_kind(int flags, ompt_task_flag_t kind) {
  return (static_cast<unsigned int>(flags) & static_cast<unsigned int>(kind)) != 0;
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned int, int,
                       const void*) {
  region->value = remembered();
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                      unsigned int, unsigned int index, int flags) {
  if (is_of_kind(flags, ompt_task_initial)) return;
  if (endpoint == ompt_scope_begin) {
    // The thread that opened the region is where it was already.
    if (index != 0 && region != nullptr) recall(region->value);
    task->value = remembered();
  } else if (endpoint == ompt_scope_end && index != 0) {
    static_cast<void>(EP_Thread_inherit(EP_UNDEFINED));
  }
}

void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int flags, int,
                    const void*) {
  if (is_of_kind(flags, ompt_task_explicit)) task->value = remembered();
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  const bool over = status == ompt_task_complete || status == ompt_task_cancel;
  if (prior != nullptr && !over) prior->value = remembered();
  if (next != nullptr) recall(next->value);
}

template <class Callback>
void set(ompt_set_callback_t set_callback, ompt_callbacks_t event, Callback callback) {
  set_callback(event, reinterpret_cast<ompt_callback_t>(callback));
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (set_callback == nullptr) return 0;
  set(set_callback, ompt_callback_parallel_begin, on_parallel_begin);
  set(set_callback, ompt_callback_implicit_task, on_implicit_task);
  set(set_callback, ompt_callback_task_create, on_task_create);
  set(set_callback, ompt_callback_task_schedule, on_task_schedule);
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned int, const char*) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
