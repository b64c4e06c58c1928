#pragma once

#include "datatypes/datatype.hpp"
#include "handles/endpoint.hpp"
#include "messages/p2p.hpp"

namespace ep {

/// What a persistent request does each time it is started.
struct Persistent {
  Member member;  ///< of the endpoint, whose handle may be freed meanwhile
  bool is_receive = false;
  SendMode mode = SendMode::standard;
  MappedView view;
  int peer = 0;
  int tag = 0;
  const char* what = "";
  bool is_active = false;
};

}  // namespace ep
