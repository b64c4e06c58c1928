#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAIL: %s\n", what);
  std::exit(3);
}

constexpr int text_size = 64;

/// Texts come back padded with blanks, and not ended by a 0.
struct Text {
  char characters[text_size];
  Text() { std::memset(characters, '#', sizeof characters); }
  std::string value() const {
    std::string out(characters, sizeof characters);
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }
};
