#include "agreement.hpp"

#include <fmt/format.h>

#include <ep/agree.hpp>
#include <exception>
#include <optional>
#include <string>

#include "config/error.hpp"

namespace epios::client {

void all_or_none(const ep::Comm& comm, const std::function<void()>& action) {
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
  const ep::Agreement agreement = ep::agree(comm, own);
  if (agreement) return;
  const int failed = own ? 1 : 0;
  int all_failed = 0;
  ep::check(EP_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, comm.get()));
  const auto code = static_cast<ErrorCode>(agreement.failure.code);
  if (all_failed == comm.size()) throw Error(code, agreement.failure.text);
  throw Error(code, fmt::format("client {}: {}", agreement.rank, agreement.failure.text));
}

}  // namespace epios::client
