#pragma once

#include <memory>

#include "files/file_access.hpp"

namespace ep {

/// Collective access in two phases: every process has a domain of the file, an aligned part of the
/// range that all ask for (or what only it asks for, if ranges do not meet). Segments in another
/// process's domain go there as messages; then the endpoints of each process move its domain in
/// parts, segments of siblings straight from or to their buffers; then all learn of the first
/// problem of anybody. If somebody has one before, nothing is moved.
///
/// Collective; `what` names the call. Throws the agreed problem; `access.done` is known then, too.
void access_together(FileAccess& access, const char* what);
/// The same without waiting.
EP_Request start_together(std::shared_ptr<FileAccess> access, const char* what);

}  // namespace ep
