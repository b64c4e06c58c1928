#include "file/writing_endpoints.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <ep/ep.hpp>
#include <mutex>
#include <thread>
#include <vector>

#include "config/index.hpp"

namespace epios::io {

struct WritingEndpoints::Impl {
  explicit Impl(const ep::Comm& the_parent) : parent(the_parent) {}

  /// Returns a communicator of this process alone. No other process takes part.
  ep::Comm alone() const {
    EP_Group all = EP_GROUP_NULL;
    ep::check(EP_Comm_group(parent.get(), &all));
    const int rank = parent.rank();
    EP_Group mine = EP_GROUP_NULL;
    const int made = EP_Group_incl(all, 1, &rank, &mine);
    EP_Comm out = EP_COMM_NULL;
    const int code = made == EP_SUCCESS ? EP_Comm_create_group(parent.get(), mine, 0, &out) : made;
    EP_Group_free(&all);
    if (mine != EP_GROUP_NULL) EP_Group_free(&mine);
    ep::check(code);
    return ep::Comm(out);
  }

  void serve(int number) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return closing || (turn != seen && number < count); });
      if (closing) return;
      seen = turn;
      const auto* const job = work;
      lock.unlock();
      (*job)(number);
      lock.lock();
      if (--left == 0) ended.notify_one();
    }
  }

  const ep::Comm& parent;
  std::deque<ep::Comm> comms;  // a communicator of each endpoint alone
  std::mutex mutex;
  std::condition_variable changed;
  std::condition_variable ended;
  const std::function<void(int)>* work = nullptr;
  std::uint64_t turn = 0;
  int count = 0;  // endpoints that take part in this turn
  int left = 0;   // of their threads, not yet through
  bool closing = false;
  std::vector<std::thread> threads;  // threads of endpoints 1, 2 ...
};

WritingEndpoints::WritingEndpoints(const ep::Comm& parent)
    : impl_(std::make_unique<Impl>(parent)) {}

WritingEndpoints::~WritingEndpoints() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
  }
  impl_->changed.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void WritingEndpoints::make(int count) {
  while (static_cast<int>(impl_->comms.size()) < count) {
    impl_->comms.push_back(impl_->alone());
    const int number = static_cast<int>(impl_->comms.size()) - 1;
    if (number > 0) {
      impl_->threads.emplace_back([impl = impl_.get(), number] { impl->serve(number); });
    }
  }
}

const ep::Comm& WritingEndpoints::comm(int number) const { return nth(impl_->comms, number); }

void WritingEndpoints::run(int count, const std::function<void(int)>& work) {
  if (count > 1) {
    {
      const std::lock_guard lock(impl_->mutex);
      impl_->work = &work;
      impl_->count = count;
      impl_->left = count - 1;
      ++impl_->turn;
    }
    impl_->changed.notify_all();
  }
  work(0);
  if (count < 2) return;
  std::unique_lock lock(impl_->mutex);
  impl_->ended.wait(lock, [this] { return impl_->left == 0; });
}

}  // namespace epios::io
