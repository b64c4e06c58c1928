#pragma once

#include <functional>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "windows/window_creation.hpp"
#include "windows/window_site.hpp"

namespace ep {

/// The description of a segment that each endpoint sends to all others while a window is created.
struct SegmentOffer {
  int flavor = EP_WIN_FLAVOR_CREATE;
  std::uint64_t base = 0;  ///< address in the endpoint's own process
  std::int64_t size = 0;
  std::int64_t disp_unit = 1;
  bool same_size = false;
  bool same_disp_unit = false;
  bool gaps_allowed = false;
  char role = ' ';  ///< c: client, s: server
  int error = EP_SUCCESS;
};

/// The outcome of a step at one endpoint.
struct Outcome {
  int code = EP_SUCCESS;
  std::string text;
  /// 1 for each raw window that exists in the endpoint's process; empty if it does not say. After
  /// the agreement, 1 for each that exists in all processes.
  std::vector<char> raw_windows;
};

/// Fills in the targets of the site, except for memory that does not exist yet. Throws an error of
/// one endpoint at all of them. Collective.
void exchange_segments(Endpoint& endpoint, WindowSite& site, const SegmentOffer& mine,
                       const char* what);

/// Throws at all endpoints if one has failed. In either case all agree on `mine.raw_windows`.
/// Collective.
void agree(Endpoint& endpoint, Outcome& mine, const char* what);
/// Runs `act` at this endpoint; an exception of one endpoint is thrown at all of them. Collective.
void agree_on(Endpoint& endpoint, const char* what, const std::function<void()>& act);

/// The arrangement of the raw windows of a site: their number, and whose segment each contains.
struct RawArrangement {
  int windows = 0;
  std::vector<int> slots;  ///< slot in this process whose segment is in each window; -1 for none
};
/// Computes the arrangement and sets `raw` of the targets.
RawArrangement arrange_raw_windows(const Clique& clique, WindowSite& site);

}  // namespace ep
