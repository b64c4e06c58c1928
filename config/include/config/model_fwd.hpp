/// @file
/// Names of the parts of a Model (model.hpp) and of the structs of attributes (attributes.hpp), for
/// headers that only pass them by reference.
#pragma once

namespace epios::config {

// Types of other namespaces share some of these names.
// NOLINTBEGIN(bugprone-forward-declaration-namespace)
struct Property;
struct Transformation;
struct Scalar;
struct Axis;
struct Domain;
struct GridElement;
struct Grid;
struct Variable;
struct Source;
struct FieldExpressionNode;
struct FieldExpression;
struct Stream;
struct Unmade;
struct File;
struct ReadField;
struct ReadFile;
struct CoupledField;
struct Coupler;
struct Model;

struct ContextAttributes;
struct CalendarAttributes;
struct ScalarAttributes;
struct AxisAttributes;
struct DomainAttributes;
struct GridAttributes;
struct FieldAttributes;
struct FileAttributes;
struct VariableAttributes;
struct CouplerInAttributes;
struct CouplerOutAttributes;
struct PoolAttributes;
struct ServiceAttributes;
// NOLINTEND(bugprone-forward-declaration-namespace)

}  // namespace epios::config
