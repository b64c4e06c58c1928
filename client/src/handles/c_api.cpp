#include <epios/endpoints.h>
#include <epios/epios.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/definitions.hpp"
#include "config/error.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "handles/locked_handles.hpp"

// Return codes and exception codes are one list.
static_assert(EPIOS_SUCCESS == static_cast<int>(epios::ErrorCode::success));
static_assert(EPIOS_ERR_CONFIGURATION == static_cast<int>(epios::ErrorCode::configuration));
static_assert(EPIOS_ERR_ARGUMENT == static_cast<int>(epios::ErrorCode::argument));
static_assert(EPIOS_ERR_CALL_ORDER == static_cast<int>(epios::ErrorCode::call_order));
static_assert(EPIOS_ERR_MISMATCH == static_cast<int>(epios::ErrorCode::mismatch));
static_assert(EPIOS_ERR_IO == static_cast<int>(epios::ErrorCode::io));
static_assert(EPIOS_ERR_PROTOCOL == static_cast<int>(epios::ErrorCode::protocol));
static_assert(EPIOS_ERR_RESOURCE == static_cast<int>(epios::ErrorCode::resource));
static_assert(EPIOS_ERR_COMMUNICATION == static_cast<int>(epios::ErrorCode::communication));
static_assert(EPIOS_ERR_INTERNAL == static_cast<int>(epios::ErrorCode::internal));

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::array_of;
using epios::client::check_input;
using epios::client::ClientState;
using epios::client::ContextRun;
using epios::client::ContextState;
using epios::client::LockedClient;
using epios::client::LockedContext;
using epios::client::RecordedKind;
constexpr auto question = epios::client::ClientLock::Kind::question;
using epios::client::ClientLock;
using epios::client::copy_text;
using epios::client::guarded;
using epios::client::HandleTable;
using epios::client::kind_of;
using epios::client::RunCall;
using epios::client::SessionState;
using epios::client::target;
using epios::client::text_of;
namespace config = epios::config;

int set_value(epios_context* handle, const char* element, const char* id, const char* attribute,
              const char* call, const std::function<config::Value()>& value) {
  return guarded([&] {
    const LockedContext context(handle);
    const std::string attribute_text = text_of(attribute, "attribute");
    const std::string id_text = text_of(id, "id");
    const std::string element_text = text_of(element, "element");
    config::Value given = value();
    context->group().record().call(
        RecordedKind::set, {element_text, id_text, attribute_text}, {}, &given, [&] {
          context->definition().definitions().set(
              context->id(), kind_of(element), id_text, attribute_text, std::move(given),
              fmt::format("{}({} '{}', '{}')", call, element, id_text, attribute_text));
        });
  });
}

template <class T>
int send(epios_context* handle, const char* field, const T* data, int64_t count) {
  return guarded([&] {
    if (field == nullptr) text_of(field, "field");
    if (count < 0) {
      throw Error(
          ErrorCode::argument,
          fmt::format("field '{}': count is {} (expected 0 or more). Is it the array's size?",
                      field, count));
    }
    if (count > 0) check_input(data, "data");
    LockedContext(handle)
        ->run(RunCall::send_by_id, field)
        .send(field, std::span<const T>(data, static_cast<size_t>(count)));
  });
}

template <class T>
std::span<const T> array_argument(const T* data, int64_t count) {
  if (count < 0) {
    throw Error(ErrorCode::argument,
                fmt::format("count is {} (expected 0 or more). Is it the array's size?", count));
  }
  if (count > 0) check_input(data, "data");
  return {data, static_cast<size_t>(count)};
}

template <class T>
std::span<T> array_argument(T* data, int64_t count) {
  const std::span<const T> checked = array_argument(static_cast<const T*>(data), count);
  return {data, checked.size()};
}

template <class T>
int receive(epios_context* handle, const char* field, T* data, int64_t count) {
  return guarded([&] {
    const std::string id = text_of(field, "field");
    const LockedContext context(handle);
    ContextRun& run = context->run(RunCall::find_read_field);
    run.receive(run.numbers().received(id), array_argument(data, count));
  });
}

template <class T>
int receive(const epios_read_field& field, T* data, int64_t count) {
  return guarded([&] {
    LockedContext(field.context)
        ->run(RunCall::receive)
        .receive(field.number, array_argument(data, count));
  });
}

template <class T>
int send(const epios_field& field, const T* data, int64_t count) {
  return guarded([&] {
    LockedContext(field.context)
        ->run(RunCall::send)
        .sent()
        .send(field.number, array_argument(data, count));
  });
}

template <class T>
int send_tile(const epios_field& field, int tile, const T* data, int64_t count) {
  return guarded([&] {
    HandleTable::instance()
        .context(field.context)
        .run(RunCall::send_tile)
        .sent()
        .send_tile(field.number, tile, array_argument(data, count));
  });
}

}  // namespace

extern "C" {

const char* epios_last_error(void) { return epios::client::last_error(); }

void epios_set_last_error(const char* text) {
  static_cast<void>(epios::client::failed(epios::ErrorCode::internal, text == nullptr ? "" : text));
}
const char* epios_version(void) { return EPIOS_VERSION; }
int epios_api_version(void) { return EPIOS_API_VERSION; }

int epios_session_open(const char* code_id, const epios_session_options* options,
                       epios_session** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    const std::string id = text_of(code_id, "code_id");
    SessionState::Options own;
    if (options != nullptr) {
      own.iodef = options->iodef != nullptr ? options->iodef : "";
      own.clients = options->clients;
      own.host_server = options->host_server != 0;
      own.comm = options->comm;
    }
    *out = HandleTable::instance().open_session(id, own);
  });
}

int epios_session_serve(epios_session* session) {
  return guarded([&] { HandleTable::instance().session(session).serve(); });
}

int epios_session_close(epios_session* session) {
  return guarded([&] {
    SessionState& state = HandleTable::instance().session(session);
    if (state.open_clients() > 0) {
      throw Error(ErrorCode::call_order,
                  fmt::format("session closed with {} open clients (they still use it). Call "
                              "epios_client_close first?",
                              state.open_clients()));
    }
    const int opened = state.clients_opened();
    const int expected = state.job().local_clients();
    // The servers wait for all clients: leaving in order is not possible.
    if (opened < expected) state.abandon("not all of its clients were opened");
    HandleTable::instance().take_session(session).reset();
    if (opened < expected) {
      throw Error(ErrorCode::call_order,
                  fmt::format("session closed after {} of its {} client{} opened (the servers wait "
                              "for all). Open as many clients as the session's options say?",
                              opened, expected, expected == 1 ? " was" : "s were"));
    }
  });
}

int epios_session_abandon(epios_session* session) {
  return guarded([&] {
    const std::string_view last = epios::client::last_error();
    HandleTable::instance().session(session).abandon(last.empty() ? "the model met an error"
                                                                  : last);
    HandleTable::instance().take_session(session).reset();
  });
}

int epios_session_comm(epios_session* session, MPI_Comm* out) {
  return guarded(
      [&] { target(out, "out") = HandleTable::instance().session(session).process_comm(); });
}

int epios_session_open_clients(const epios_session* session, int* clients) {
  return guarded([&] {
    target(clients, "clients") = HandleTable::instance().session(session).open_clients();
  });
}

int epios_client_open(epios_session* session, int index, epios_client** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    SessionState& state = HandleTable::instance().session(session);
    *out = HandleTable::instance().add(std::make_unique<ClientState>(state, index));
  });
}

int epios_client_close(epios_client* client) {
  return guarded([&] {
    auto state = HandleTable::instance().take_client(client);
    try {
      const ClientLock lock(*state);
      state->close();
      // A client that gave up is left as it is: peers may still touch it.
      if (state->session().is_abandoned()) static_cast<void>(state.release());
    } catch (const std::exception& error) {
      state.release()->abandon(error.what());
      throw;
    }
  });
}

int epios_client_abandon(epios_client* client) {
  return guarded([&] {
    const std::string_view last = epios::client::last_error();
    const std::string why(last.empty() ? "the model met an error" : last);
    // What the client holds is left as it is: peers may still touch it.
    HandleTable::instance().take_client(client).release()->abandon(why);
  });
}

int epios_client_rank(const epios_client* client, int* rank) {
  return guarded([&] { target(rank, "rank") = HandleTable::instance().client(client).rank(); });
}

int epios_client_size(const epios_client* client, int* size) {
  return guarded(
      [&] { target(size, "size") = HandleTable::instance().client(client).clients().size(); });
}

int epios_client_comm(epios_client* client, EP_Comm* out) {
  return guarded([&] {
    target(out, "out") = EP_COMM_NULL;
    *out = LockedClient(client)->model_comm().get();
  });
}

int epios_client_help_at_barrier(epios_client* client, int threads) {
  return guarded([&] { HandleTable::instance().helper_barrier(client)->wait(threads); });
}

int epios_client_servers(const epios_client* client, int* servers, int* attached) {
  return guarded([&] {
    const ClientState& state = HandleTable::instance().client(client);
    target(servers, "servers") = state.servers().remote_size();
    target(attached, "attached") = state.session().job().is_attached() ? 1 : 0;
  });
}

int epios_context_open(epios_client* client, const char* id, epios_context** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    ContextState& context = LockedClient(client)->open_context(text_of(id, "id"));
    *out = HandleTable::instance().add(context);
  });
}

int epios_context_open_on(epios_client* client, const char* id, MPI_Comm comm,
                          epios_context** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    const LockedClient state(client);
    std::vector<int> members;
    if (comm != MPI_COMM_NULL) members = state->session().clients_of(comm);
    *out = HandleTable::instance().add(state->open_context(text_of(id, "id"), members));
  });
}

int epios_context_open_among(epios_client* client, const char* id, const int* ranks, int count,
                             epios_context** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    const LockedClient state(client);
    if (count < 1) {
      throw Error(
          ErrorCode::argument,
          fmt::format("a context is opened among {} clients (at least one is needed). Is the "
                      "argument order right?",
                      count));
    }
    check_input(ranks, "ranks");
    std::vector<int> members(ranks, ranks + count);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const int size = state->clients().size();
    if (members.front() < 0 || members.back() >= size) {
      throw Error(ErrorCode::argument,
                  fmt::format("client {} does not exist (there are {}). Are ranks counted from 0?",
                              members.front() < 0 ? members.front() : members.back(), size));
    }
    *out = HandleTable::instance().add(state->open_context(text_of(id, "id"), members));
  });
}

int epios_add(epios_context* handle, const char* element, const char* id,
              const char* parent_element, const char* parent_id) {
  return guarded([&] {
    const LockedContext context(handle);
    const std::string element_text = text_of(element, "element");
    const std::string parent = text_of(parent_element, "parent_element");
    const std::string id_text = text_of(id, "id");
    const std::string parent_text = text_of(parent_id, "parent_id");
    context->group().record().call(
        RecordedKind::add, {element_text, id_text, parent, parent_text}, {}, nullptr, [&] {
          const config::ElementKind kind = kind_of(element);
          context->definition().definitions().add(
              context->id(), kind, id_text, parent.empty() ? kind : kind_of(parent.c_str()),
              parent_text, fmt::format("epios_add({} '{}')", element, id_text));
        });
  });
}

int epios_set_text(epios_context* handle, const char* element, const char* id,
                   const char* attribute, const char* text) {
  return guarded([&] {
    const LockedContext context(handle);
    const std::string attribute_text = text_of(attribute, "attribute");
    const std::string id_text = text_of(id, "id");
    const std::string element_text = text_of(element, "element");
    const std::string value = text_of(text, "text");
    context->group().record().call(
        RecordedKind::set_text, {element_text, id_text, attribute_text, value}, {}, nullptr, [&] {
          context->definition().definitions().set_text(
              context->id(), kind_of(element), id_text, attribute_text, value,
              fmt::format("epios_set_text({} '{}', '{}')", element, id_text, attribute_text));
        });
  });
}

int epios_set_bool(epios_context* context, const char* element, const char* id,
                   const char* attribute, int value) {
  return set_value(context, element, id, attribute, "epios_set_bool", [&] { return value != 0; });
}

int epios_set_int(epios_context* context, const char* element, const char* id,
                  const char* attribute, int64_t value) {
  return set_value(context, element, id, attribute, "epios_set_int", [&] { return value; });
}

int epios_set_double(epios_context* context, const char* element, const char* id,
                     const char* attribute, double value) {
  return set_value(context, element, id, attribute, "epios_set_double", [&] { return value; });
}

int epios_set_bools(epios_context* context, const char* element, const char* id,
                    const char* attribute, const unsigned char* values, int rank,
                    const int64_t* shape) {
  return set_value(context, element, id, attribute, "epios_set_bools",
                   [&] { return array_of(values, rank, shape); });
}

int epios_set_ints(epios_context* context, const char* element, const char* id,
                   const char* attribute, const int64_t* values, int rank, const int64_t* shape) {
  return set_value(context, element, id, attribute, "epios_set_ints",
                   [&] { return array_of(values, rank, shape); });
}

int epios_set_doubles(epios_context* context, const char* element, const char* id,
                      const char* attribute, const double* values, int rank, const int64_t* shape) {
  return set_value(context, element, id, attribute, "epios_set_doubles",
                   [&] { return array_of(values, rank, shape); });
}

int epios_close_definition(epios_context* context) {
  return guarded([&] { LockedContext(context)->close_definition(); });
}

int epios_update_calendar(epios_context* context, int64_t step) {
  return guarded([&] { LockedContext(context)->update_calendar(step); });
}

int epios_current_date(epios_context* context, char* text, size_t capacity) {
  return guarded(
      [&] { copy_text(HandleTable::instance().context(context).current_date(), text, capacity); });
}

int epios_send_double(epios_context* context, const char* field, const double* data,
                      int64_t count) {
  return send(context, field, data, count);
}

int epios_send_float(epios_context* context, const char* field, const float* data, int64_t count) {
  return send(context, field, data, count);
}

int epios_recv_double(epios_context* context, const char* field, double* data, int64_t count) {
  return receive(context, field, data, count);
}

int epios_recv_float(epios_context* context, const char* field, float* data, int64_t count) {
  return receive(context, field, data, count);
}

int epios_find_read_field(epios_context* context, const char* id, epios_read_field* out) {
  return guarded([&] {
    target(out, "out") = {context, -1};
    out->number = HandleTable::instance()
                      .context(context)
                      .run(RunCall::find_read_field)
                      .numbers()
                      .received(text_of(id, "id"));
  });
}

int epios_field_recv_double(epios_read_field field, double* data, int64_t count) {
  return receive(field, data, count);
}

int epios_field_recv_float(epios_read_field field, float* data, int64_t count) {
  return receive(field, data, count);
}

int epios_find_field(epios_context* context, const char* id, epios_field* out) {
  return guarded([&] {
    target(out, "out") = {context, -1};
    out->number = HandleTable::instance()
                      .context(context)
                      .run(RunCall::find_field)
                      .numbers()
                      .sent(text_of(id, "id"));
  });
}

int epios_field_send_double(epios_field field, const double* data, int64_t count) {
  return send(field, data, count);
}

int epios_field_send_float(epios_field field, const float* data, int64_t count) {
  return send(field, data, count);
}

int epios_field_send_tile_double(epios_field field, int tile, const double* data, int64_t count) {
  return send_tile(field, tile, data, count);
}

int epios_field_send_tile_float(epios_field field, int tile, const float* data, int64_t count) {
  return send_tile(field, tile, data, count);
}

int epios_field_ask_active(epios_field field, int now, int* active) {
  return guarded([&] {
    target(active, "active") = LockedContext(field.context, question)
                                       ->run(RunCall::ask_active)
                                       .is_active(field.number, now != 0)
                                   ? 1
                                   : 0;
  });
}

int epios_field_is_active(epios_context* context, const char* field, int now, int* active) {
  return guarded([&] {
    if (field == nullptr) text_of(field, "field");
    target(active, "active") = LockedContext(context, question)
                                       ->run(RunCall::ask_active)
                                       .is_active(std::string_view(field), now != 0)
                                   ? 1
                                   : 0;
  });
}

int epios_get_statistics(epios_context* context, epios_statistics* out) {
  return guarded(
      [&] { target(out, "out") = HandleTable::instance().context(context).statistics(); });
}

int epios_context_finalize(epios_context* context) {
  return guarded([&] { LockedContext(context)->finalize(); });
}

int epios_count_file_reports(epios_context* context, int* count) {
  return guarded([&] {
    target(count, "count") =
        static_cast<int>(HandleTable::instance().context(context).account().files().size());
  });
}

int epios_get_file_report(epios_context* context, int index, epios_file_report* out) {
  return guarded([&] {
    const auto& reports = HandleTable::instance().context(context).account().files();
    if (index < 0 || static_cast<size_t>(index) >= reports.size()) {
      throw Error(
          ErrorCode::argument,
          fmt::format("file report {} does not exist (there are {}, counted from 0, once the "
                      "context has ended). Does epios_count_file_reports count it?",
                      index, reports.size()));
    }
    const auto& [report, losses, unsent] = reports[static_cast<size_t>(index)];
    target(out, "out") = {report.path.c_str(),  report.records_written(), report.records_lost(),
                          report.bytes,         report.error.c_str(),     losses.c_str(),
                          unsent.records_short, unsent.records_missing,   unsent.fields.c_str()};
  });
}

}  // extern "C"
