#pragma once

#include <functional>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "windows/window_creation.hpp"
#include "windows/window_site.hpp"

namespace ep {

/// The description of its segment that every endpoint sends to all others while a window is made.
struct SegmentOffer {
  int flavor = EP_WIN_FLAVOR_CREATE;
  std::uint64_t base = 0;  ///< an address in its own process
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
  /// Which raw windows exist in its process (1); empty: no statement. After the agreement, which
  /// exist in all processes.
  std::vector<char> raw_windows;
};

/// Fills in the targets of the site, except memory that is still to be made. Throws at all
/// endpoints an error of one. Collective.
void exchange_segments(Endpoint& endpoint, WindowSite& site, const SegmentOffer& mine,
                       const char* what);

/// Throws at all endpoints if something failed at one. All agree on `mine.raw_windows` in either
/// case. Collective.
void agree(Endpoint& endpoint, Outcome& mine, const char* what);
/// Runs `act` here, and throws at all endpoints what it throws at one. Collective.
void agree_on(Endpoint& endpoint, const char* what, const std::function<void()>& act);

/// The arrangement of the raw windows of a site: how many there are, and whose segment is in which.
struct RawArrangement {
  int windows = 0;
  std::vector<int> slots;  ///< of this process, per window; -1: nobody's
};
/// Arranges the raw windows and sets `raw` of the targets.
RawArrangement arrange_raw_windows(const Clique& clique, WindowSite& site);

}  // namespace ep
