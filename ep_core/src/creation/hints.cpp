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
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

void read_algorithm_hint(MPI_Info info, Membership& mine) {
  const std::optional<std::string> text = find_hint(info, "ep_algorithm");
  if (!text) return;
  const int code =
      guarded([&] { mine.algorithms = parse_overrides(*text, "info key ep_algorithm"); });
  if (code == EP_SUCCESS) return;
  mine.unknown_algorithm = true;
  mine.error = MPI_ERR_INFO_VALUE;
}

}  // namespace

void read_hints(MPI_Info info, Membership& mine) {
  read_algorithm_hint(info, mine);
  const std::optional<std::string> mode = find_hint(info, "ep_reduction");
  if (!mode) return;
  if (mode == "fast") {
    mine.fast_reduction = 1;
  } else if (mode == "ordered") {
    mine.fast_reduction = 0;
  } else {
    mine.error = MPI_ERR_INFO_VALUE;
  }
}

void CommHints::add(const Membership& one, const Clique& clique) {
  const bool now = tuning_of(clique).fast_reduction();
  fast = fast && (one.fast_reduction < 0 ? now : one.fast_reduction == 1);
  error = std::max(error, one.error);
  unknown_algorithm = unknown_algorithm || one.unknown_algorithm;
  algorithms.complete(one.algorithms);
}

void CommHints::add(const CommHints& others) {
  fast = fast && others.fast;
  if (error == EP_SUCCESS) unknown_algorithm = others.unknown_algorithm;
  if (error == EP_SUCCESS) error = others.error;
  algorithms.complete(others.algorithms);
}

void CommHints::apply(const Clique& clique, const char* what) const {
  if (error != EP_SUCCESS) {
    fail(error, what, ": ", unknown_algorithm ? ep::unknown_algorithm() : unknown_reduction);
  }
  CostModel model = tuning_of(clique).cost_model();
  AlgorithmOverrides overrides = algorithms;
  overrides.complete(model.overrides);
  model.overrides = overrides;
  tuning_of(clique).set_fast_reduction(fast);
  tuning_of(clique).set_cost_model(model);
}

namespace {

/// CommHints of all, as EP_Comm_set_info brings them.
class HintsRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    CommHints here;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      here.add(*static_cast<const Membership*>(operation.call(slot).more), operation.clique());
    }
    return BlobWriter().put(here).take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    CommHints hints;
    for (const auto& lump : all) hints.add(BlobReader(lump).get<CommHints>());
    hints.apply(operation.clique(), operation.what());
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

void agree_on_hints(Endpoint& endpoint, MPI_Info info, const char* what) {
  static const HintsRecipe recipe;
  Membership mine;
  read_hints(info, mine);
  run(endpoint, call_of(recipe, what, &mine));
}

}  // namespace ep
