#pragma once

#include <mutex>

#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "process/process.hpp"
#include "programs/attachment.hpp"
#include "programs/ports.hpp"
#include "programs/program.hpp"
#include "programs/session.hpp"
#include "programs/spares.hpp"

namespace ep {

/// How a process was started and what runs in it.
struct ProgramTables final : Extension {
  static constexpr Room room = Room::programs;

  std::mutex mutex;              ///< guards entering and leaving the library
  std::recursive_mutex leaving;  ///< callbacks of the program may leave the library, too
  bool initialised_mpi = false;
  StartCommunicators start;
  Program program;
  Spares spares;
  Ports ports;
  Arena<ep_session> sessions;
};

inline ProgramTables& program_tables() { return process().extension<ProgramTables>(); }

inline StartCommunicators& start_communicators() { return program_tables().start; }
inline Program& own_program() { return program_tables().program; }
inline Spares& spare_processes() { return program_tables().spares; }

}  // namespace ep
