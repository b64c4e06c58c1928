#pragma once

#include <string>

namespace epios::client {

/// Messages name calls as the C interface has them. The same with the names that `module xios` has
/// for them.
std::string xios_words(const std::string& text);

/// From now on this process is one whose model calls `module xios`.
void speak_xios();
/// xios_words() in a process whose model calls `module xios`, the text itself in others.
std::string words_of_model(const std::string& text);

}  // namespace epios::client
