#include "context/client_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "context/context_state.hpp"
#include "event/channel_windows.hpp"
#include "event/watch.hpp"
#include "links/server_waits.hpp"
#include "session/comm_among.hpp"
#include "session/run_settings.hpp"
#include "session/xios_words.hpp"

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

}  // namespace

ClientState::ClientState(SessionState& session, int index)
    : session_(session),
      index_(index),
      servers_(connect(session, index)),
      window_(io::window_to_servers(servers_, wants_window(session))),
      letters_(std::make_shared<io::Letters>(session.job().everyone(index))),
      attendance_(std::make_unique<Attendance>(clients(), session.job(), clients())),
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
  return open_among(id, [&] { return comm_among(id, members); });
}

ContextState& ClientState::open_among(const std::string& id,
                                      const std::function<ep::Comm()>& among) {
  progress_couplings();  // what past contexts have had may be free by now
  std::unique_ptr<ContextState>& place = contexts_[id];
  if (place && !place->is_over()) {
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
    if (!context || !context->is_being_defined()) continue;
    throw Error(ErrorCode::call_order,
                fmt::format("client {} is closed while context '{}' is being defined (the other "
                            "clients wait for it). Call epios_close_definition first?",
                            rank(), id));
  }
}

void ClientState::close() {
  helper_barrier_->end("is closed");
  refuse_unfinished_definitions();
  bool failed = false;
  for (auto& [id, context] : contexts_) {
    if (!context) continue;
    failed = failed || context->has_failed();
    if (!context->is_running() || context->has_failed()) continue;
    if (context->clients().rank() == io::leader) {
      const std::string text = fmt::format(
          "context '{}' is finalized by the end of its client (the model did not finalize it). "
          "Call epios_context_finalize?",
          id);
      fmt::print(stderr, "epios: warning: {}\n", words_of_model(text));
    }
    context->finalize();
  }
  if (failed) {
    abandon("a context failed");
    return;
  }
  for (auto& context : past_contexts_) {
    if (context->couplings() != nullptr) context->couplings()->wait_for_partners();
  }
  for (auto& [id, context] : contexts_) {
    if (context && context->couplings() != nullptr) context->couplings()->wait_for_partners();
  }
  refuse_all_letters(io::ended_text(session_.code_id(), rank()));
  attendance_->leave("it was closed");
  settle_window();
  send_to_leader(io::encode(io::Goodbye{}));
  over_ = true;
  session_.close_client(index_, {rank(), std::move(attendance_), letters_});
}

/// Servers answer until they have heard all goodbyes: what they say later nobody would take.
void ClientState::settle_window() {
  if (!window_) return;
  const RunSettings settings = read_run_settings(session_.definitions());
  io::Waiting waiting(session_.job().watch());
  waiting.set(actor(), "the servers' last answers through windows", {},
              ServerWaits::limits_of(settings.patience_s, settings.give_up_s));
  ep::wait_until(servers_, {"the servers' last answers through windows"}, [&] {
    poll();
    if (window_->is_idle()) return true;
    waiting.check();
    return false;
  });
}

void ClientState::abandon(std::string_view why) {
  helper_barrier_->end("has failed");
  if (over_) return;
  over_ = true;
  refuse_all_letters(
      fmt::format("client {} of '{}' has failed: {}", rank(), session_.code_id(), why));
  session_.release_client(index_);
  for (auto& [id, context] : contexts_) {
    if (context && context->is_running()) context->report_unfinished();
  }
  session_.abandon(why);
  // The bytes must outlive the send, which nobody will wait for: the process is about to end.
  auto* bytes = new std::vector<std::byte>(io::encode(io::Goodbye{true, std::string(why)}));
  EP_Request request = EP_REQUEST_NULL;
  EP_Isend(bytes->data(), ep::message_count(bytes->size()), MPI_BYTE, io::leader,
           static_cast<int>(io::ControlTag::to_server), servers_.get(), &request);
  EP_Progress(servers_.get());
  attendance_->leave(std::string(why));
  attendance_->dismiss();
  for (auto& [id, context] : contexts_) {
    if (context) context->leave(why);
  }
}

void ClientState::answer_letters() {
  session_.answer_for_closed();
  const auto refusal = [this](const io::Letter& letter) -> std::string {
    const auto found = contexts_.find(letter.to_context);
    if (found == contexts_.end() || !found->second) return {};
    const ContextState& context = *found->second;
    if (context.has_failed_definition()) return "its definition could not be closed there";
    if (!context.is_running() || context.clients().rank() != io::leader) return {};
    if (context.couplings() == nullptr) return io::stranger_text(letter);
    return context.couplings()->refusal_text(letter);
  };
  const auto is_vain = [&](const io::Letter& letter) {
    return letter.asks() && !refusal(letter).empty();
  };
  while (const auto letter = letters_->take(is_vain)) {
    letters_->send(io::refusal_of(*letter, refusal(*letter), true), letter->rank);
  }
}

void ClientState::refuse_all_letters(const std::string& why) {
  const auto is_asking = [](const io::Letter& letter) { return letter.asks(); };
  const auto has_met = [](const std::unique_ptr<ContextState>& context, const io::Letter& letter) {
    return context && context->id() == letter.to_context && context->couplings() != nullptr &&
           context->couplings()->has_met(letter);
  };
  while (const auto letter = letters_->take(is_asking)) {
    // Those that are not first clients of the context have got it, too.
    const bool is_met =
        std::any_of(contexts_.begin(), contexts_.end(),
                    [&](const auto& context) { return has_met(context.second, *letter); }) ||
        std::any_of(past_contexts_.begin(), past_contexts_.end(),
                    [&](const auto& context) { return has_met(context, *letter); });
    if (!is_met) letters_->send(io::refusal_of(*letter, why, false), letter->rank);
  }
}

Couplings::Neighbour ClientState::neighbour(const std::string& context) const {
  using State = Couplings::Neighbour::State;
  const auto found = contexts_.find(context);
  if (found == contexts_.end() || !found->second || found->second->is_over()) return {};
  const ContextState& other = *found->second;
  if (other.is_being_defined()) return {State::being_defined, nullptr};
  return {other.is_running() ? State::running : State::failed, other.couplings()};
}

void ClientState::refuse_vain_waits(const std::string& context, const Couplings* couplings) const {
  for (const auto& [id, other] : contexts_) {
    if (!other || id == context || !other->is_running() || other->couplings() == nullptr) continue;
    const std::string where = other->couplings()->waits_at(context);
    if (where.empty() || (couplings != nullptr && couplings->knows(session_.code_id(), id))) {
      continue;
    }
    io::Letter greeting;
    greeting.from_code = session_.code_id();
    greeting.from_context = id;
    throw Error(ErrorCode::configuration,
                fmt::format("{}: context '{}' waits for '{}::{}' in vain ({})", where,
                            other->couplings()->name(), session_.code_id(), context,
                            io::stranger_text(greeting)));
  }
}

void ClientState::deliver_to_partners(const ContextState& waiting) {
  for (const auto& [id, context] : contexts_) {
    if (context) context->deliver_to_partners(*waiting.couplings());
  }
}

void ClientState::progress_couplings() {
  for (const auto& [id, context] : contexts_) {
    if (!context || context->couplings() == nullptr) continue;
    context->is_over() ? context->couplings()->let_go() : context->couplings()->progress();
  }
  for (const auto& context : past_contexts_) {
    if (context->couplings() != nullptr) context->couplings()->let_go();
  }
}

void ClientState::poll() {
  if (window_) window_->progress();
  ep::Received message;
  while (ep::try_receive(servers_, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::to_client),
                         message)) {
    if (io::message_kind(message.bytes) == io::MessageKind::open_reply) {
      replies_.emplace_back(message.source, io::decode_open_reply(message.bytes));
      continue;
    }
    if (io::message_kind(message.bytes) == io::MessageKind::inspected) {
      --inspections_due_;
      if (inspections_due_ == 0) inspected_ = io::decode_inspected(message.bytes);
      continue;
    }
    const io::ContextReport report = io::decode_context_report(message.bytes);
    for (auto& [id, context] : contexts_) {
      if (context && context->number() == report.context) context->receive(report);
    }
  }
}

bool ClientState::take_reply(io::OpenReply& reply, int& server) {
  if (replies_.empty()) return false;
  server = replies_.front().first;
  reply = std::move(replies_.front().second);
  replies_.pop_front();
  return true;
}

void ClientState::ask_about(std::vector<config::FileQuestion> files) {
  for (config::FileQuestion& file : files)
    file.wants_dates = false;  // servers that read look at them
  send_to_leader(io::encode(io::Inspect{std::move(files)}));
  inspected_.reset();
  ++inspections_due_;
}

bool ClientState::take_inspected(io::Inspected& answer) {
  if (!inspected_) return false;
  answer = std::move(*inspected_);
  inspected_.reset();
  return true;
}

void ClientState::send_to_leader(std::vector<std::byte> bytes) {
  ep::send(servers_, bytes, io::leader, static_cast<int>(io::ControlTag::to_server));
}

std::uint64_t ClientState::next_opening() {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank())) << 32U) | openings_++;
}

}  // namespace epios::client
