#include "session/run_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "config/byte_fields.hpp"
#include "config/error.hpp"
#include "config/run_variables.hpp"
#include "config/xml_element.hpp"

namespace epios::config {

template <class Archive>
void fields(Archive& archive, Described<SourceText> auto& source) {
  archive(source.path, source.text);
}

}  // namespace epios::config

namespace epios::client {

template <class Archive>
void fields(Archive& archive, config::Described<RunTexts> auto& texts) {
  archive(texts.files, texts.settings);
}

namespace {

/// XIOS names the folder of the entry file, not the file.
std::string in_folder_of_xios() {
  const char* folder = std::getenv("XIOS_IODEF_PATH");
  if (folder == nullptr || *folder == '\0') return "iodef.xml";
  return (std::filesystem::path(folder) / "iodef.xml").string();
}

std::string entry_file(const std::string& asked_for) {
  if (!asked_for.empty()) return asked_for;
  const char* from_environment = std::getenv("EPIOS_IODEF");
  if (from_environment == nullptr) return in_folder_of_xios();
  if (*from_environment == '\0') {
    throw Error(ErrorCode::configuration,
                "the environment variable EPIOS_IODEF is empty (it names the XML file to read). "
                "Unset it for 'iodef.xml'?");
  }
  return from_environment;
}

/// The texts of the entry file and of what it includes.
config::SourceTexts read_files(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown) && !unknown) {
    throw Error(
        ErrorCode::configuration,
        fmt::format("the XML file '{}' does not exist (the job runs in '{}'). Start it where the "
                    "file is, or name the file in the environment variable EPIOS_IODEF?",
                    path, std::filesystem::current_path(unknown).string()));
  }
  return config::read_sources(path);
}

}  // namespace

config::SourceTexts read_settings() {
  constexpr const char* variable = "EPIOS_SET";
  const char* const pairs = std::getenv(variable);
  if (pairs == nullptr || *pairs == '\0') return {};
  return config::settings_part(variable, pairs);
}

bool RunTexts::mentions(std::string_view word) const {
  const auto has_word = [word](const config::SourceText& source) {
    return source.text.find(word) != std::string::npos;
  };
  return std::any_of(files.begin(), files.end(), has_word) ||
         std::any_of(settings.begin(), settings.end(), has_word);
}

config::Definitions RunTexts::definitions(const config::RunNames& names) const {
  return config::Definitions(config::Document(files, {.model = settings, .names = names}));
}

RunTexts read_run_texts(const std::string& asked_for) {
  return {read_files(entry_file(asked_for)), read_settings()};
}

std::vector<std::byte> encode(const RunTexts& texts) { return config::encode_fields(texts); }

RunTexts decode_run_texts(std::span<const std::byte> bytes) {
  RunTexts texts;
  config::decode_fields(bytes, "the XML of another process", texts);
  return texts;
}

}  // namespace epios::client
