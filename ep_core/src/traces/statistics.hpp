#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace ep {

/// What the endpoints of communicators did there.
struct Totals {
  std::int64_t endpoints = 0;
  std::int64_t messages = 0;  ///< sent
  std::int64_t message_bytes = 0;
  std::int64_t collectives = 0;
  std::int64_t collective_bytes = 0;  ///< that endpoints contributed
  double waited_s = 0;
  std::map<std::string, double> waited_for_s;      ///< "rank 3", of waits whose reason is known
  std::map<std::string, std::int64_t> algorithms;  ///< "EP_Bcast binomial": how often

  void add(const Totals& other);
  bool is_quiet() const noexcept { return messages == 0 && collectives == 0 && waited_s == 0; }
};

/// A number of bytes for readers: "1.5 MB".
std::string readable_bytes(std::int64_t bytes);

/// The totals of communicators by name and size: short-lived ones of one name are one line.
class Statistics {
 public:
  void add(const std::string& name, int ranks, const Totals& totals);
  void add(const Statistics& other);
  bool empty() const noexcept { return rows_.empty(); }

  /// For readers: who waited longest comes first. `where` says of whom it is.
  std::string table(std::string_view where) const;

  /// For another process.
  std::string write() const;
  static Statistics read(std::string_view bytes);

 private:
  std::map<std::pair<std::string, int>, Totals> rows_;
};

}  // namespace ep
