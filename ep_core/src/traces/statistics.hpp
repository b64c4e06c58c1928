#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep {

/// Counts of what the endpoints of communicators did there.
struct Totals {
  static constexpr std::size_t most_known = 256;

  std::int64_t communicators = 0;
  std::int64_t messages = 0;  ///< sent
  std::int64_t message_bytes = 0;
  std::int64_t collectives = 0;
  std::int64_t collective_bytes = 0;  ///< number of bytes that endpoints contributed
  double waited_s = 0;
  std::map<std::string, double> waited_for_s;      ///< "rank 3": at most `most_known`
  std::map<std::string, std::int64_t> algorithms;  ///< "EP_Bcast binomial": how often

  void add(const Totals& other);
  /// Adds a wait, divided equally among `whom`; empty if the cause is unknown.
  void add_wait(double time_s, const std::vector<std::string>& whom);
  bool is_quiet() const noexcept { return messages == 0 && collectives == 0 && waited_s == 0; }
};

/// Formats a number of bytes for readers: "1.5 MB".
std::string readable_bytes(std::int64_t bytes);

/// The totals of communicators by name and size: short-lived ones of one name share a line.
class Statistics {
 public:
  void add(const std::string& name, int ranks, const Totals& totals);
  void add(const Statistics& other);
  /// True if there is nothing to report.
  bool is_quiet() const noexcept;

  /// Formats the totals as a table, in which the endpoint that waited longest comes first. `where`
  /// names their origin.
  std::string table(std::string_view where) const;

  /// Encodes the totals for another process.
  std::string write() const;
  static Statistics read(std::string_view bytes);

 private:
  std::map<std::pair<std::string, int>, Totals> rows_;
};

}  // namespace ep
