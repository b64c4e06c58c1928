/// @file
/// Expressions of models that are made in code.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "hourly_model.hpp"

namespace epios::io::test {

/// What `@` before an id means, and before parentheses ("").
using Nested = std::map<std::string, config::Sampling>;

inline config::Sampling sampling(config::Operation operation, double output_hours,
                                 double freq_op_hours = 1) {
  config::Sampling out;
  out.operation = operation;
  out.freq_op = hours(freq_op_hours);
  out.freq_offset = hours(freq_op_hours - 1);
  out.output_freq = hours(output_hours);
  return out;
}

/// Adds an expression with ids of sources and of expressions before it.
inline int add_expression(config::Model& model, const std::string& text, const Nested& nested = {},
                          int grid = 0) {
  const config::ParsedExpression parsed = config::parse_expression(text);
  EXPECT_FALSE(parsed.mistake) << text << ": " << parsed.mistake->problem;
  config::FieldExpression out;
  out.id = "e" + std::to_string(model.expressions.size());
  out.grid = config::GridId(grid);
  out.text = text;
  for (const config::ExpressionNode& node : parsed.expression.nodes) {
    config::FieldExpressionNode& made = out.nodes.emplace_back();
    made.op = node.op;
    made.type = node.type;
    made.number = node.number;
    made.arguments = node.arguments;
    if (node.op == config::ExpressionOp::temporal) made.sampling = nested.at("");
    if (!config::is_data(node.op)) continue;
    made.source = model.find_source(node.id);
    for (std::size_t e = 0; e < model.expressions.size(); ++e) {
      if (nth(model.expressions, e).id == node.id)
        made.expression = config::ExpressionId(static_cast<int>(e));
    }
    EXPECT_NE(made.source < 0, made.expression < 0) << node.id;
    made.is_temporal = node.is_temporal;
    if (node.is_temporal) made.sampling = nested.at(node.id);
  }
  model.expressions.push_back(std::move(out));
  return static_cast<int>(model.expressions.size()) - 1;
}

inline int add_stream_of(config::Model& model, int expression, const config::Sampling& sampling) {
  config::Stream stream;
  stream.id = "s" + std::to_string(model.streams.size());
  stream.source = config::SourceId();
  stream.expression = config::ExpressionId(expression);
  stream.grid = nth(model.expressions, expression).grid;
  stream.sampling = sampling;
  model.streams.push_back(stream);
  return static_cast<int>(model.streams.size()) - 1;
}

}  // namespace epios::io::test
