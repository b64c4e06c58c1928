#pragma once

#include <functional>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "windows/window_creation.hpp"
#include "windows/window_site.hpp"

namespace ep {

/// What all endpoints learn of each one's segment while a window is made.
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

/// The outcome of what happened at one endpoint.
struct Outcome {
  int code = EP_SUCCESS;
  std::string text;
  /// Of its process, which raw windows there are (1); empty: nothing to say. After the agreement,
  /// which there are in all processes.
  std::vector<char> raw_windows;
};

/// Collective: fills the targets of the site in, but for memory that is still to be made. Throws at
/// all endpoints what is wrong at one.
void exchange_segments(Endpoint& endpoint, WindowSite& site, const SegmentOffer& mine,
                       const char* what);

/// Collective: throws at all endpoints if something failed at one. `mine.raw_windows` is agreed on
/// in either case.
void agree(Endpoint& endpoint, Outcome& mine, const char* what);
/// Collective: runs `act` here, and throws at all endpoints what it throws at one.
void agree_on(Endpoint& endpoint, const char* what, const std::function<void()>& act);

/// How the raw windows of a site are arranged: how many, and whose segment is in which.
struct RawArrangement {
  int windows = 0;
  std::vector<int> slots;  ///< of this process, per window; -1: nobody's
};
/// Sets `raw` of the targets, too.
RawArrangement arrange_raw_windows(const Clique& clique, WindowSite& site);

}  // namespace ep
