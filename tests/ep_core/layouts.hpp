#pragma once

#include <ep/ep.hpp>
#include <functional>
#include <vector>

namespace ep::test {

/// Endpoints of one communicator, `total` of them spread over the processes of the job (the first
/// processes get one more when it does not divide), each driven by a thread of its own.
///
/// `body` runs once per endpoint. What it throws, and gtest failures in it, fail the test.
void run_endpoints(int total, const std::function<void(const Comm&)>& body);

/// The same with `count(process, processes)` endpoints per process, 0 allowed.
void run_endpoints(const std::function<int(int, int)>& count,
                   const std::function<void(const Comm&)>& body);

/// Processes of the job.
int processes();

}  // namespace ep::test
