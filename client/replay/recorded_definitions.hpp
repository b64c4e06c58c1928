#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/model.hpp"
#include "recording/recorded_call.hpp"
#include "session/run_texts.hpp"

namespace epios::replay {

/// The definitions of one context as a recorded client made them, from its calls.
class RecordedDefinitions {
 public:
  /// What of them is taken.
  enum class Parts {
    all,
    global  ///< without what a client says of its part of domains and axes
  };

  RecordedDefinitions(const client::RunTexts& texts, const config::RunNames& names,
                      std::string context, Parts parts);

  /// Takes one of the calls of the context. Returns false for one that says something of the
  /// client's part of a domain or an axis. Throws Error{argument} for one that says of something
  /// else where its points are: that cannot be dealt out anew.
  bool take(const client::RecordedCall& call);
  void set(config::ElementKind kind, const std::string& id, const std::string& attribute,
           config::Value value);
  config::Model resolve() const { return definitions_.resolve(context_); }

 private:
  bool is_of_part(const client::RecordedCall& call) const;
  void apply(const client::RecordedCall& call);

  std::string context_;
  Parts parts_;
  config::Definitions definitions_;
};

/// True for calls that RecordedDefinitions takes.
bool is_definition(client::RecordedKind kind);

}  // namespace epios::replay
