#include "contract/agreement.hpp"

#include <algorithm>
#include <ep/agree.hpp>
#include <optional>

namespace epios::io {

namespace {

// Counts of collectives are int: longer arrays go in pieces.
constexpr std::size_t max_count = std::size_t{1} << 26;

template <class T, class Call>
void in_pieces(std::vector<T>& values, Call call) {
  for (std::size_t done = 0; done < values.size(); done += max_count) {
    const std::size_t count = std::min(max_count, values.size() - done);
    ep::check(call(values.data() + done, static_cast<int>(count)));
  }
}

}  // namespace

Agreement::Agreement(const ep::Comm* writers) : writers_(writers) {
  if (writers_ == nullptr) return;
  rank_ = writers_->rank();
  size_ = writers_->size();
}

std::string Agreement::first_error(const std::string& mine) const {
  if (!is_shared()) return mine;
  std::optional<ep::Failure> own;
  if (!mine.empty()) own = ep::Failure{1, mine};
  return ep::agree(*writers_, own).failure.text;
}

void Agreement::sum(std::vector<std::int64_t>& values) const {
  if (!is_shared()) return;
  std::vector<std::int64_t> mine = values;
  std::size_t done = 0;
  in_pieces(values, [&](std::int64_t* out, int count) {
    const int code =
        EP_Allreduce(mine.data() + done, out, count, MPI_INT64_T, MPI_SUM, writers_->get());
    done += static_cast<std::size_t>(count);
    return code;
  });
}

void Agreement::broadcast(std::vector<std::uint64_t>& values) const {
  if (!is_shared()) return;
  in_pieces(values, [&](std::uint64_t* data, int count) {
    return EP_Bcast(data, count, MPI_UINT64_T, 0, writers_->get());
  });
}

}  // namespace epios::io
