// Threads that compress chunks for the file thread. Chunks wait in a ring in their order; any
// thread takes the next one, and the file thread takes finished ones from the front, and compresses
// itself when the ring is full.
#include "file/compressors.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <ep/work_sharing.hpp>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "chunks/chunk_codec.hpp"

namespace epios::io {

namespace {

constexpr int most_threads = 8;
// Chunks under way for each thread that works on them: one in work, one ready to be.
constexpr std::size_t chunks_per_thread = 2;
// Shuffle and deflate.
constexpr std::uint32_t all_filters = 3;

enum class State { filling, queued, working, done };

struct Slot {
  std::vector<std::byte> memory;  // grows to the largest chunk and stays
  std::size_t bytes = 0;
  Compressors::Job job;
  State state = State::filling;
  ChunkCodec::Encoded encoded;
};

void encode(Slot& slot, ChunkCodec& codec) noexcept {
  const std::span<std::byte> chunk = std::span(slot.memory).first(slot.bytes);
  try {
    slot.encoded =
        slot.job.encoding.is_zarr
            ? codec.encode_zarr(slot.job.encoding, slot.job.value_bytes, slot.bytes, slot.memory)
            : codec.encode(slot.job.encoding, slot.job.value_bytes, chunk);
  } catch (const std::exception&) {
    // No memory to work in, which shows before anything has changed: the chunk is stored as it is.
    slot.encoded = {slot.bytes, all_filters};
  }
}

/// Codecs that nobody uses at the moment; as many are made as threads encode at a time.
class Codecs {
 public:
  std::unique_ptr<ChunkCodec> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      idle_.reserve(made_ + 1);  // to give it back allocates nothing
      auto out = std::make_unique<ChunkCodec>();
      ++made_;
      return out;
    }
    std::unique_ptr<ChunkCodec> out = std::move(idle_.back());
    idle_.pop_back();
    return out;
  }
  void give(std::unique_ptr<ChunkCodec> codec) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(codec));
  }

 private:
  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<ChunkCodec>> idle_;
};

class LentCodec {
 public:
  explicit LentCodec(Codecs& all) : all_(all), codec_(all.take()) {}
  LentCodec(const LentCodec&) = delete;
  LentCodec(LentCodec&&) = delete;
  LentCodec& operator=(const LentCodec&) = delete;
  LentCodec& operator=(LentCodec&&) = delete;
  ~LentCodec() { all_.give(std::move(codec_)); }
  ChunkCodec& get() const { return *codec_; }

 private:
  Codecs& all_;
  std::unique_ptr<ChunkCodec> codec_;
};

}  // namespace

struct Compressors::Impl {
  explicit Impl(int count) : thread_count(std::max(count, 0)) {
    slots.resize(chunks_per_thread * (static_cast<std::size_t>(thread_count) + 1));
  }

  Slot& slot(std::size_t number) { return slots[number % slots.size()]; }

  /// The oldest chunk that nobody works on; null when there is none. With the lock held.
  Slot* next_queued() {
    while (first_queued < end && slot(first_queued).state != State::queued) ++first_queued;
    if (first_queued == end) return nullptr;
    Slot& out = slot(first_queued++);
    out.state = State::working;
    return &out;
  }

  void run() noexcept {
    // For who looks at threads; it fails for names that are too long.
    static_cast<void>(::pthread_setname_np(::pthread_self(), "epios-compress"));
    ChunkCodec own_codec;
    std::unique_lock lock(mutex);
    while (true) {
      Slot* next = nullptr;
      queued.wait(lock, [&] { return (next = next_queued()) != nullptr || closing; });
      if (next == nullptr) return;
      lock.unlock();
      encode(*next, own_codec);
      lock.lock();
      next->state = State::done;
      done.notify_one();
    }
  }

  void start() {
    if (!threads.empty() || thread_count == 0) return;
    threads.reserve(static_cast<std::size_t>(thread_count));
    try {
      for (int t = 0; t < thread_count; ++t) threads.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      thread_count = static_cast<int>(threads.size());  // the file thread compresses, too
    }
  }

  /// The next chunk of those that are queued, if there is one, by the codec of whoever calls.
  void encode_next(ChunkCodec& by) {
    std::unique_lock lock(mutex);
    Slot* const next = next_queued();
    if (next == nullptr) return;
    lock.unlock();
    encode(*next, by);
    lock.lock();
    next->state = State::done;
    done.notify_one();
  }

  /// Encodes what is queued, here first, with the model's helper threads.
  void encode_with_helpers() {
    std::size_t chunks = 0;
    {
      const std::lock_guard lock(mutex);
      chunks = end - first_queued;
    }
    ep::share_work(static_cast<int>(chunks), [this](int) {
      try {
        const LentCodec lent(codecs);
        encode_next(lent.get());
      } catch (const std::bad_alloc&) {
        return;  // no memory for a codec: the chunk waits for a thread that has one
      }
    });
  }

  /// Until the oldest chunk is done: works on what is queued, or sleeps.
  void finish_oldest() {
    if (ep::helpers_available()) encode_with_helpers();
    std::unique_lock lock(mutex);
    while (slot(begin).state != State::done) {
      Slot* own = next_queued();
      if (own == nullptr) {
        done.wait(lock);
        continue;
      }
      lock.unlock();
      encode(*own, codec);
      lock.lock();
      own->state = State::done;
    }
  }

  bool is_oldest_done() {
    if (begin == end) return false;
    const std::lock_guard lock(mutex);
    return slot(begin).state == State::done;
  }

  void hand_back_oldest() {
    Slot& oldest = slot(begin);
    const std::span<const std::byte> stored = std::span(oldest.memory).first(oldest.encoded.bytes);
    oldest.job.client->take(oldest.job.column, oldest.job.chunk, stored,
                            oldest.encoded.skipped_filters);
    ++begin;
  }

  int thread_count;
  std::vector<Slot> slots;
  // Chunks under way have the numbers [begin, end); they are in the slots in turn.
  std::size_t begin = 0;         // file thread only
  std::size_t end = 0;           // changed with the lock held
  std::size_t first_queued = 0;  // guarded
  ChunkCodec codec;              // of the file thread
  Codecs codecs;                 // of helper threads, the file thread's own among them
  std::mutex mutex;
  std::condition_variable queued;
  std::condition_variable done;
  bool closing = false;
  std::vector<std::thread> threads;  // last: they use everything above
};

Compressors::Compressors(int threads) : impl_(std::make_unique<Impl>(threads)) {}

Compressors::~Compressors() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
  }
  impl_->queued.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

int Compressors::default_threads() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return std::clamp(CPU_COUNT(&allowed) - 1, 1, most_threads);
}

std::span<std::byte> Compressors::room(std::size_t bytes, std::size_t most) {
  Impl& impl = *impl_;
  hand_back();
  if (impl.end - impl.begin == impl.slots.size()) {
    impl.finish_oldest();
    impl.hand_back_oldest();
  }
  Slot& slot = impl.slot(impl.end);
  most = std::max(most, bytes);
  if (slot.memory.size() < most) slot.memory.resize(most);
  slot.bytes = bytes;
  return std::span(slot.memory).first(bytes);
}

void Compressors::submit(const Job& job) {
  Impl& impl = *impl_;
  impl.start();
  {
    const std::lock_guard lock(impl.mutex);
    Slot& slot = impl.slot(impl.end);
    slot.job = job;
    slot.state = State::queued;
    ++impl.end;
  }
  impl.queued.notify_one();
}

void Compressors::hand_back() {
  while (impl_->is_oldest_done()) impl_->hand_back_oldest();
}

void Compressors::drain() {
  while (impl_->begin != impl_->end) {
    impl_->finish_oldest();
    impl_->hand_back_oldest();
  }
}

}  // namespace epios::io
