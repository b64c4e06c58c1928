/// @file
/// Rows of weights from and to files, by clients of which each has some of the targets.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "space/weights_files.hpp"

namespace epios::io {

/// Returns the sketch of a grid of `size` cells, of which this client has `own`; the same on all
/// clients. A cell that several have counts once. Collective.
GridSketch sketch_of(const Cells& own, std::int64_t size, const ep::Comm& clients);

/// Returns true if the first client sees the file. Collective.
bool is_there(WeightsFiles& files, const std::string& path, const ep::Comm& clients);

/// Rows for the targets of this client (numbers, ascending, each once). `wanted`: what the weights
/// have to be, its sketches if they are known. Each client reads a share of the file, and hands
/// rows on to those who want them: memory is that of its rows and of its share. Collective. Adds to
/// `remarks`, alike on all. Throws Error{io} on all clients alike.
Weights read_rows(WeightsFiles& files, const WeightsQuestion& question,
                  const WeightsIdentity& wanted, std::span<const std::int64_t> targets,
                  const ep::Comm& clients, std::vector<std::string>& remarks);

/// Writes the rows of all clients, by target, each once: the same file for any number of clients.
/// The first one writes what the others hand it piece by piece. Collective. Throws Error{io} on all
/// clients alike.
void write_rows(WeightsFiles& files, const WeightsQuestion& what, const WeightsIdentity& identity,
                const Weights& rows, const ep::Comm& clients);

}  // namespace epios::io
