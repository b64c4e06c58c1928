/// @file
/// Forward declarations of the classes of <ep/ep.hpp> and <ep/file.hpp>, for headers that only pass
/// them by reference.
#pragma once

namespace ep {

// Types of other namespaces have some of these names, too.
// NOLINTBEGIN(bugprone-forward-declaration-namespace)
class AttachScope;
class Comm;
class Environment;
class Error;
class File;
class Window;
struct Received;
struct WaitReason;
// NOLINTEND(bugprone-forward-declaration-namespace)

}  // namespace ep
