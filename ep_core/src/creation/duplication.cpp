#include "creation/duplication.hpp"

#include <utility>

#include "cliques/clique.hpp"
#include "creation/clique_creation.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

// Apart from the tags of collective operations between processes.
int tag_of(std::uint64_t number) { return static_cast<int>(0x200000U | (number & 0xffffU)); }

}  // namespace

Duplication::Duplication(std::shared_ptr<Clique> parent, std::uint64_t number)
    : parent_(std::move(parent)),
      clique_(Clique::make(parent_->wire(), parent_->slot_count())),
      number_(number),
      memberships_(static_cast<std::size_t>(parent_->slot_count())),
      offers_(static_cast<std::size_t>(parent_->process_count())) {
  tuning_of(*clique_).copy_from(tuning_of(*parent_));
}

std::shared_ptr<Duplication> Duplication::join(Endpoint& endpoint, const Membership& mine) {
  const Clique& parent = *endpoint.clique;
  CliqueCreation& creation = creation_of(parent);
  const std::uint64_t number = ++endpoint.duplications;
  std::shared_ptr<Duplication> duplication;
  bool is_last = false;
  {
    const std::lock_guard lock(creation.duplications_mutex);
    auto& place = creation.duplications[number];
    if (!place) place = std::make_shared<Duplication>(endpoint.clique, number);
    duplication = place;
    duplication->memberships_[static_cast<std::size_t>(endpoint.slot)] = mine;
    is_last = ++duplication->joined_ == parent.slot_count();
    if (is_last) creation.duplications.erase(number);
  }
  if (is_last) duplication->exchange_offers();
  return duplication;
}

void Duplication::exchange_offers() {
  Offer& mine = offers_[static_cast<std::size_t>(parent_->my_process())];
  mine.context = clique_->context();
  for (const Membership& member : memberships_) mine.hints.add(member, *parent_);
  const int processes = parent_->process_count();
  const int me = parent_->my_process();
  missing_.fetch_add(2 * (processes - 1));
  const auto then = [self = shared_from_this()](const Request&) { self->one_less(); };
  for (int p = 0; p < processes; ++p) {
    if (p == me) continue;
    Offer& offer = offers_[static_cast<std::size_t>(p)];
    for (const bool sends : {false, true}) {
      Request& request = *request_arena().take();
      prepare(request, parent_, nullptr, mapped_bytes(sends ? &mine : &offer, sizeof offer),
              "a duplicate of a communicator");
      request.state.store(Request::abandoned);
      request.then = then;
      if (sends) {
        start_process_send(p, tag_of(number_), request);
      } else {
        start_process_receive(p, tag_of(number_), request);
      }
    }
  }
  one_less();
}

void Duplication::one_less() {
  if (missing_.fetch_sub(1) == 1) activate();
}

void Duplication::activate() {
  Clique::Layout layout = parent_->layout();
  CommHints hints;
  for (std::size_t p = 0; p < offers_.size(); ++p) {
    layout.processes[p].context = offers_[p].context;
    hints.add(offers_[p].hints);
  }
  code_ = guarded([&] { hints.apply(*clique_, "EP_Comm_idup_with_info"); });
  if (code_ != EP_SUCCESS) text_ = last_error();
  clique_->activate(std::move(layout));
  std::vector<Request*> waiting;
  {
    const std::lock_guard lock(mutex_);
    is_complete_ = true;
    waiting.swap(waiting_);
  }
  for (Request* request : waiting) {
    const std::shared_ptr<Clique> keep = request->clique;
    if (code_ != EP_SUCCESS) note_failure(*request, code_, text_);
    finish(*request);
  }
}

void Duplication::finish_later(Request& request) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_complete_) {
      waiting_.push_back(&request);
      return;
    }
  }
  if (code_ != EP_SUCCESS) note_failure(request, code_, text_);
  finish(request);
}

}  // namespace ep
