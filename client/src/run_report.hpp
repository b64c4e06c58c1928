#pragma once

#include <cstdint>
#include <string>

#include "epios/epios.h"

namespace epios::client {

/// What a run has cost one process, of all its clients and contexts.
class RunReport {
 public:
  /// A context of one client has ended.
  void add(const epios_statistics& context);

  // As numbers, for all processes of a component: sums, and the largest of one process.
  static constexpr int count = 7;
  struct Numbers {
    double clients = 0, contexts = 0, sends = 0, records = 0, bytes = 0;
    double in_library_s = 0, blocked_s = 0;
  };
  /// Of this process, with so many clients.
  Numbers numbers(int clients) const;

 private:
  Numbers numbers_;
};

/// Some lines, as users of XIOS look for them; `alive_s` from the start of the run to its end.
std::string report_text(const std::string& component, int processes, double alive_s,
                        const RunReport::Numbers& sum, const RunReport::Numbers& most);

}  // namespace epios::client
