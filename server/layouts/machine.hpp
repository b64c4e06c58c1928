/// @file
/// What messages, copies and files cost on an imagined machine. docs/scale.md says where the
/// constants come from.
#pragma once

#include <cstdint>

#include "imagined_job.hpp"

namespace epios::layouts {

/// Bytes per second at which memory comes that was not there before.
struct NewMemory {
  double page_rate = 1e9;     ///< a core first writes to it, page by page
  double reserve_rate = 2e9;  ///< the system reserves and maps a shared segment
  double map_rate = 10e9;     ///< the system maps one that is there
};

/// Rates in bytes per second.
struct Machine {
  double latency_s = 2e-6;       ///< of a message between nodes
  double link_rate = 10e9;       ///< of the link of a node
  double memory_rate = 5e9;      ///< at which a core copies
  double assemble_rate = 5e9;    ///< at which a server puts records together
  double disk_rate = 1e9;        ///< at which a server writes
  double total_disk_rate = 0;    ///< at which all servers together can write; 0: no limit
  double compress_rate = 300e6;  ///< at which a server compresses and writes
  NewMemory new_memory;
  double part_s = 1e-6;        ///< processor time of a part or message, beside its bytes
  double share_s = 10e-6;      ///< processor time of what one client and one server settle
  double point_s = 10e-9;      ///< processor time of finding the owner of a point
  double entry_s = 0.05e-6;    ///< processor time of one server and one field in tables
  double hdf5_s = 8e-3;        ///< of the file thread, to begin to use HDF5
  double file_s = 8e-3;        ///< of the file thread, to define a file beside its fields
  double variable_s = 0.2e-3;  ///< of the file thread, to define a field
  double process_s = 10e-3;    ///< processor time of a process of clients that opens its first
  double client_s = 3e-3;      ///< processor time of each client that opens a context
  double field_s = 0.1e-3;     ///< the same for each of its fields: to resolve it
  int processors = 0;          ///< that all ranks share; 0: each has its own
};

/// Seconds of the phases of a run.
struct Times {
  double opening_s = 0;  ///< from closed definitions to open channels
  double client_s = 0;   ///< that a client is in the library for one record of each field
  double server_s = 0;   ///< between two records of each field that the busiest server can bear
};

/// The ranks whose loads decide about times.
struct Loads {
  ClientLoad first;   ///< the first client
  ClientLoad client;  ///< another one
  ServerLoad server;  ///< the largest of each figure
  LeaderLoad leader;
};

Times times_of(const Machine& machine, const Layout& layout, std::int64_t fields,
               const Loads& loads);

}  // namespace epios::layouts
