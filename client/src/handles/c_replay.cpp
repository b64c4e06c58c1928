#include "handles/c_replay.hpp"

#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "session/run_texts.hpp"

namespace epios::client {

int open_replayed_session(const char* code_id, int clients, std::span<const std::byte> texts,
                          epios_session** out) {
  return guarded([&] {
    target(out, "out") = nullptr;
    SessionState::Options options;
    options.clients = clients;
    options.texts = decode_run_texts(texts);
    options.texts->settings = read_settings();
    *out = HandleTable::instance().open_session(text_of(code_id, "code_id"), options);
  });
}

}  // namespace epios::client
