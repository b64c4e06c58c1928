#include "handles/c_replay.hpp"

#include <span>

#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "session/run_texts.hpp"

int epios_replay_session_open(const char* code_id, int clients, const void* texts,
                              std::size_t bytes, epios_session** out) {
  using namespace epios::client;
  return guarded([&] {
    target(out, "out") = nullptr;
    SessionState::Options options;
    options.clients = clients;
    options.texts = decode_run_texts({static_cast<const std::byte*>(texts), bytes});
    options.texts->settings = read_settings();
    *out = HandleTable::instance().open_session(text_of(code_id, "code_id"), options);
  });
}
