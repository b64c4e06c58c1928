// Any bytes as a configuration: parse, resolve, check. What comes out must survive its own bytes. A
// zero byte ends one file and begins the next one, so that includes are reached too.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/check.hpp"

namespace {

epios::config::SourceTexts files_of(std::string_view input) {
  epios::config::SourceTexts files;
  char name = 'a';
  while (files.size() < 8) {
    const std::size_t end = input.find('\0');
    files.push_back({files.empty() ? "iodef.xml" : std::string(1, name++) + ".xml",
                     std::string(input.substr(0, end))});
    if (end == std::string_view::npos) break;
    input.remove_prefix(end + 1);
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const epios::config::Checked checked = epios::config::check_and_resolve(files_of(input));
  for (const epios::config::Diagnostic& finding : checked.findings) {
    if (finding.text().empty()) std::abort();
  }
  for (const epios::config::Model& model : checked.models) {
    const std::vector<std::byte> bytes = epios::config::encode(model);
    if (epios::config::encode(epios::config::decode_model(bytes)) != bytes) std::abort();
    if (epios::config::to_json(model).empty()) std::abort();
  }
  return 0;
}
