// ep_inherit_threads: a thread made by pthread_create (std::thread, too) starts attached to the
// endpoint of its parent. A program links this library or preloads it; nothing else interposes.
#include <dlfcn.h>
#include <ep/ep.h>
#include <pthread.h>

#include <cerrno>
#include <memory>
#include <new>

namespace {

using Routine = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Routine, void*);

struct Start {
  Routine routine;
  void* argument;
  int endpoint;
};

void* run(void* raw) {
  const std::unique_ptr<Start> start(static_cast<Start*>(raw));
  // A start that is over meanwhile leaves the thread unattached, which its first call will say.
  static_cast<void>(EP_Thread_inherit(start->endpoint));
  return start->routine(start->argument);
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Routine routine,
                              void* argument) {
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (create == nullptr) return EAGAIN;
  int endpoint = EP_UNDEFINED;
  if (EP_Thread_attached(&endpoint) != EP_SUCCESS || endpoint == EP_UNDEFINED) {
    return create(thread, attributes, routine, argument);
  }
  std::unique_ptr<Start> start(new (std::nothrow) Start{routine, argument, endpoint});
  if (!start) return EAGAIN;
  const int code = create(thread, attributes, run, start.get());
  if (code == 0) static_cast<void>(start.release());  // run() has it
  return code;
}
