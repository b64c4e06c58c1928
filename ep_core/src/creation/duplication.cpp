#include "creation/duplication.hpp"

#include <utility>

#include "cliques/clique.hpp"
#include "creation/creation_parts.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "schedules/ways.hpp"

namespace ep {

namespace {

// Apart from the tags of collective operations between processes.
int tag_of(std::uint64_t number) { return static_cast<int>(0x200000U | (number & 0xffffU)); }

}  // namespace

Duplication::Duplication(std::shared_ptr<Clique> parent, std::uint64_t number)
    : parent_(std::move(parent)),
      clique_(Clique::make(parent_->wire(), parent_->slot_count())),
      number_(number),
      my_context_(clique_->context()),
      contexts_(static_cast<std::size_t>(parent_->process_count())) {
  ways_of(*clique_).take_from(ways_of(*parent_));
}

std::shared_ptr<Duplication> Duplication::join(Endpoint& endpoint) {
  const Clique& parent = *endpoint.clique;
  CliqueCreation& creation = creation_of(parent);
  const std::uint64_t number = ++endpoint.duplications;
  std::shared_ptr<Duplication> one;
  bool is_first = false;
  {
    const std::lock_guard lock(creation.duplications_mutex);
    auto& place = creation.duplications[number];
    is_first = !place;
    if (is_first) place = std::make_shared<Duplication>(endpoint.clique, number);
    one = place;
    if (++one->joined_ == parent.slot_count()) creation.duplications.erase(number);
  }
  if (is_first) one->exchange_contexts();
  return one;
}

void Duplication::exchange_contexts() {
  const int processes = parent_->process_count();
  const int me = parent_->my_process();
  missing_.fetch_add(2 * (processes - 1));
  const auto then = [self = shared_from_this()] { self->one_less(); };
  for (int p = 0; p < processes; ++p) {
    auto& context = contexts_[static_cast<std::size_t>(p)];
    if (p == me) {
      context = my_context_;
      continue;
    }
    for (const bool sends : {false, true}) {
      Request& request = *request_arena().take();
      prepare(request, parent_, nullptr,
              mapped_bytes(sends ? &my_context_ : &context, sizeof context),
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
  for (std::size_t p = 0; p < contexts_.size(); ++p) layout.processes[p].context = contexts_[p];
  clique_->activate(std::move(layout));
  std::vector<Request*> waiting;
  {
    const std::lock_guard lock(mutex_);
    is_complete_ = true;
    waiting.swap(waiting_);
  }
  for (Request* request : waiting) {
    const std::shared_ptr<Clique> keep = request->clique;
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
  finish(request);
}

}  // namespace ep
