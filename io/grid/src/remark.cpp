#include "grid/remark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace epios::io {

namespace {

/// A remark and the files that it is about.
struct Shared {
  Remark remark;
  std::vector<std::string> files;
};

void append_examples(const std::vector<std::string>& more, std::vector<std::string>& examples) {
  for (const std::string& example : more) {
    if (examples.size() == most_examples) return;
    examples.push_back(example);
  }
}

/// Remarks of all servers on one thing of one file.
std::vector<Remark> per_file(const std::vector<Remark>& remarks) {
  std::vector<Remark> out;
  for (const Remark& remark : remarks) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const Remark& known) {
      return known.file == remark.file && known.what == remark.what &&
             known.advice == remark.advice;
    });
    if (same == out.end()) {
      out.push_back(remark);
      continue;
    }
    same->points += remark.points;
    append_examples(remark.examples, same->examples);
  }
  return out;
}

std::vector<Shared> with_files(std::vector<Remark> remarks) {
  std::vector<Shared> out;
  for (Remark& remark : remarks) {
    std::string file = std::exchange(remark.file, {});
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const Shared& known) { return known.remark == remark; });
    if (same == out.end()) same = out.insert(out.end(), {std::move(remark), {}});
    if (!file.empty()) same->files.push_back(std::move(file));
  }
  // Servers come in order, their files do not.
  for (Shared& shared : out) std::sort(shared.files.begin(), shared.files.end());
  return out;
}

std::string files_text(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string first = fmt::format("file '{}'", files.front());
  if (files.size() == 1) return first + ": ";
  return fmt::format("{} and {} other{}: ", first, files.size() - 1, files.size() == 2 ? "" : "s");
}

std::string text_of(const Shared& shared) {
  const Remark& remark = shared.remark;
  const std::string points = remark.points == 0 ? ""
                                                : fmt::format(" at {} point{}", remark.points,
                                                              remark.points == 1 ? "" : "s");
  std::string examples;
  if (!remark.examples.empty()) {
    const bool are_all = std::cmp_equal(remark.examples.size(), remark.points);
    examples =
        fmt::format(" ({}{})", are_all ? "" : "among them ", fmt::join(remark.examples, ", "));
  }
  return fmt::format("{}{}{}{}. {}", files_text(shared.files), remark.what, points, examples,
                     remark.advice);
}

}  // namespace

std::vector<std::string> sentences(const std::vector<Remark>& remarks) {
  std::vector<std::string> out;
  for (const Shared& shared : with_files(per_file(remarks))) out.push_back(text_of(shared));
  return out;
}

std::string point_text(const Box& box, std::int64_t position) {
  std::vector<std::int64_t> indices;
  for (std::size_t d = box.rank(); d-- > 0;) {
    indices.push_back(box.begin[d] + position % box.size[d]);
    position /= box.size[d];
  }
  return fmt::format("({})", fmt::join(indices, ", "));
}

}  // namespace epios::io
