#include "event/agreement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <ep/agree.hpp>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "config/echoed_error.hpp"
#include "config/error.hpp"

namespace epios::io {
namespace {

/// So many different mistakes are told at once: who mends them will see what is left.
constexpr std::size_t most_told = 8;

/// What clients say alike.
struct Told {
  int first = 0;  ///< the lowest rank of them
  int clients = 0;
  ep::Failure failure;
};

int sum(const ep::Comm& comm, int value) {
  int out = 0;
  ep::check(EP_Allreduce(&value, &out, 1, MPI_INT, MPI_SUM, comm.get()));
  return out;
}

/// Collective: what clients have to say, each thing once, lowest rank first.
std::vector<Told> tell_all(const ep::Comm& comm, std::optional<ep::Failure> own) {
  std::vector<Told> told;
  while (told.size() < most_told) {
    const ep::Agreement next = ep::agree(comm, own);
    if (next) break;
    const bool is_same = own && own->text == next.failure.text;
    if (is_same) own.reset();
    told.push_back({next.rank, sum(comm, is_same ? 1 : 0), next.failure});
  }
  return told;
}

std::string text_of(const Told& told, const std::function<std::string(int)>& name_of) {
  const std::string name = name_of ? name_of(told.first) : fmt::format("client {}", told.first);
  if (told.clients == 1) return fmt::format("{}: {}", name, told.failure.text);
  return fmt::format("{} and {} other{}: {}", name, told.clients - 1, told.clients == 2 ? "" : "s",
                     told.failure.text);
}

}  // namespace

void all_or_none(const ep::Comm& comm, const std::function<void()>& action,
                 const std::function<std::string(int)>& name_of) {
  std::optional<ep::Failure> own;
  try {
    action();
  } catch (const Error& error) {
    own = ep::Failure{static_cast<int>(error.code()), error.what()};
  } catch (const ep::Error& error) {
    own = ep::Failure{static_cast<int>(ErrorCode::communication), error.what()};
  } catch (const std::exception& error) {
    own = ep::Failure{static_cast<int>(ErrorCode::internal), error.what()};
  }
  const int failed = sum(comm, own ? 1 : 0);
  if (failed == 0) return;
  const std::vector<Told> told = tell_all(comm, own);
  const auto code = static_cast<ErrorCode>(told.front().failure.code);
  const auto refuse = [&](const std::string& text) {
    tell_once(comm, [&] { throw Error(code, text); });
  };
  if (told.front().clients == comm.size()) return refuse(told.front().failure.text);
  std::string text;
  int left = failed;
  for (const Told& one : told) {
    text += (text.empty() ? "" : "\n") + text_of(one, name_of);
    left -= one.clients;
  }
  if (left > 0) text += fmt::format("\n... and other mistakes of {} more clients", left);
  refuse(text);
}

void tell_once(const ep::Comm& comm, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    if (comm.rank() == 0) throw;
    throw EchoedError(error);
  }
}

}  // namespace epios::io
