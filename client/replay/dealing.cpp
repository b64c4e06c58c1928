#include "dealing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "config/error.hpp"
#include "config/run_names.hpp"
#include "recorded_definitions.hpp"
#include "session/run_texts.hpp"

namespace epios::replay {

using client::RecordedCall;
using client::RecordedKind;

Dealing::Dealing(std::string folder, client::RecordingHeader recorded, const Share& share)
    : folder_(std::move(folder)),
      recorded_(std::move(recorded)),
      texts_(client::decode_run_texts(recorded_.texts)),
      names_(config::run_names(recorded_.code_id, recorded_.member)),
      share_(share) {}

template <class Take>
void Dealing::for_each_definition(int client, std::uint32_t context, const Take& take) const {
  RecordingReader reader(client::recording_path(folder_, recorded_.component, client));
  while (const auto call = reader.next()) {
    if (call->context != context) continue;
    if (call->kind == RecordedKind::close_definition) return;
    if (is_definition(call->kind)) take(*call);
  }
}

/// Scalars, axes, domains and grids as a recorded client described them: nothing else differs.
config::Model Dealing::elements_of(int client, std::uint32_t context, const std::string& id) const {
  RecordedDefinitions definitions(texts_, names_, id, RecordedDefinitions::Parts::all);
  for_each_definition(client, context, [&](const RecordedCall& call) { definitions.take(call); });
  config::Model all = definitions.resolve();
  config::Model out;
  out.scalars = std::move(all.scalars);
  out.axes = std::move(all.axes);
  out.domains = std::move(all.domains);
  out.grids = std::move(all.grids);
  return out;
}

void Dealing::open(const RecordedCall& call) {
  const std::string& id = call.texts.at(0);
  // As communicators of all clients are given, too.
  const auto* const ranks = call.value ? &std::get<config::value::integers>(*call.value) : nullptr;
  if (ranks != nullptr && std::ssize(ranks->values) < recorded_.clients) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}' is one of some clients of its component (such contexts "
                            "are played with the recorded number of clients, {}). Leave out "
                            "--clients?",
                            id, recorded_.clients));
  }
  // To resolve definitions takes longer than to keep what the points of all clients need.
  std::vector<config::Model> recorded;
  for (int client = 0; client < recorded_.clients; ++client) {
    recorded.push_back(elements_of(client, call.context, id));
  }
  Context& context = contexts_[call.context];
  RecordedDefinitions own(texts_, names_, id, RecordedDefinitions::Parts::global);
  for_each_definition(0, call.context, [&](const RecordedCall& definition) {
    context.drops.push_back(!own.take(definition));
  });
  context.attributes = dealt_attributes(recorded, share_);
  for (const DealtAttribute& attribute : context.attributes) {
    own.set(attribute.kind, attribute.id, attribute.name, attribute.value);
  }
  context.arrays = std::make_unique<DealtArrays>(own.resolve(), recorded);
}

bool Dealing::drops_next(std::uint32_t context) {
  Context& its = contexts_.at(context);
  return its.next < its.drops.size() && its.drops[its.next++];
}

const std::vector<DealtAttribute>& Dealing::attributes(std::uint32_t context) const {
  return contexts_.at(context).attributes;
}

std::int64_t Dealing::size(const RecordedCall& send) const {
  const DealtArrays& arrays = *contexts_.at(send.context).arrays;
  const std::int64_t field = send.numbers.at(0);
  // Arrays of fields that nobody needs have any size.
  return arrays.has(field) ? arrays.of(static_cast<int>(field)).size() : send.numbers.at(2);
}

void Dealing::fill(const RecordedCall& send, std::span<std::byte> out) {
  const auto value_bytes = client::size_of(send.numbers.at(1));
  const DealtArray& array =
      contexts_.at(send.context).arrays->of(static_cast<int>(send.numbers.at(0)));
  std::fill(out.begin(), out.end(), std::byte{0});
  for (const int client : array.clients()) {
    if (client == 0) {
      array.copy(0, send.data, value_bytes, out);
    } else {
      array.copy(client, next_values(client, send).data, value_bytes, out);
    }
  }
}

/// Clients need not send the fields of a step in one order.
RecordedCall Dealing::next_values(int client, const RecordedCall& send) {
  Sender& sender =
      senders_.try_emplace(client, client::recording_path(folder_, recorded_.component, client))
          .first->second;
  const std::int64_t step = contexts_.at(send.context).step;
  std::erase_if(sender.ahead, [&](const Sender::Sent& sent) {
    const auto its = contexts_.find(sent.call.context);
    return its != contexts_.end() && sent.step < its->second.step;
  });
  std::size_t looked_at = 0;
  do {
    for (; looked_at < sender.ahead.size(); ++looked_at) {
      Sender::Sent& sent = sender.ahead[looked_at];
      const bool is_it = sent.call.context == send.context && sent.step == step &&
                         sent.call.numbers.at(0) == send.numbers.at(0);
      if (!is_it) continue;
      RecordedCall out = std::move(sent.call);
      sender.ahead.erase(sender.ahead.begin() + static_cast<std::ptrdiff_t>(looked_at));
      return out;
    }
  } while (sender.steps[send.context] <= step && read_on(sender));
  throw Error(ErrorCode::argument,
              fmt::format("recorded client {} has not sent field {} at step {} as client 0 has "
                          "(their values cannot be put together). Leave out --clients?",
                          client, send.numbers.at(0), step));
}

/// Reads a call, and keeps it if it has values. Returns false at the end.
bool Dealing::read_on(Sender& sender) {
  auto call = sender.reader.next();
  if (!call) return false;
  if (call->kind == RecordedKind::update_calendar) {
    std::int64_t& step = sender.steps[call->context];
    step = std::max(step, call->numbers.at(0));  // going back was refused
  } else if (call->kind == RecordedKind::send &&
             (call->numbers.at(3) & client::sent_flags::has_values) != 0) {
    const std::int64_t step = sender.steps[call->context];
    sender.ahead.push_back({std::move(*call), step});
  }
  return true;
}

}  // namespace epios::replay
