#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "creation/hints.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "windows/window_creation.hpp"

namespace ep {

namespace {

struct KnownHint {
  const char* key;
  const char* value;  ///< default value; null if the key is not shown
  std::vector<std::string> values;
};

const std::vector<KnownHint>& known_hints() {
  static const std::vector<KnownHint> all{
      {"no_locks", "false", {"true", "false"}},
      {"same_size", "false", {"true", "false"}},
      {"same_disp_unit", "false", {"true", "false"}},
      {"alloc_shared_noncontig", "false", {"true", "false"}},
      {"accumulate_ops", "same_op_no_op", {"same_op", "same_op_no_op"}},
      {"accumulate_ordering", "rar,raw,war,waw", {"none", "rar", "raw", "war", "waw"}},
      {"ep_role", nullptr, {"client", "server"}},
      {"ep_dynamic", nullptr, {"true", "false"}}};
  return all;
}

// accumulate_ordering is a list separated by commas.
std::vector<std::string> words_of(const KnownHint& hint, const std::string& value) {
  if (std::string_view(hint.key) != "accumulate_ordering") return {value};
  std::vector<std::string> words;
  std::istringstream list(value);
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  if (words.empty()) words.emplace_back();
  return words;
}

void check_value(const KnownHint& hint, const std::string& value) {
  for (const std::string& word : words_of(hint, value)) {
    if (std::find(hint.values.begin(), hint.values.end(), word) != hint.values.end()) continue;
    fail(EP_ERR_INFO_VALUE, "info key ", hint.key, " has the value '", value,
         "' (known: ", hint.values.front(), ", ", hint.values[1],
         hint.values.size() > 2 ? ", ..." : "", ").");
  }
}

}  // namespace

std::map<std::string, std::string> given_window_hints(MPI_Info info) {
  std::map<std::string, std::string> hints = hints_of(info);
  for (const KnownHint& known : known_hints()) {
    const auto found = hints.find(known.key);
    if (found != hints.end()) check_value(known, found->second);
  }
  return hints;
}

std::map<std::string, std::string> window_hints(MPI_Info info) {
  std::map<std::string, std::string> hints = given_window_hints(info);
  for (const KnownHint& known : known_hints()) {
    if (known.value != nullptr) hints.try_emplace(known.key, known.value);
  }
  return hints;
}

}  // namespace ep
