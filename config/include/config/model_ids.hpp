/// @file
/// Indices of the parts of a Model: each numbers the items of the member that it is named after.
#pragma once

#include "config/index.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

using ScalarId = epios::Index<Scalar>;               ///< index into Model::scalars
using AxisId = epios::Index<Axis>;                   ///< index into Model::axes
using DomainId = epios::Index<Domain>;               ///< index into Model::domains
using GridId = epios::Index<Grid>;                   ///< index into Model::grids
using SourceId = epios::Index<Source>;               ///< index into Model::sources
using ExpressionId = epios::Index<FieldExpression>;  ///< index into Model::expressions
using StreamId = epios::Index<Stream>;               ///< index into Model::streams
using FileId = epios::Index<File>;                   ///< index into Model::files
using ReadFieldId = epios::Index<ReadField>;         ///< index into Model::read_fields
using ReadFileId = epios::Index<ReadFile>;           ///< index into Model::read_files
using ResultId = epios::Index<struct Result>;        ///< index into Model::results
using CouplerId = epios::Index<Coupler>;             ///< index into Model::couplers
using VariableId = epios::Index<Variable>;           ///< index into Model::variables

}  // namespace epios::config
