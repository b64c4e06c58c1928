/// @file
/// Tags of the messages between images.
#pragma once

namespace ep::caf::tags {

constexpr int sync_images = 1;  ///< SYNC IMAGES: the state of the sender
constexpr int gone = 2;         ///< the state of an image that has ended
constexpr int event = 3;        ///< EVENT POST: which event
constexpr int waiting = 4;      ///< LOCK: who waits behind the receiver, and for which lock
constexpr int granted = 5;      ///< the lock is the receiver's, or its holder has ended
constexpr int reduction = 6;

}  // namespace ep::caf::tags
