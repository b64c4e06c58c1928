// What a context does with fields that it exchanges with others.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "context/context_state.hpp"
#include "data/written_paths.hpp"
#include "event/agreement.hpp"

namespace epios::client {

/// Of the clients of the context. Collective.
std::vector<int> ContextState::ranks_in_component() const {
  const ep::Comm& clients = this->clients();
  const int own = client_.rank();
  std::vector<int> out(static_cast<std::size_t>(clients.size()));
  ep::check(EP_Allgather(&own, 1, MPI_INT, out.data(), 1, MPI_INT, clients.get()));
  return out;
}

void ContextState::find_partners(std::vector<int> in_component) {
  if (model_->couplers.empty()) return;
  couplings_ = std::make_unique<Couplings>(
      Couplings::Setup{*model_, opening_->parts, client_.session().job(), clients(),
                       client_.letters(), client_.session().code_id(), client_.actor(),
                       std::move(in_component), opening_number_, settings_.patience_s,
                       settings_.give_up_s, settings_.carrier_of_answers(), settings_.buffer_bytes,
                       [this](const std::string& context) { return client_.neighbour(context); },
                       [this] { poll_for_partners(); },
                       [this] {
                         poll_for_partners();
                         throw_if_failed();
                       }});
  const config::DataGraph graph = config::data_graph(*model_);
  for (const int node : graph.of_result) sources_of_results_.push_back(graph.sources_of(node));
  const auto received = config::coupled_fields(*model_, config::ElementKind::coupler_in);
  for (const int node : graph.of_sent) {
    const std::vector<int> sources = graph.sources_of(node);
    const bool is_of_received = std::any_of(received.begin(), received.end(), [&](const auto* one) {
      return std::binary_search(sources.begin(), sources.end(), one->source);
    });
    is_of_received_.push_back(is_of_received ? 1 : 0);
    comes_later_.push_back(is_of_received || graph.is_moved(node) ? 1 : 0);
    sends_what_is_moved_ = sends_what_is_moved_ || graph.is_moved(node);
  }
}

/// Each component has servers of its own in a job without any: what another one writes, these do
/// not know, unless its files are open at the same time.
std::vector<std::string> ContextState::compare_files() {
  const io::Job& job = client_.session().job();
  const bool is_alone = job.watch().process_table().components.size() < 2;
  if (!job.is_attached() || is_alone || clients().rank() != io::leader) return {};
  io::Letters& letters = client_.letters();
  letters.take([](const io::Letter&) { return false; });
  std::vector<std::string> doubts;
  std::vector<std::string> paths;
  for (WrittenPath& file : written_paths(*model_)) {
    if (const io::Letters::Writer* const other = letters.writer_of(file.path)) {
      doubts.push_back(fmt::format(
          "file '{}' of context '{}' of component '{}': context '{}' of component '{}' writes it, "
          "too, in this job (the later one replaces the earlier). Give one of them another name, "
          "members of an ensemble by %member%?",
          file.name, id_, client_.session().code_id(), other->context, other->code));
    }
    paths.push_back(std::move(file.path));
  }
  io::Letter letter;
  letter.kind = io::Letter::Kind::files;
  letter.from_code = client_.session().code_id();
  letter.from_context = id_;
  letter.facts = io::encode_paths(paths);
  for (const int rank : job.clients_of_others()) letters.send(letter, rank);
  return doubts;
}

int ContextState::first_received() const {
  return static_cast<int>(read_dates_.size() + model_->results.size());
}

/// Others may wait for this client while it waits.
void ContextState::poll_for_partners() {
  client_.poll();
  client_.progress_couplings();
  client_.answer_letters();
  if (link_) link_->progress();
}

void ContextState::meet_partners() {
  io::all_or_none(clients(), [&] { client_.refuse_vain_waits(id_, couplings_.get()); });
  if (couplings_) couplings_->meet();
}

template <class T>
void ContextState::receive_coupled(int received, std::span<T> data) {
  const std::string& id = couplings_->id(received);
  check_received_size(id, couplings_->array_size(received), data.size());
  if (!couplings_->is_due(received, now_)) {
    const config::ReadSchedule& dates = couplings_->dates(received);
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}': field '{}' does not come at {} (the next time at {}, "
                            "then every {}). Receive it at these dates?",
                            id_, id, calendar_->text(now_),
                            calendar_->text(dates.date_of(dates.latest(now_) + 1)),
                            couplings_->field(received).sampling.output_freq.text()));
  }
  sent_now_ = true;
  client_.deliver_to_partners(*this);
  try {
    couplings_->fetch(received, now_, *workflow_);
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(
        fmt::format("context '{}': field '{}' at {}", id_, id, calendar_->text(now_)));
  }
  couplings_->copy(received, data);
}

template void ContextState::receive_coupled(int, std::span<double>);
template void ContextState::receive_coupled(int, std::span<float>);

/// What a result is made of, as far as it comes from others.
void ContextState::fetch_for_result(int result) {
  client_.deliver_to_partners(*this);
  try {
    couplings_->fetch_sources(sources_of_results_[static_cast<std::size_t>(result)], now_,
                              *workflow_);
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(fmt::format("context '{}' at {}", id_, calendar_->text(now_)));
  }
}

void ContextState::deliver_to_partners(const Couplings& before_waiting) {
  if (state_ != State::running || !sends_what_is_moved_) return;
  if (before_waiting.has_all_clients_of(*couplings_)) deliver();
}

/// No data of this date come any more: records for partners that have waited for some leave.
void ContextState::pass_sent(bool are_of_received) {
  const config::Instant after{now_.ms + 1};
  for (std::size_t sent = 0; sent < is_of_received_.size(); ++sent) {
    if ((is_of_received_[sent] != 0) != are_of_received) continue;
    workflow_->pass_sent(static_cast<int>(sent), after);
  }
}

void ContextState::end_coupled_date() {
  try {
    // First what needs nobody: the partner may wait for it before it sends what is waited for here.
    pass_sent(false);
    client_.deliver_to_partners(*this);
    couplings_->tell_missing(now_, comes_later_);
    couplings_->end_date(now_, *workflow_);
    pass_sent(true);
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(fmt::format("context '{}' at {}", id_, calendar_->text(now_)));
  }
}

/// What has not left by now has no values.
void ContextState::tell_missing_records() {
  try {
    couplings_->tell_missing(now_, {});
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(fmt::format("context '{}' at {}", id_, calendar_->text(now_)));
  }
}

}  // namespace epios::client
