#include "creation/hints.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cliques/clique_tables.hpp"
#include "collectives/collective.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "schedules/ways.hpp"

namespace ep {

namespace {

void read_algorithm_wish(MPI_Info info, Membership& mine) {
  const std::optional<std::string> text = find_hint(info, "ep_algorithm");
  if (!text) return;
  const int code = guarded([&] { mine.algorithms = parse_wishes(*text, "info key ep_algorithm"); });
  if (code == EP_SUCCESS) return;
  mine.unknown_algorithm = true;
  mine.error = MPI_ERR_INFO_VALUE;
}

}  // namespace

void read_wishes(MPI_Info info, Membership& mine) {
  read_algorithm_wish(info, mine);
  const std::optional<std::string> wish = find_hint(info, "ep_reduction");
  if (!wish) return;
  if (wish == "fast") {
    mine.fast_reduction = 1;
  } else if (wish == "ordered") {
    mine.fast_reduction = 0;
  } else {
    mine.error = MPI_ERR_INFO_VALUE;
  }
}

namespace {

/// What the endpoints of one process say, together.
struct Wishes {
  bool fast = true;
  int error = EP_SUCCESS;
  bool unknown_algorithm = false;
  AlgorithmWishes algorithms;
};

/// Wishes of all, as EP_Comm_set_info brings them.
class WishRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    Wishes here;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const Membership& one = *static_cast<const Membership*>(operation.call(slot).more);
      const bool now = ways_of(operation.clique()).fast_reduction();
      here.fast = here.fast && (one.fast_reduction < 0 ? now : one.fast_reduction == 1);
      here.error = std::max(here.error, one.error);
      here.unknown_algorithm = here.unknown_algorithm || one.unknown_algorithm;
      here.algorithms.complete(one.algorithms);
    }
    return BlobWriter().put(here).take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    bool fast = true;
    CostModel model = ways_of(operation.clique()).cost_model();
    AlgorithmWishes algorithms;
    for (const auto& lump : all) {
      const auto wishes = BlobReader(lump).get<Wishes>();
      if (wishes.error != EP_SUCCESS) {
        fail(wishes.error, operation.what(), ": ",
             wishes.unknown_algorithm ? unknown_algorithm() : unknown_reduction);
      }
      fast = fast && wishes.fast;
      algorithms.complete(wishes.algorithms);
    }
    algorithms.complete(model.wishes);
    model.wishes = algorithms;
    ways_of(operation.clique()).set_fast_reduction(fast);
    ways_of(operation.clique()).set_cost_model(model);
  }
};

}  // namespace

void apply_info(Endpoint& endpoint, MPI_Info info) { apply_hints(endpoint, hints_of(info)); }

void apply_hints(Endpoint& endpoint, std::map<std::string, std::string> hints) {
  endpoint.hints = std::move(hints);
  const auto found = endpoint.hints.find("ep_check_types");
  if (found != endpoint.hints.end()) {
    endpoint.clique->checks_types.store(found->second == "true" || clique_tables().checks_types);
  }
}

void agree_on_wishes(Endpoint& endpoint, MPI_Info info, const char* what) {
  static const WishRecipe recipe;
  Membership mine;
  read_wishes(info, mine);
  Call call;
  call.recipe = &recipe;
  call.what = what;
  call.more = &mine;
  run(endpoint, call);
}

}  // namespace ep
