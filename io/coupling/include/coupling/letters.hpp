/// @file
/// What clients of different contexts write to each other before they are connected.
#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ep/fwd.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// From the first client of a context; a refusal from anybody that it has written to. A pair is
/// connected when both have agreed to it: that whose name comes first proposes, and may change its
/// mind until it says go; who has accepted waits for that and does nothing else meanwhile.
struct Letter {
  enum class Kind : std::uint8_t {
    greeting = 1,  ///< to all clients of the partner's component: who is its first client?
    facts,         ///< between first clients: an encoded CoupledContext
    refusal,       ///< nobody will come
    proposal,      ///< let us connect
    acceptance,    ///< yes, as soon as you say so
    go,            ///< now
    withdrawal,    ///< of a greeting of the same opening, to all that got it: who greeted is
                   ///< connected, or will never be, for the reason that the text has
    question,      ///< to all clients of the partner's component: an encoded GridQuestion
    answer,        ///< an encoded GridAnswer, to who has asked
    values,        ///< coordinates, between all clients of both
    farewell,      ///< to all clients of other components: no client of this one is left
    files          ///< to the same: paths of the files that a context writes, encode_paths()
  } kind = Kind::greeting;
  std::string from_code, from_context;
  std::string to_code, to_context;
  std::uint64_t from_opening = 0;  ///< of the context: its id may be used again
  std::uint64_t to_opening = 0;    ///< not of a greeting: that is for any
  std::vector<std::byte> facts;
  std::string text;       ///< of a refusal: why
  bool is_final = false;  ///< of a refusal: nobody else needs to be waited for
  int rank = -1;          ///< of who wrote it; not part of the bytes
  /// Whether somebody waits for an answer of a context that may not be there.
  bool asks() const { return kind == Kind::greeting || kind == Kind::question; }
};

std::vector<std::byte> encode(const Letter& letter);
/// Throws Error{protocol} for bytes that encode() did not make.
Letter decode_letter(std::span<const std::byte> bytes);

std::vector<std::byte> encode_paths(const std::vector<std::string>& paths);

/// The answer to a greeting. `is_final`: nobody else needs to be waited for.
Letter refusal_of(const Letter& greeting, const std::string& why, bool is_final);
/// Why nobody of a component, or one client of it, opens anything any more.
std::string ended_text(const std::string& code);
std::string ended_text(const std::string& code, int rank);
/// Why a context refuses one that it exchanges nothing with.
std::string stranger_text(const Letter& greeting);

/// The letters of one client. Belongs to its thread.
class Letters {
 public:
  /// `everyone`: the endpoints of a job, which outlives this.
  explicit Letters(const ep::Comm& everyone) : everyone_(everyone) {}
  Letters(const Letters&) = delete;
  Letters(Letters&&) = delete;
  Letters& operator=(const Letters&) = delete;
  Letters& operator=(Letters&&) = delete;
  ~Letters();

  const ep::Comm& everyone() const { return everyone_; }
  /// Never waits. Local.
  void send(const Letter& letter, int rank);
  /// The oldest one that has come and for which `is_wanted`; others are kept. Local.
  using IsWanted = std::function<bool(const Letter&)>;
  std::optional<Letter> take(const IsWanted& is_wanted);
  /// Whether a farewell of the component has been among what take() has seen: it opens nothing any
  /// more.
  bool has_ended(const std::string& code) const { return ended_.count(code) > 0; }
  /// The context of another component that was the first to say that it writes a file, as far as
  /// take() has seen its letter; null: there is none.
  struct Writer {
    std::string code, context;
  };
  const Writer* writer_of(const std::string& path) const;

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    EP_Request request = EP_REQUEST_NULL;
  };
  const ep::Comm& everyone_;
  std::deque<Letter> kept_;
  std::set<std::string> ended_;            // components
  std::map<std::string, Writer> writers_;  // by path
  // On their way: nobody waits for them, as their receivers may never come.
  std::unique_ptr<std::list<Sent>> sent_ = std::make_unique<std::list<Sent>>();
};

}  // namespace epios::io
