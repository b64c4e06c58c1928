#include "context/client_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "context/context_state.hpp"
#include "event/watch.hpp"
#include "links/server_waits.hpp"
#include "session/comm_among.hpp"
#include "session/log.hpp"
#include "session/run_settings.hpp"

namespace epios::client {
namespace {

ep::Comm connect(SessionState& session, int index) {
  session.claim_client(index);
  return session.job().connect_client(index);
}

bool wants_window(const SessionState& session) {
  return read_run_settings(session.definitions()).carrier ==
         static_cast<int>(io::CarrierKind::one_sided);
}

std::shared_ptr<HelperBarrier> make_helper_barrier(const SessionState& session,
                                                   const io::Actor& actor) {
  const RunSettings settings = read_run_settings(session.definitions());
  return std::make_shared<HelperBarrier>(session.job().watch(), actor,
                                         io::WaitLimits{settings.patience_s, 0},
                                         session.job().watch().process_table().name(actor));
}

/// Null if nothing is to be recorded, or nothing can be.
std::unique_ptr<CallRecorder> make_recorder(const SessionState& session, int client,
                                            const ep::Comm& servers) {
  const RecordingSettings settings = session.recorded_run().settings;
  if (settings.folder.empty()) return nullptr;
  RecordingHeader header;
  header.component = session.code_id();
  header.code_id = session.recorded_run().code_id;
  header.member = settings.member;
  header.settings = settings.run_settings;
  header.client = client;
  header.clients = session.job().clients(0).size();
  header.processes = session.job().processes().size();
  header.clients_of_process = session.job().local_clients();
  header.servers = servers.remote_size();
  header.is_attached = session.job().is_attached();
  header.has_data = settings.has_data;
  if (client == 0) header.texts = session.recorded_run().texts;
  return CallRecorder::begin(settings.folder, std::move(header));
}

bool is_running(const ContextState& context) {
  return context.state() == ContextState::State::running;
}

}  // namespace

ClientState::ClientState(SessionState& session, int index)
    : session_(session),
      index_(index),
      servers_(connect(session, index)),
      recorder_(make_recorder(session, clients().rank(), servers_)),
      control_(std::make_unique<ControlMessages>(servers_, wants_window(session))),
      handshake_(std::make_shared<io::CouplingHandshake>(session.job().everyone(index))),
      liveness_(std::make_unique<LivenessBarrier>(clients(), session.job(), clients())),
      helper_barrier_(make_helper_barrier(session, actor())) {}

ClientState::~ClientState() { helper_barrier_->end("has ended"); }

ep::Comm ClientState::comm_among(const std::string& id, const std::vector<int>& members) const {
  const auto size = clients().size();
  if (members.empty() || members.size() == static_cast<std::size_t>(size)) return {};
  if (std::find(members.begin(), members.end(), rank()) == members.end()) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': client {} opens it without being one of its {} clients "
                            "(it is not in the communicator). Should it leave out this call?",
                            id, rank(), members.size()));
  }
  return client::comm_among(clients(), members, id);
}

const ep::Comm& ClientState::model_comm() {
  if (!model_comm_) model_comm_ = clients().dup();
  return model_comm_;
}

ContextState& ClientState::open_context(const std::string& id, const std::vector<int>& members) {
  if (id.empty() || id == "xios") {
    throw Error(ErrorCode::argument,
                fmt::format("context id '{}' cannot be opened (it is reserved for the run-time "
                            "variables). Choose another?",
                            id));
  }
  const auto open = [&]() -> ContextState& {
    return open_among(id, [&] { return comm_among(id, members); });
  };
  if (!recorder_) return open();
  const config::Value ranks =
      config::value::integers{{members.begin(), members.end()}, {std::ssize(members)}};
  return recorder_->call(
      [&](const auto& write) {
        const std::string_view text = id;
        write(CallView{RecordedKind::open_context,
                       recorder_->contexts(),
                       std::span(&text, 1),
                       {},
                       members.empty() ? nullptr : &ranks});
      },
      open);
}

ContextState& ClientState::open_among(const std::string& id,
                                      const std::function<ep::Comm()>& among) {
  progress_couplings();  // what past contexts have had may be free by now
  std::unique_ptr<ContextState>& place = contexts_[id];
  if (place && place->state() != ContextState::State::finalized) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}' is open already (its id is free again after its end). "
                            "Keep its handle?",
                            id));
  }
  auto context = std::make_unique<ContextState>(*this, id, among());
  if (place) past_contexts_.push_back(std::move(place));
  place = std::move(context);
  return *place;
}

void ClientState::refuse_unfinished_definitions() const {
  for (const auto& [id, context] : contexts_) {
    if (!context || context->state() != ContextState::State::defining) continue;
    throw Error(ErrorCode::call_order,
                fmt::format("client {} is closed while context '{}' is being defined (the other "
                            "clients wait for it). Call epios_close_definition first?",
                            rank(), id));
  }
}

void ClientState::close() {
  if (!recorder_) return leave();
  recorder_->call([](const auto& write) { write(CallView{RecordedKind::close_client}); },
                  [this] { leave(); });
}

void ClientState::leave() {
  helper_barrier_->end("is closed");
  refuse_unfinished_definitions();
  std::optional<std::string> failure;
  for (auto& [id, context] : contexts_) {
    if (!context) continue;
    const std::optional<Error>& its = context->account().failure();
    if (its && !failure) failure = its->what();
    if (!is_running(*context) || its) continue;
    if (context->group().leads()) {
      log_warning(fmt::format(
          "context '{}' is finalized by the end of its client (the model did not finalize it). "
          "Call epios_context_finalize?",
          id));
    }
    context->finalize();
  }
  if (failure) return abandon(*failure);
  for (auto& context : past_contexts_) {
    if (context->couplings() != nullptr) context->couplings()->wait_for_partners();
  }
  for (auto& [id, context] : contexts_) {
    if (context && context->couplings() != nullptr) context->couplings()->wait_for_partners();
  }
  refuse_all_handshakes(io::ended_text(session_.code_id(), rank()));
  liveness_->leave("it was closed");
  const RunSettings settings = read_run_settings(session_.definitions());
  control_->settle_window(session_.job().watch(), actor(),
                          ServerWaits::limits_of(settings.patience_s, settings.give_up_s));
  control_->send_to_leader(io::encode(io::Goodbye{}));
  over_ = true;
  session_.close_client(index_, {rank(), std::move(liveness_), handshake_});
}

void ClientState::abandon(std::string_view why) {
  helper_barrier_->end("has failed");
  if (over_) return;
  over_ = true;
  if (recorder_) recorder_->abandon(why);
  refuse_all_handshakes(
      fmt::format("client {} of '{}' has failed: {}", rank(), session_.code_id(), why));
  session_.release_client(index_);
  for (auto& [id, context] : contexts_) {
    if (context && is_running(*context)) context->report_unfinished();
  }
  session_.abandon(why);
  // The bytes must outlive the send, which nobody will wait for: the process is about to end.
  auto* bytes = new std::vector<std::byte>(io::encode(io::Goodbye{true, std::string(why)}));
  EP_Request request = EP_REQUEST_NULL;
  EP_Isend(bytes->data(), ep::message_count(bytes->size()), MPI_BYTE, io::leader,
           static_cast<int>(io::ControlTag::to_server), servers_.get(), &request);
  EP_Progress(servers_.get());
  liveness_->leave(std::string(why));
  liveness_->release();
  for (auto& [id, context] : contexts_) {
    if (context) context->leave(why);
  }
}

void ClientState::answer_handshakes() {
  session_.answer_for_closed();
  const auto refusal = [this](const io::HandshakeMessage& message) -> std::string {
    const auto found = contexts_.find(message.to_context);
    if (found == contexts_.end() || !found->second) return {};
    const ContextState& context = *found->second;
    if (context.state() == ContextState::State::failed_definition) {
      return "its definition could not be closed there";
    }
    if (!is_running(context) || !context.group().leads()) return {};
    if (context.couplings() == nullptr) return io::not_coupled_text(message);
    return context.couplings()->refusal_text(message);
  };
  const auto is_vain = [&](const io::HandshakeMessage& message) {
    return message.asks() && !refusal(message).empty();
  };
  while (const auto message = handshake_->take(is_vain)) {
    handshake_->send(io::refusal_of(*message, refusal(*message), true), message->rank);
  }
}

void ClientState::refuse_all_handshakes(const std::string& why) {
  const auto is_asking = [](const io::HandshakeMessage& message) { return message.asks(); };
  const auto has_met = [](const std::unique_ptr<ContextState>& context,
                          const io::HandshakeMessage& message) {
    return context && context->id() == message.to_context && context->couplings() != nullptr &&
           context->couplings()->has_met(message);
  };
  while (const auto message = handshake_->take(is_asking)) {
    // Those that are not first clients of the context have got it, too.
    const bool is_met =
        std::any_of(contexts_.begin(), contexts_.end(),
                    [&](const auto& context) { return has_met(context.second, *message); }) ||
        std::any_of(past_contexts_.begin(), past_contexts_.end(),
                    [&](const auto& context) { return has_met(context, *message); });
    if (!is_met) handshake_->send(io::refusal_of(*message, why, false), message->rank);
  }
}

Couplings::Neighbour ClientState::neighbour(const std::string& context) const {
  using State = Couplings::Neighbour::State;
  const auto found = contexts_.find(context);
  if (found == contexts_.end() || !found->second) return {};
  const ContextState& other = *found->second;
  switch (other.state()) {
    case ContextState::State::defining:
      return {State::being_defined, nullptr};
    case ContextState::State::failed_definition:
      return {State::failed, other.couplings()};
    case ContextState::State::running:
      return {State::running, other.couplings()};
    case ContextState::State::finalized:
      break;
  }
  return {};
}

void ClientState::refuse_vain_waits(const std::string& context, const Couplings* couplings) const {
  for (const auto& [id, other] : contexts_) {
    if (!other || id == context || !is_running(*other) || other->couplings() == nullptr) continue;
    const std::string where = other->couplings()->waits_at(context);
    if (where.empty() || (couplings != nullptr && couplings->knows(session_.code_id(), id))) {
      continue;
    }
    io::HandshakeMessage hello;
    hello.from_code = session_.code_id();
    hello.from_context = id;
    throw Error(ErrorCode::configuration,
                fmt::format("{}: context '{}' waits for '{}::{}' in vain ({})", where,
                            other->couplings()->name(), session_.code_id(), context,
                            io::not_coupled_text(hello)));
  }
}

void ClientState::deliver_to_partners(const Couplings& waiting) {
  for (const auto& [id, context] : contexts_) {
    if (context && context->exchange() != nullptr) context->exchange()->deliver_for(waiting);
  }
}

void ClientState::progress_couplings() {
  for (const auto& [id, context] : contexts_) {
    if (!context || context->couplings() == nullptr) continue;
    const bool is_over = context->state() == ContextState::State::finalized;
    is_over ? context->couplings()->let_go() : context->couplings()->progress();
  }
  for (const auto& context : past_contexts_) {
    if (context->couplings() != nullptr) context->couplings()->let_go();
  }
}

std::uint64_t ClientState::next_opening() {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank())) << 32U) | openings_++;
}

}  // namespace epios::client
