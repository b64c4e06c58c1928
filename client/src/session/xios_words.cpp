#include "session/xios_words.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <string_view>

namespace epios::client {

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): whose words the model knows
std::atomic<bool> speaks_xios{false};

struct Word {
  std::string_view begin;  ///< of the C name
  std::string_view xios;
};

constexpr std::array<Word, 21> words{{{"epios_child", "xios_add_child"},
                                      {"epios_client_close", "xios_finalize"},
                                      {"epios_client_open", "xios_initialize"},
                                      {"epios_close_definition", "xios_close_context_definition"},
                                      {"epios_context_finalize", "xios_context_finalize"},
                                      {"epios_context_open", "xios_context_initialize"},
                                      {"epios_current_date", "xios_get_current_date"},
                                      {"epios_element_get_", "xios_get_attr"},
                                      {"epios_element_is_defined", "xios_is_defined_attr"},
                                      {"epios_element_set_", "xios_set_attr"},
                                      {"epios_field_is_active", "xios_field_is_active"},
                                      {"epios_field_recv_", "xios_recv_field"},
                                      {"epios_field_send_", "xios_send_field"},
                                      {"epios_find_field", "xios_get_handle"},
                                      {"epios_find_read_field", "xios_get_handle"},
                                      {"epios_get_variable", "xios_getVar"},
                                      {"epios_session_close", "xios_finalize"},
                                      {"epios_session_open", "xios_initialize"},
                                      {"epios_set_variable", "xios_setVar"},
                                      {"epios_solve_inheritance", "xios_solve_inheritance"},
                                      {"epios_update_calendar", "xios_update_calendar"}}};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view said_for(std::string_view word) {
  const auto found = std::find_if(words.begin(), words.end(), [word](const Word& known) {
    return word.starts_with(known.begin);
  });
  return found == words.end() ? word : found->xios;
}

}  // namespace

std::string xios_words(const std::string& text) {
  std::string out;
  for (auto at = text.begin(); at != text.end();) {
    const bool begins = is_of_word(*at);
    const auto end =
        std::find_if(at, text.end(), [begins](char c) { return is_of_word(c) != begins; });
    const std::string_view piece(at, end);
    out += begins ? said_for(piece) : piece;
    at = end;
  }
  return out;
}

void speak_xios() { speaks_xios = true; }

std::string words_of_model(const std::string& text) {
  return speaks_xios ? xios_words(text) : text;
}

}  // namespace epios::client
