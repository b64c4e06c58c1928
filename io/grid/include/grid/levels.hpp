/// @file
/// Two levels of servers: clients send to gatherers, which pass data on to the servers that write.
/// All functions are pure; clients and servers evaluate them alike.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// Returns true if gatherers stand between clients and writers.
bool has_levels(const ServerChoice& choice);
/// Returns the number of a server among the gatherers, or -1 if it is none.
int gatherer_number(const ServerChoice& choice, int server);
/// Returns true if a server writes what gatherers pass on. Clients have no channel to it.
bool is_downstream(const ServerChoice& choice, int server);

/// Returns true if every grid that is written has at most one domain. Gatherers get rows of
/// domains, and the product of two such shares would leave points without an owner.
bool can_be_dealt_out(const config::Model& model);

/// Returns the placement of files as clients see it: their events go to all gatherers.
std::vector<FilePlacement> gathered_files(const config::Model& model, const ServerChoice& choice);

/// Returns what each server gathers, in the form of what a server writes: rows of each domain
/// (cells if it has no rows), with all other elements of its grids. A gatherer thus has the same
/// window of an element in all grids. The first gatherer also has the grids without a domain and,
/// alone, the coordinates of all elements but domains. The pieces of other servers are empty.
std::vector<Pieces> gathered_pieces(const config::Model& model, const ServerChoice& choice,
                                    int servers);

/// Returns the same pieces with separate windows for each grid, for servers behind gatherers:
/// there, what a gatherer has of an element depends on its clients that have points of the grid.
Pieces separate_windows(const Pieces& pieces);

}  // namespace epios::io
