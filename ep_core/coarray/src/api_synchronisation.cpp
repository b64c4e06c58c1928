// Image control statements but those that end an image.
#include <atomic>
#include <numeric>
#include <string>

#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

namespace {

/// 0 is this image.
int named_image(int image) { return image == 0 ? calling_image().connection().rank + 1 : image; }

/// gfortran 12 gives the SYNC statements the address of a pointer to ERRMSG=.
char* text_behind(char** errmsg) { return errmsg == nullptr ? nullptr : *errmsg; }

std::vector<int> other_ranks(const Connection& mine, int count, const int* images) {
  std::vector<int> ranks;
  if (count < 0) {
    ranks.resize(static_cast<std::size_t>(mine.size));
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  for (int i = 0; i < count; ++i) {
    if (images[i] < 1 || images[i] > mine.size) {
      throw Failure(Stat::failed, "image " + std::to_string(images[i]) +
                                      " does not exist (there are " + std::to_string(mine.size) +
                                      ").");
    }
    ranks.push_back(images[i] - 1);
  }
  std::erase(ranks, mine.rank);
  return ranks;
}

}  // namespace

void _gfortran_caf_sync_all(int* stat, char** errmsg, std::size_t errmsg_length) {
  serve("SYNC ALL", {stat, text_behind(errmsg), errmsg_length}, [] {
    Connection& mine = calling_image().connection();
    mine.reach.finish_puts();
    mine.status.synchronise(Statement::sync_all);
  });
}

void _gfortran_caf_sync_memory(int* stat, char** errmsg, std::size_t errmsg_length) {
  serve("SYNC MEMORY", {stat, text_behind(errmsg), errmsg_length},
        [] { calling_image().connection().reach.finish_puts(); });
}

void _gfortran_caf_sync_images(int count, const int* images, int* stat, char** errmsg,
                               std::size_t errmsg_length) {
  serve("SYNC IMAGES", {stat, text_behind(errmsg), errmsg_length}, [&] {
    Connection& mine = calling_image().connection();
    const std::vector<int> others = other_ranks(mine, count, images);
    mine.reach.finish_puts();
    mine.status.synchronise(others);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  });
}

void _gfortran_caf_lock(Token token, std::size_t index, int image, int* acquired, int* stat,
                        char* errmsg, std::size_t errmsg_length) {
  serve("LOCK", {stat, errmsg, errmsg_length}, [&] {
    const Coarray& coarray = calling_image().coarray(token, named_image(image));
    Connection& mine = calling_image().connection();
    mine.reach.finish_puts();
    if (acquired != nullptr) *acquired = 0;
    if (acquired == nullptr) {
      mine.locks.acquire(coarray, index, named_image(image) - 1);
    } else {
      *acquired = mine.locks.try_acquire(coarray, index, named_image(image) - 1) ? 1 : 0;
    }
  });
}

void _gfortran_caf_unlock(Token token, std::size_t index, int image, int* stat, char* errmsg,
                          std::size_t errmsg_length) {
  serve("UNLOCK", {stat, errmsg, errmsg_length}, [&] {
    const Coarray& coarray = calling_image().coarray(token, named_image(image));
    Connection& mine = calling_image().connection();
    mine.reach.finish_puts();
    mine.locks.release(coarray, index, named_image(image) - 1);
  });
}

void _gfortran_caf_event_post(Token token, std::size_t index, int image, int* stat, char* errmsg,
                              std::size_t errmsg_length) {
  serve("EVENT POST", {stat, errmsg, errmsg_length}, [&] {
    const Coarray& coarray = calling_image().coarray(token, named_image(image));
    Connection& mine = calling_image().connection();
    mine.reach.finish_puts();
    mine.events.post(coarray, index, named_image(image) - 1);
  });
}

void _gfortran_caf_event_wait(Token token, std::size_t index, int until_count, int* stat,
                              char* errmsg, std::size_t errmsg_length) {
  serve("EVENT WAIT", {stat, errmsg, errmsg_length}, [&] {
    const Coarray& coarray = calling_image().coarray(token, named_image(0));
    Connection& mine = calling_image().connection();
    mine.reach.finish_puts();
    mine.events.wait(coarray, index, until_count < 1 ? 1 : until_count);
  });
}

void _gfortran_caf_event_query(Token token, std::size_t index, int image, int* count, int* stat) {
  serve("EVENT_QUERY", {stat, nullptr, 0}, [&] {
    const Coarray& coarray = calling_image().coarray(token, named_image(image));
    Connection& mine = calling_image().connection();
    if (named_image(image) != mine.rank + 1) {
      throw Failure(Stat::failed,
                    "of another image's event (Fortran 2018, 16.9.72: EVENT is not "
                    "coindexed). Let that image ask?");
    }
    *count = static_cast<int>(mine.events.query(coarray, index));
  });
}
