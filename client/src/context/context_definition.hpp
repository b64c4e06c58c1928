#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/definitions.hpp"
#include "config/model_fwd.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "session/run_settings.hpp"

namespace epios::client {

/// The definitions of one context on one client, and the Model that they resolve to when all
/// clients close the definition.
class ContextDefinition {
 public:
  /// What is given outlives this.
  explicit ContextDefinition(ContextGroup& group);
  ContextDefinition(const ContextDefinition&) = delete;
  ContextDefinition(ContextDefinition&&) = delete;
  ContextDefinition& operator=(const ContextDefinition&) = delete;
  ContextDefinition& operator=(ContextDefinition&&) = delete;
  ~ContextDefinition();

  /// Returns the definitions, while they may change. Throws Error{call_order} later.
  config::Definitions& definitions();
  /// Returns what is known of them: also inherited values, once inheritance is solved, as it is
  /// when the definition is closed.
  const config::Definitions& known() const { return definitions_; }
  /// Returns an attribute, as far as it is known: also of a part that nobody described, once the
  /// definition is closed.
  std::optional<config::Value> value(config::ElementHandle element,
                                     std::string_view attribute) const;
  std::optional<std::string> variable(std::string_view id) const;
  /// Returns false when there is none of that id. What files hold of it is settled when the
  /// definition is closed.
  bool set_variable(std::string_view id, std::string_view text);

  /// The context only reads coordinates for `other`, whose settings it has.
  void read_for(const ContextDefinition& other, config::Definitions definitions);
  bool is_reader() const { return settings_of_ != &definitions_; }

  // Closing the definition, in this order.

  RunSettings settings() const;
  /// Sizes and coordinates that neither the model nor XML gives come from partners and from files
  /// that are read. Collective.
  void complete_grids(ContextProgress& progress);
  /// Makes the Model, the same on all clients. Collective.
  void agree_on_model();
  config::Model& model() { return *model_; }
  const config::Model& model() const { return *model_; }
  /// Nothing changes from now on.
  void close();

  // For those that complete grids.

  /// Returns the Model of the definitions as they are.
  config::Model resolved() const;
  /// Keeps what will be the Model, unless grids are completed.
  void prepare(const config::ReadGrids& grids);
  /// Returns what was kept, or the Model of the definitions as they are.
  config::Model take_prepared();
  void drop_prepared() { prepared_.reset(); }
  /// Returns an error with the context that calls of the model were for: a model may have several
  /// with elements of the same ids.
  Error with_context(const Error& error) const;

 private:
  struct Resolved {
    std::unique_ptr<config::Model> model;
    std::vector<config::Diagnostic> warnings;
    std::uint64_t hash = 0;
  };
  Resolved resolve() const;
  void write_into_replay();
  void compare_models(std::uint64_t hash) const;

  ContextGroup& group_;
  config::Definitions definitions_;
  const config::Definitions* settings_of_ = &definitions_;  // that say how the run goes
  std::optional<Resolved> prepared_;                        // before it is time
  std::unique_ptr<config::Model> model_;
  bool is_closed_ = false;
};

}  // namespace epios::client
