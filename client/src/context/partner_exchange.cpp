// Fields to and from other contexts, date by date. What a partner may be waiting for leaves before
// this client waits for it; what is made of fields of partners leaves when those have come; at the
// end of a date partners hear of what will not come. In this order: opening, fields that come, the
// end of a date.
#include "context/partner_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {
namespace {

Couplings::Setup couplings_setup(const ContextGroup& group, const config::Model& model,
                                 ContextAccount& account, ContextProgress& progress,
                                 const io::LocalParts& parts, std::vector<int> in_component,
                                 std::uint64_t opening) {
  ClientState& client = group.client();
  const RunSettings& settings = group.settings();
  return {model,
          parts,
          client.session().job(),
          group.clients(),
          client.handshake(),
          client.session().code_id(),
          client.actor(),
          std::move(in_component),
          opening,
          settings.patience_s,
          settings.give_up_s,
          settings.carrier_of_answers(),
          settings.buffer_bytes,
          [&client](const std::string& context) { return client.neighbour(context); },
          [&progress] { progress.poll_for_partners(); },
          [&progress, &account] {
            progress.poll_for_partners();
            account.throw_if_failed();
          }};
}

}  // namespace

PartnerExchange::PartnerExchange(const ContextGroup& group, const config::Model& model,
                                 ContextAccount& account, ContextProgress& progress,
                                 const io::LocalParts& parts, std::vector<int> in_component,
                                 std::uint64_t opening)
    : group_(group),
      account_(account),
      couplings_(couplings_setup(group, model, account, progress, parts, std::move(in_component),
                                 opening)) {
  const config::DataGraph graph = config::data_graph(model);
  for (const config::DataNodeId node : graph.of_result)
    sources_of_results_.push_back(graph.sources_of(node));
  const auto received = config::coupled_fields(model, config::ElementKind::coupler_in);
  for (const config::DataNodeId node : graph.of_sent) {
    const std::vector<config::SourceId> sources = graph.sources_of(node);
    const bool is_of_received = std::any_of(received.begin(), received.end(), [&](const auto* one) {
      return std::binary_search(sources.begin(), sources.end(), one->source);
    });
    is_of_received_.push_back(is_of_received ? 1 : 0);
    comes_later_.push_back(is_of_received || graph.is_moved(node) ? 1 : 0);
    sends_what_is_moved_ = sends_what_is_moved_ || graph.is_moved(node);
  }
}

void PartnerExchange::run_with(io::Workflow* workflow, const RunClock* clock) {
  workflow_ = workflow;
  clock_ = clock;
}

std::string PartnerExchange::place() const {
  return fmt::format("context '{}' at {}", group_.id(), clock_->text());
}

void PartnerExchange::fetch(int received) {
  group_.client().deliver_to_partners(couplings_);
  try {
    fields().fetch(received, clock_->now(), *workflow_);
  } catch (const Error& error) {
    account_.rethrow(error, fmt::format("context '{}': field '{}' at {}", group_.id(),
                                        fields().id(received), clock_->text()));
  }
}

void PartnerExchange::fetch_for_result(int result) {
  group_.client().deliver_to_partners(couplings_);
  try {
    fields().fetch_sources(nth(sources_of_results_, result), clock_->now(), *workflow_);
  } catch (const Error& error) {
    account_.rethrow(error, place());
  }
}

void PartnerExchange::resume_when_linked() {
  if (workflow_ != nullptr && couplings_.are_all_linked()) workflow_->resume();
}

void PartnerExchange::deliver_for(const Couplings& waiting) {
  resume_when_linked();
  if (workflow_ == nullptr || !sends_what_is_moved_ || !waiting.has_all_clients_of(couplings_)) {
    return;
  }
  try {
    workflow_->deliver();
  } catch (const Error& error) {
    account_.rethrow(error, fmt::format("context '{}'", group_.id()));
  }
}

/// Records for partners leave that have waited for data of this date.
void PartnerExchange::pass_sent(bool are_of_received) {
  const config::Instant after{clock_->now().ms + 1};
  for (std::size_t sent = 0; sent < is_of_received_.size(); ++sent) {
    if ((is_of_received_[sent] != 0) != are_of_received) continue;
    workflow_->pass_sent(static_cast<int>(sent), after);
  }
}

void PartnerExchange::end_date() {
  try {
    // First what needs nobody: the partner may wait for it before it sends what is waited for here.
    pass_sent(false);
    group_.client().deliver_to_partners(couplings_);
    fields().report_missing(clock_->now(), comes_later_);
    fields().end_date(clock_->now(), *workflow_);
    couplings_.progress();
    pass_sent(true);
  } catch (const Error& error) {
    account_.rethrow(error, place());
  }
}

void PartnerExchange::report_missing() {
  try {
    fields().report_missing(clock_->now(), {});
  } catch (const Error& error) {
    account_.rethrow(error, place());
  }
}

}  // namespace epios::client
