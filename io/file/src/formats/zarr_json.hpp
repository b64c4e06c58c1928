/// @file
/// What the documents of both versions of Zarr have in common.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

using ZarrJson = nlohmann::ordered_json;

/// JSON has no NaN: Zarr has words for it.
ZarrJson zarr_number(double value);

/// An attribute; one number stands alone, as in NetCDF.
ZarrJson zarr_attribute(const AttributeValue& value);

/// Returns the value of unset points of a variable of numbers.
ZarrJson unset_number(const VariableSpec& variable);
/// Returns the attributes of a variable of NetCDF, and that of its rounding.
ZarrJson attributes_of(const VariableSpec& variable);
ZarrJson attributes_of(const FileSpec& spec);

/// Returns a document as text. Throws Error{configuration} for text that is not UTF-8.
std::string zarr_text_of(const ZarrJson& document, const std::string& path, const std::string& key);

}  // namespace epios::io
