#pragma once

#include <string>
#include <vector>

namespace epios::io {

/// How far values may differ: |a - b| <= absolute + relative * max(|a|, |b|).
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// In what the data of two files differ, a line each, empty when they are the same: variables by
/// name, dimensions by length, values one by one, the first one that differs by its place. Missing
/// values are equal to each other. Attributes count only `with_attributes`, without those that
/// differ from run to run. Throws Error{io}.
std::vector<std::string> file_differences(const std::string& a, const std::string& b,
                                          const Tolerance& tolerance, bool with_attributes);

}  // namespace epios::io
