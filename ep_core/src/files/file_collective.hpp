#pragma once

#include <memory>

#include "files/file_access.hpp"

namespace ep {

/// Performs a collective access in two phases. Every process has a domain of the file: an aligned
/// part of the range that all request together (or its own range, if ranges do not intersect).
/// Segments in another process's domain are sent there as messages. Then the endpoints of each
/// process move its domain in chunks; segments of endpoints of the same process move directly from
/// or to their buffers. Finally all endpoints receive the first problem. If an endpoint has a
/// problem at the beginning, nothing is moved.
///
/// Collective; `what` names the call. Throws the agreed problem; `access.done` is valid then, too.
void access_together(FileAccess& access, const char* what);
/// Begins the same without waiting.
EP_Request start_together(std::shared_ptr<FileAccess> access, const char* what);

}  // namespace ep
