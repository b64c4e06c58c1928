/// @file
/// Assignments between sections on this image and on others.
#pragma once

#include "image.hpp"
#include "section.hpp"

namespace ep::caf {

/// A section on an image.
struct RemoteSection {
  int rank = 0;
  Place base;
  Section section;
};

/// A section of this image.
struct LocalSection {
  std::byte* base = nullptr;
  Section section;
};

/// Assigns to another image's section. `may_overlap` says that both may be the same memory, in an
/// order that needs a copy. Throws Failure.
void put(Reach& reach, const RemoteSection& to, const LocalSection& from, bool may_overlap);
/// Assigns another image's section to one of this image.
void get(Reach& reach, const LocalSection& to, const RemoteSection& from, bool may_overlap);
/// Assigns another image's section to that of a third.
void move(Reach& reach, const RemoteSection& to, const RemoteSection& from, bool may_overlap);

}  // namespace ep::caf
