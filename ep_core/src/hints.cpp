#include "hints.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <string>

#include "collective.hpp"
#include "error.hpp"

namespace ep {

void read_reduction_wish(MPI_Info info, Membership& mine) {
  if (info == MPI_INFO_NULL) return;
  std::array<char, 16> value{};
  int found = 0;
  check_mpi(
      MPI_Info_get(info, "ep_reduction", static_cast<int>(value.size()) - 1, value.data(), &found),
      "MPI_Info_get");
  if (found == 0) return;
  const std::string wish(value.data());
  if (wish == "fast") {
    mine.fast_reduction = 1;
  } else if (wish == "ordered") {
    mine.fast_reduction = 0;
  } else {
    mine.error = MPI_ERR_INFO_VALUE;
  }
}

namespace {

std::map<std::string, std::string> hints_of(MPI_Info info) {
  std::map<std::string, std::string> hints;
  if (info == MPI_INFO_NULL) return hints;
  int count = 0;
  check_mpi(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    check_mpi(MPI_Info_get_nthkey(info, i, key.data()), "MPI_Info_get_nthkey");
    check_mpi(MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &found),
              "MPI_Info_get");
    if (found != 0) hints[key.data()] = value.data();
  }
  return hints;
}

/// What the endpoints of one process say, together.
struct Wishes {
  bool fast = true;
  int error = EP_SUCCESS;
};

/// Wishes of all, as EP_Comm_set_info brings them.
class WishRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    Wishes here;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const Membership& one = *static_cast<const Membership*>(operation.call(slot).more);
      const bool now = operation.clique().fast_reduction();
      here.fast = here.fast && (one.fast_reduction < 0 ? now : one.fast_reduction == 1);
      here.error = std::max(here.error, one.error);
    }
    return BlobWriter().put(here).take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    bool fast = true;
    for (const auto& lump : all) {
      const auto wishes = BlobReader(lump).get<Wishes>();
      if (wishes.error != EP_SUCCESS) {
        fail(wishes.error, operation.what(), ": ", unknown_reduction);
      }
      fast = fast && wishes.fast;
    }
    operation.clique().set_fast_reduction(fast);
  }
};

}  // namespace

void apply_info(Endpoint& endpoint, MPI_Info info) {
  endpoint.hints = hints_of(info);
  const auto found = endpoint.hints.find("ep_check_types");
  if (found != endpoint.hints.end()) {
    endpoint.clique->checks_types.store(found->second == "true" || process().checks_types());
  }
}

void agree_on_reduction(Endpoint& endpoint, MPI_Info info, const char* what) {
  static const WishRecipe recipe;
  Membership mine;
  read_reduction_wish(info, mine);
  Call call;
  call.recipe = &recipe;
  call.what = what;
  call.more = &mine;
  run(endpoint, call);
}

}  // namespace ep
