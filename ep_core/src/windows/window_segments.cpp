// Agreement of all endpoints on a new window: their segments, the outcome of each step, and the
// arrangement of raw windows. In order: checks of offers, the exchange of segments, the agreement
// on outcomes, the arrangement.
#include "windows/window_segments.hpp"

#include <algorithm>
#include <array>

#include "collectives/collective.hpp"
#include "creation/creation.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"

namespace ep {

namespace {

struct SegmentsCall {
  WindowSite* site = nullptr;
  SegmentOffer mine;
};

using Offers = std::vector<std::vector<SegmentOffer>>;  // by process and slot

int side_count(const Clique& clique) { return clique.is_inter() ? 2 : 1; }

const SegmentOffer& offer_at(const Offers& offers, Place place) {
  return offers[static_cast<std::size_t>(place.process)][static_cast<std::size_t>(place.slot)];
}

const char* complaint(int code) {
  switch (code) {
    case EP_ERR_SIZE:
      return "a size that is negative, or differs against info key same_size";
    case EP_ERR_DISP:
      return "a displacement unit that is not positive, or differs against info key same_disp_unit";
    case EP_ERR_BASE:
      return "a base that is a null pointer, and a size";
    case EP_ERR_INFO_VALUE:
      return "a known info key with a value that is not";
    case EP_ERR_RMA_SHARED:
      return "a place on another node than others (no memory is shared there)";
    case EP_ERR_NO_MEM:
      return "a size for which there is no memory";
    default:
      return "an argument that is none";
  }
}

int problem_of(const SegmentOffer& offer, const SegmentOffer& first) {
  if (offer.error != EP_SUCCESS) return offer.error;
  if (offer.same_size && offer.size != first.size) return EP_ERR_SIZE;
  if (offer.same_disp_unit && offer.disp_unit != first.disp_unit) return EP_ERR_DISP;
  return EP_SUCCESS;
}

void check_offers(Operation& operation, const Offers& offers) {
  const Clique& clique = operation.clique();
  for (int side = 0; side < side_count(clique); ++side) {
    const RankTable& group = clique.local_group(side);
    for (int rank = 0; rank < group.size(); ++rank) {
      const SegmentOffer& first = offer_at(offers, group.place(0));
      const SegmentOffer& offer = offer_at(offers, group.place(rank));
      const int code = problem_of(offer, first);
      if (code == EP_SUCCESS && offer.flavor != offers.front().front().flavor) {
        fail(EP_ERR_INFO_VALUE, operation.what(), ": rank ", rank,
             " differs from others in info key ep_dynamic. Give it at all endpoints alike?");
      }
      if (code == EP_SUCCESS) continue;
      fail(code, operation.what(), ": rank ", rank, " gives ", complaint(code), ".");
    }
  }
}

// Returns the side of the servers. A group without a role gets the one that the other group does
// not have.
int server_side_of(const Clique& clique, const Offers& offers) {
  std::array<int, 2> most{};
  for (int side = 0; side < 2; ++side) {
    const RankTable& group = clique.local_group(side);
    const char role = offer_at(offers, group.place(0)).role;
    if (role == 's') return side;
    if (role == 'c') return 1 - side;
    for (int p = 0; p < clique.process_count(); ++p) {
      most[static_cast<std::size_t>(side)] =
          std::max(most[static_cast<std::size_t>(side)], group.count(p));
    }
  }
  return most[1] > most[0] ? 0 : 1;
}

class SegmentsRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    BlobWriter blob;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      blob.put(static_cast<SegmentsCall*>(operation.call(slot).more)->mine);
    }
    return blob.take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    Offers offers;
    for (const auto& lump : all) {
      BlobReader blob(lump);
      std::vector<SegmentOffer>& slots = offers.emplace_back();
      for (std::size_t i = 0; i < lump.size() / sizeof(SegmentOffer); ++i) {
        slots.push_back(blob.get<SegmentOffer>());
      }
    }
    check_offers(operation, offers);
    const Clique& clique = operation.clique();
    WindowSite& site = *static_cast<SegmentsCall*>(operation.call(0).more)->site;
    site.flavor = offers.front().front().flavor;
    site.gaps_allowed = std::all_of(offers.begin(), offers.end(), [](const auto& slots) {
      return std::all_of(slots.begin(), slots.end(),
                         [](const SegmentOffer& offer) { return offer.gaps_allowed; });
    });
    if (clique.is_inter()) site.server_side = server_side_of(clique, offers);
    for (int side = 0; side < side_count(clique); ++side) fill_in(clique, site, offers, side);
  }

 private:
  static void fill_in(const Clique& clique, WindowSite& site, const Offers& offers, int side) {
    const RankTable& group = clique.local_group(side);
    auto& targets = site.targets[static_cast<std::size_t>(side)];
    for (int rank = 0; rank < group.size(); ++rank) {
      Target target;
      target.place = group.place(rank);
      const SegmentOffer& offer = offer_at(offers, target.place);
      target.size = offer.size;
      target.disp_unit = offer.disp_unit;
      if (target.place.process == clique.my_process()) {
        target.exposure = &site.exposure(target.place.slot);
        target.element_lock = &target.exposure->element_lock;
        target.memory = reinterpret_cast<std::byte*>(  // NOLINT(performance-no-int-to-ptr)
            static_cast<std::uintptr_t>(offer.base));
        site.own_segment(target.place.slot) = target.memory;
      }
      targets.push_back(target);
    }
  }
};

struct OutcomeCall {
  Outcome* mine;
};

class OutcomeRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    Outcome here;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const Outcome& outcome = *static_cast<OutcomeCall*>(operation.call(slot).more)->mine;
      if (!outcome.raw_windows.empty()) here.raw_windows = outcome.raw_windows;
      if (here.code != EP_SUCCESS || outcome.code == EP_SUCCESS) continue;
      here.code = outcome.code;
      here.text = outcome.text;
    }
    BlobWriter blob;
    blob.put(here.code);
    put(blob, here.raw_windows);
    put(blob, here.text);
    return blob.take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    Outcome whole;
    for (std::size_t i = 0; i < all.size(); ++i) {
      BlobReader blob(all[i]);
      const int code = blob.get<int>();
      const auto windows = get<std::vector<char>>(blob);
      const auto text = get<std::string>(blob);
      if (i == 0) whole.raw_windows = windows;
      whole.raw_windows.resize(std::min(whole.raw_windows.size(), windows.size()));
      for (std::size_t w = 0; w < whole.raw_windows.size(); ++w) {
        if (windows[w] == 0) whole.raw_windows[w] = 0;
      }
      if (whole.code != EP_SUCCESS || code == EP_SUCCESS) continue;
      whole.code = code;
      whole.text = text;
    }
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      static_cast<OutcomeCall*>(operation.call(slot).more)->mine->raw_windows = whole.raw_windows;
    }
    if (whole.code != EP_SUCCESS) fail(whole.code, operation.what(), ": ", whole.text);
  }

 private:
  template <class Characters>
  static void put(BlobWriter& blob, const Characters& characters) {
    blob.put(static_cast<int>(characters.size()));
    for (const char c : characters) blob.put(c);
  }
  template <class Characters>
  static Characters get(BlobReader& blob) {
    Characters out(static_cast<std::size_t>(blob.get<int>()), '\0');
    for (char& c : out) c = blob.get<char>();
    return out;
  }
};

}  // namespace

void exchange_segments(Endpoint& endpoint, WindowSite& site, const SegmentOffer& mine,
                       const char* what) {
  static const SegmentsRecipe recipe;
  SegmentsCall segments{&site, mine};
  run(endpoint, call_of(recipe, what, &segments));
}

void agree(Endpoint& endpoint, Outcome& mine, const char* what) {
  static const OutcomeRecipe recipe;
  OutcomeCall outcome{&mine};
  run(endpoint, call_of(recipe, what, &outcome));
}

void agree_on(Endpoint& endpoint, const char* what, const std::function<void()>& act) {
  Outcome mine;
  mine.code = guarded(act);
  if (mine.code != EP_SUCCESS) mine.text = last_error();
  agree(endpoint, mine, what);
}

namespace {

RawArrangement arrange_group(const Clique& clique, WindowSite& site) {
  for (Target& target : site.targets[0]) target.raw = target.place.slot;
  RawArrangement out{clique.layout().largest_clique, {}};
  for (int i = 0; i < out.windows; ++i) out.slots.push_back(i < clique.slot_count() ? i : -1);
  return out;
}

// Client number i has window i. The first server of a process without clients is in all of these;
// other servers need windows of their own.
RawArrangement arrange_clients(const Clique& clique, WindowSite& site) {
  const auto server_side = static_cast<std::size_t>(site.server_side);
  const std::size_t client_side = 1 - server_side;
  const RankTable& clients = clique.local_group(static_cast<int>(client_side));
  const RankTable& servers = clique.local_group(static_cast<int>(server_side));
  int most_clients = 0;
  int most_extra = 0;
  for (int p = 0; p < clique.process_count(); ++p) {
    most_clients = std::max(most_clients, clients.count(p));
    most_extra = std::max(most_extra, servers.count(p) - (clients.count(p) == 0 ? 1 : 0));
  }
  RawArrangement out{most_clients + most_extra, {}};
  out.slots.assign(static_cast<std::size_t>(out.windows), -1);
  const auto expose = [&](const Target& target, int first, int last) {
    if (target.place.process != clique.my_process()) return;
    for (int i = first; i < last; ++i) out.slots[static_cast<std::size_t>(i)] = target.place.slot;
  };
  for (Target& target : site.targets[client_side]) {
    target.raw = site.client_number(target.place, static_cast<int>(client_side));
    expose(target, target.raw, target.raw + 1);
  }
  for (Target& target : site.targets[server_side]) {
    const int clients_there = clients.count(target.place.process);
    const int first_slot = server_side == 1 ? clients_there : 0;
    const int number = target.place.slot - first_slot - (clients_there == 0 ? 1 : 0);
    target.raw = number < 0 ? Target::by_client : most_clients + number;
    if (number < 0) {
      expose(target, 0, most_clients);
    } else {
      expose(target, target.raw, target.raw + 1);
    }
  }
  return out;
}

}  // namespace

RawArrangement arrange_raw_windows(const Clique& clique, WindowSite& site) {
  return clique.is_inter() ? arrange_clients(clique, site) : arrange_group(clique, site);
}

}  // namespace ep
