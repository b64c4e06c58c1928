#pragma once

#include <array>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <string>

#include "links/server_waits.hpp"

namespace epios::client {

/// At which date the clients of a context end it, once one of their processes, or a server, has
/// received a signal of stop_on_signal. At each date they begin a reduction, and take its result at
/// the next one: nobody waits but for a client that is a date behind.
class StopAgreement {
 public:
  /// Catches the signals that `names` has (io::catch_stop_signals). `clients`: of the context, of
  /// which this takes a duplicate. `check` is called while this client waits: it throws when the
  /// context has failed. Collective over the clients.
  StopAgreement(ServerWaits waits, const ep::Comm& clients, const std::string& names,
                std::function<void()> check);
  StopAgreement(const StopAgreement&) = delete;
  StopAgreement(StopAgreement&&) = delete;
  StopAgreement& operator=(const StopAgreement&) = delete;
  StopAgreement& operator=(StopAgreement&&) = delete;
  /// A reduction that is still under way keeps its memory for the rest of the process.
  ~StopAgreement();

  /// The date of `step` is over. Returns the signal, on all clients, if the context ends with it,
  /// else 0. `told`: the signal of which a server has told this client; 0: none. By all clients at
  /// the same dates.
  int at_end_of(std::int64_t step, int told);
  /// The context ends otherwise: waits until all clients have come here, or to a signal.
  void finish();

 private:
  /// The largest of all clients: signal, step at which they begin, and whether they go on. (Clients
  /// that went through other dates go on to that of the client that is furthest.)
  using Word = std::array<std::int64_t, 3>;
  static constexpr std::int64_t goes_on = 1;
  struct Reduction {
    Word own{};
    Word all{};
    EP_Request request = EP_REQUEST_NULL;
  };
  void begin(const Word& own);
  Word take();
  bool is_done();

  ServerWaits waits_;
  std::function<void()> check_;
  ep::Comm clients_;
  std::unique_ptr<Reduction> under_way_;
  int signal_ = 0;
  std::int64_t last_step_ = -1;  // at which the context ends; -1: not known yet
};

}  // namespace epios::client
