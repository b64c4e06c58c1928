/// @file
/// Documents for people and editors, generated from the grammar and the attribute table.
#pragma once

#include <string>

namespace epios::config {

/// Returns the reference page of all elements and attributes, in Markdown.
std::string reference_page();
/// Returns the same as an XML Schema (XSD 1.0) for editors and validators. Attribute words are in
/// the reference spelling; the parser also accepts other cases.
std::string xml_schema();

}  // namespace epios::config
