/// @file
/// Grids that a context takes from those that send it fields, before its Model is settled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/coupled_grids.hpp"
#include "config/error.hpp"
#include "config/model_fwd.hpp"
#include "coupling/coupling_handshake.hpp"
#include "coupling/couplings.hpp"
#include "coupling/first_clients.hpp"
#include "coupling/given_grids.hpp"
#include "event/job.hpp"

namespace epios::client {

/// Of a context on this client.
class PartnerGrids {
 public:
  struct Setup {
    const io::Job& job;
    const ep::Comm& clients;
    io::CouplingHandshake& handshake;
    std::string code, context;
    io::Actor self;
    std::vector<int> in_component;
    std::uint64_t opening = 0;  ///< none that contexts meet with
    double patience_s = 0, give_up_s = 0;
    config::CoupledGrids wanted;
    std::vector<bool> lack_sizes;  ///< per element, on any client
    std::function<Couplings::Neighbour(const std::string&)> neighbour;
    std::function<void()> poll;  ///< called while this client waits
  };
  explicit PartnerGrids(Setup setup);

  /// Asks all partners whose grids are wanted, and answers those who ask meanwhile, until all have
  /// answered. Collective over the clients of the context; all throw alike.
  void take();

  /// What has been said of an element.
  struct Taken {
    config::GivenElement element;
    std::string from;                            ///< "context 'atm::sky' (field 'wind')"
    std::vector<std::vector<double>> stretches;  ///< per coordinate: see io::deal()
    std::ptrdiff_t partner = 0;                  ///< who has said it
    std::size_t first = 0;                       ///< of its coordinates, that of this element
  };
  /// By number of the element.
  const std::map<int, Taken>& taken() const { return taken_; }
  /// All elements that are asked for, and the Model as they were open.
  const config::ReadGrids& grids() const { return setup_.wanted.grids; }

 private:
  struct Partner {
    std::string code, context, where;
    int component = -1;
    std::vector<int> fields;  ///< into CoupledGrids::fields
    bool is_local = false;
    bool is_done = false;
    int refusals = 0;
    std::string name() const { return code + "::" + context; }
  };
  bool leads() const { return setup_.clients.rank() == 0; }
  std::string name() const { return setup_.code + "::" + setup_.context; }
  void add_partners();
  void find_local();
  io::HandshakeMessage question_to(const Partner& partner) const;
  bool is_from(const Partner& partner, const io::HandshakeMessage& message) const;
  void ask() const;
  Word next();
  std::optional<Word> look();
  void check_refusals(Partner& partner);
  void refuse_unmatched() const;
  std::string text_of_missing() const;
  void take_from(Partner& partner, std::span<const std::byte> answer);
  void keep(const Partner& partner, const config::GridAnswer& answer);
  void check_told(const Partner& partner, const config::CoupledGrids::Field& field,
                  const config::GridAnswer::Field& told,
                  const std::vector<config::GivenElement>& elements) const;
  void keep_element(const config::CoupledGrids::Field& field, int number, Taken taken);
  void receive_values(const Partner& partner, const config::GridAnswer& answer);
  std::map<int, int> givers_of_values(const Partner& partner,
                                      const config::GridAnswer& answer) const;
  std::map<int, std::vector<std::byte>> messages_with_values(const Partner& partner,
                                                             const config::GridAnswer& answer);

  Setup setup_;
  std::vector<Partner> partners_;
  std::vector<int> says_what_;  ///< per element: the field that it is taken from; -1: none
  std::map<int, Taken> taken_;
  std::vector<std::byte> said_;  ///< on the first client: what belongs to the next word
};

}  // namespace epios::client
