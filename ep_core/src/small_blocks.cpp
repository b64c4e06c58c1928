#include "small_blocks.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

namespace ep {

namespace {

// What a message needs without and with up to about a kilobyte of data.
constexpr std::array<std::size_t, 2> sizes{256, 1280};
constexpr unsigned no_class = sizes.size();
constexpr unsigned shards = 32;
// Per shard and size; what is beyond goes to the heap.
constexpr int most_spare = 512;

/// In front of every block.
struct alignas(std::max_align_t) Header {
  Header* next;
  std::uint32_t shard;
  std::uint32_t size_class;
};

struct alignas(64) Shard {
  std::mutex mutex;
  std::array<Header*, sizes.size()> spare{};
  std::array<int, sizes.size()> count{};
};

/// Never destroyed: messages may be freed until exit.
std::array<Shard, shards>& all_shards() {
  static auto* const instance = new std::array<Shard, shards>;  // NOLINT: like the heap
  return *instance;
}

std::uint32_t my_shard() noexcept {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t mine = next.fetch_add(1) % shards;
  return mine;
}

unsigned class_of(std::size_t size) noexcept {
  unsigned found = 0;
  while (found < no_class && size > sizes[found]) ++found;
  return found;
}

}  // namespace

void* take_block(std::size_t size) {
  const unsigned size_class = class_of(size);
  const std::uint32_t home = my_shard();
  if (size_class != no_class) {
    Shard& shard = all_shards()[home];
    const std::lock_guard lock(shard.mutex);
    if (Header* const spare = shard.spare[size_class]; spare != nullptr) {
      shard.spare[size_class] = spare->next;
      --shard.count[size_class];
      return spare + 1;
    }
  }
  const std::size_t wanted = size_class != no_class ? sizes[size_class] : size;
  auto* const made =
      new (::operator new(sizeof(Header) + wanted)) Header{nullptr, home, size_class};
  return made + 1;
}

void give_block(void* block) noexcept {
  if (block == nullptr) return;
  Header* const header = static_cast<Header*>(block) - 1;
  if (header->size_class != no_class) {
    Shard& shard = all_shards()[header->shard];
    const std::lock_guard lock(shard.mutex);
    if (shard.count[header->size_class] < most_spare) {
      header->next = shard.spare[header->size_class];
      shard.spare[header->size_class] = header;
      ++shard.count[header->size_class];
      return;
    }
  }
  ::operator delete(header);
}

}  // namespace ep
