/// @file
/// Names of the classes of <ep/ep.hpp> and <ep/file.hpp>, for headers that only pass them by
/// reference.
#pragma once

namespace ep {

class AttachScope;
class Comm;
class Environment;
class Error;
class File;
class Window;
struct Received;
struct WaitReason;

}  // namespace ep
