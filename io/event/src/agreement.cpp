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
#include "config/failure_text.hpp"

namespace epios::io {
namespace {

/// So many different mistakes are reported at once: who mends them will see what is left.
constexpr std::size_t most_answers = 8;

/// A failure that clients report alike.
struct Answer {
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
std::vector<Answer> exchange_failures(const ep::Comm& comm, std::optional<ep::Failure> own) {
  std::vector<Answer> answers;
  while (answers.size() < most_answers) {
    const ep::Agreement next = ep::agree(comm, own);
    if (next) break;
    const bool is_same = own && own->text == next.failure.text;
    if (is_same) own.reset();
    answers.push_back({next.rank, sum(comm, is_same ? 1 : 0), next.failure});
  }
  return answers;
}

std::string text_of(const Answer& answer, const std::function<std::string(int)>& name_of) {
  const std::string name = name_of ? name_of(answer.first) : fmt::format("client {}", answer.first);
  if (answer.clients == 1) return fmt::format("{}: {}", name, answer.failure.text);
  return fmt::format("{} and {} other{}: {}", name, answer.clients - 1,
                     answer.clients == 2 ? "" : "s", answer.failure.text);
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
    own = ep::Failure{static_cast<int>(failure_code(error)), failure_text(error)};
  }
  const int failed = sum(comm, own ? 1 : 0);
  if (failed == 0) return;
  const std::vector<Answer> answers = exchange_failures(comm, own);
  const auto code = static_cast<ErrorCode>(answers.front().failure.code);
  const auto refuse = [&](const std::string& text) {
    report_once(comm, [&] { throw Error(code, text); });
  };
  if (answers.front().clients == comm.size()) return refuse(answers.front().failure.text);
  std::string text;
  int left = failed;
  for (const Answer& one : answers) {
    text += (text.empty() ? "" : "\n") + text_of(one, name_of);
    left -= one.clients;
  }
  if (left > 0) text += fmt::format("\n... and other mistakes of {} more clients", left);
  refuse(text);
}

void report_once(const ep::Comm& comm, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    if (comm.rank() == 0) throw;
    throw EchoedError(error);
  }
}

}  // namespace epios::io
