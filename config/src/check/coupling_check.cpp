#include "check/coupling_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "config/coupled_contexts.hpp"
#include "config/model.hpp"

namespace epios::config {

namespace {

/// The element of that place; of none the context.
const Node& element_at(const ContextStore& store, ElementKind kind, const std::string& where) {
  for (int node = 0; node < store.size(); ++node) {
    const Node& element = store.at(node);
    if (element.kind == kind && element.origin.text() == where) return element;
  }
  return store.at(store.context_node());
}

/// Runs start where their models say, if the configuration does not.
bool knows_start(const ContextStore& store) {
  return store.at(store.calendar_node()).find("start_date") != nullptr;
}

class CouplingCheck {
 public:
  CouplingCheck(const std::vector<CheckedContext>& contexts, Findings& findings)
      : contexts_(contexts), findings_(findings) {}

  void run() {
    for (const CheckedContext& context : contexts_) {
      for (const Coupler& coupler : context.model->couplers) look_for_partner(context, coupler);
    }
    for (std::size_t a = 0; a < contexts_.size(); ++a) {
      for (std::size_t b = a + 1; b < contexts_.size(); ++b) {
        if (contexts_[a].is_whole && contexts_[b].is_whole) compare(contexts_[a], contexts_[b]);
      }
    }
  }

 private:
  const CheckedContext* find(std::string_view id) const {
    const auto found = std::find_if(contexts_.begin(), contexts_.end(), [id](const auto& context) {
      return context.model->context_id == id;
    });
    return found == contexts_.end() ? nullptr : &*found;
  }

  /// Components may have configurations of their own.
  void look_for_partner(const CheckedContext& context, const Coupler& coupler) {
    if (coupler.partner_context.empty() || find(coupler.partner_context) != nullptr) return;
    const auto ids = [this] {
      std::vector<std::string_view> out;
      for (const CheckedContext& one : contexts_) out.push_back(one.model->context_id);
      return out;
    };
    const std::string guess = findings_.suggestions().nearest("context", coupler.partner_context,
                                                              ids, context.model->context_id);
    const Severity severity = guess.empty() ? Severity::note : Severity::warning;
    const Node& element = element_at(*context.store, coupler.kind, coupler.where);
    findings_.add(severity, Code::bad_coupler, element.origin,
                  fmt::format("{} exchanges fields with '{}::{}'", element.title(),
                              coupler.partner_code, coupler.partner_context),
                  "no context of this configuration has that id, so the two are not compared",
                  guess.empty() ? "Is it in the configuration of another component?"
                                : fmt::format("Did you mean '{}'?", guess));
  }

  /// The ids of the components that contexts have, as others say them.
  static std::set<std::string> codes_of(const CheckedContext& context, const CheckedContext& by) {
    std::set<std::string> out;
    for (const Coupler& coupler : by.model->couplers) {
      if (coupler.partner_context == context.model->context_id) out.insert(coupler.partner_code);
    }
    return out;
  }

  void compare(const CheckedContext& a, const CheckedContext& b) {
    std::set<std::string> of_a = codes_of(a, b);
    std::set<std::string> of_b = codes_of(b, a);
    if (of_a.empty() && of_b.empty()) return;
    // One that does not know the other one leaves open what that is of.
    if (of_a.empty()) of_a.insert("...");
    if (of_b.empty()) of_b.insert("...");
    if (of_a.size() > 1 || of_b.size() > 1) return;  // contexts of one id, of several components
    const auto facts = [](const CheckedContext& one, const std::string& code,
                          const CheckedContext& other, const std::string& other_code) {
      return facts_of(*one.model, code, other_code, other.model->context_id,
                      knows_start(*one.store));
    };
    const CoupledContext first = facts(a, *of_a.begin(), b, *of_b.begin());
    const CoupledContext second = facts(b, *of_b.begin(), a, *of_a.begin());
    const std::size_t before = findings_.error_count();
    tell(first, second, a, b);
    // Calendars that differ are told once.
    if (findings_.error_count() == before || first.calendar_type == second.calendar_type) {
      tell(second, first, b, a);
    }
  }

  void tell(const CoupledContext& from, const CoupledContext& to, const CheckedContext& sender,
            const CheckedContext& receiver) {
    for (const auto& [where, problem, why, suggestion] : compare_fields(from, to).problems) {
      findings_.error(Code::coupling_differs,
                      element_at(*receiver.store, ElementKind::field, where).origin,
                      fmt::format("coupling of '{}' to '{}': {}", from.name(), to.name(), problem),
                      why, suggestion);
    }
    for (const auto& [where, problem, why, suggestion] : compare_fields(from, to).remarks) {
      findings_.warning(Code::coupling_differs,
                        element_at(*sender.store, ElementKind::field, where).origin, problem, why,
                        suggestion);
    }
  }

  const std::vector<CheckedContext>& contexts_;
  Findings& findings_;
};

}  // namespace

void check_couplings(const std::vector<CheckedContext>& contexts, Findings& findings) {
  CouplingCheck(contexts, findings).run();
}

}  // namespace epios::config
