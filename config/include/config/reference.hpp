/// @file
/// What is generated from the grammar and the attribute table for people and editors.
#pragma once

#include <string>

namespace epios::config {

/// Reference page of all elements and attributes, in Markdown.
std::string reference_page();
/// The same as an XML Schema (XSD 1.0) for editors and validators. Attribute words are in the
/// reference spelling; the parser also takes other cases.
std::string xml_schema();

}  // namespace epios::config
