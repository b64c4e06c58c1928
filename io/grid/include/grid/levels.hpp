/// @file
/// Two levels of servers: gatherers, to which clients send, and the servers that write, to which
/// gatherers pass it on. Pure functions that clients and servers evaluate alike.
#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "grid/pieces.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// Whether gatherers stand between clients and those that write.
bool has_levels(const ServerChoice& choice);
/// Number of a server among the gatherers; -1: it is none.
int gatherer_number(const ServerChoice& choice, int server);
/// Whether a server writes what gatherers pass on: clients have no channel to it.
bool is_behind_gatherers(const ServerChoice& choice, int server);

/// Whether every grid that is written has one domain at most: gatherers are dealt rows of domains,
/// and the product of two such shares would leave points to nobody.
bool can_be_dealt_out(const config::Model& model);

/// Files as clients see them, whose events go to all gatherers.
std::vector<FilePlacement> gathered_files(const config::Model& model, const ServerChoice& choice);

/// What each server gathers, in the shape of what it would write: rows of each domain (of what has
/// no rows cells) with all of the other elements of its grids, so that what a gatherer has of an
/// element is the same in all grids. The first one has grids without a domain, and alone the
/// coordinates of all elements but domains. Nothing of servers that gather nothing.
std::vector<Pieces> gathered_pieces(const config::Model& model, const ServerChoice& choice,
                                    int servers);

/// The same with windows of its own for each grid: what a gatherer has of an element depends on its
/// clients that have points of the grid. For servers behind gatherers.
Pieces separate_windows(const Pieces& pieces);

}  // namespace epios::io
