#include "cliques/clique_tables.hpp"

#include <cstdlib>

namespace ep {

CliqueTables::CliqueTables() {
  if (const char* wanted = std::getenv("EP_CHECK_TYPES"); wanted != nullptr) {
    checks_types = std::atoi(wanted) != 0;
  }
}

}  // namespace ep
