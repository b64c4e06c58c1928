#include "global_array.hpp"

#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

namespace global_array {

Image::Image(ep::Comm comm) : comm_(std::move(comm)) {
  ep::check(EP_Win_create_dynamic(MPI_INFO_NULL, comm_.get(), &window_));
  ep::check(EP_Win_set_errhandler(window_, EP_ERRORS_RETURN));
  ep::check(EP_Win_lock_all(0, window_));
}

Image::~Image() {
  EP_Win_unlock_all(window_);
  EP_Win_free(&window_);
}

void Image::sync_all() {
  ep::check(EP_Win_flush_all(window_));
  ep::check(EP_Barrier(comm_.get()));
  ep::check(EP_Win_sync(window_));
}

void run(const ep::Comm& processes, int images, const std::function<void(Image&)>& program) {
  const auto run_image = [&](ep::Comm comm) {
    const EP_Comm handle = comm.get();
    try {
      Image image(std::move(comm));
      program(image);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "global_array: %s\n", error.what());
      EP_Abort(handle, 1);
    }
  };
  std::vector<ep::Comm> endpoints = processes.create_endpoints(images);
  std::vector<std::jthread> threads;
  threads.reserve(endpoints.size());
  for (ep::Comm& endpoint : endpoints) threads.emplace_back(run_image, std::move(endpoint));
}

}  // namespace global_array
