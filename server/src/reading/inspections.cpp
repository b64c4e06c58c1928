#include "reading/inspections.hpp"

#include <ep/ep.hpp>
#include <exception>
#include <utility>

#include "file/file_facts.hpp"

namespace epios::server {

void Inspections::start(io::FileThread& file_thread, const ep::Comm& clients, int rank,
                        io::Inspect request) {
  Look& look = looks_.emplace_back(clients, rank, std::move(request));
  file_thread.submit([&look, &file_thread] {
    for (const config::FileQuestion& question : look.request.files) {
      config::FileFacts facts;
      try {
        facts = io::file_facts(question, &file_thread.open_files());
      } catch (const std::exception& error) {
        facts.path = question.path;
        facts.exists = true;
        facts.error = error.what();
      }
      look.answer.files.push_back(std::move(facts));
    }
    look.is_done.store(true, std::memory_order_release);
  });
}

bool Inspections::progress() {
  bool did = false;
  while (!looks_.empty() && looks_.front().is_done.load(std::memory_order_acquire)) {
    const Look& look = looks_.front();
    to_clients_.send(*look.clients, look.rank, static_cast<int>(io::ControlTag::to_client),
                     io::encode(look.answer));
    looks_.pop_front();
    did = true;
  }
  return did;
}

}  // namespace epios::server
