// What is generated from the attribute table is committed and may not drift from it.
#include "config/reference.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/attribute_table.hpp"
#include "config/attributes.hpp"
#include "config/codes.hpp"
#include "config/run_variables.hpp"

namespace epios::config::reference_test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path << " cannot be read";
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Reference, page_is_the_committed_one) {
  EXPECT_TRUE(reference_page() == text_of(EPIOS_SOURCE_FOLDER "/docs/reference/xml.md"))
      << "docs/reference/xml.md is out of date. Write it anew with 'epios doc'.";
}

TEST(Reference, schema_is_the_committed_one) {
  EXPECT_TRUE(xml_schema() == text_of(EPIOS_SOURCE_FOLDER "/docs/reference/epios.xsd"))
      << "docs/reference/epios.xsd is out of date. Write it anew with 'epios schema'.";
}

TEST(Reference, page_of_codes_is_the_committed_one) {
  EXPECT_EQ(code_page(), text_of(EPIOS_SOURCE_FOLDER "/docs/reference/codes.md"))
      << "docs/reference/codes.md is out of date. Write it anew with 'epios explain-code --page'.";
}

TEST(Reference, page_and_schema_name_every_attribute) {
  const std::string page = reference_page();
  const std::string schema = xml_schema();
  for (const AttributeInfo& row : attribute_table()) {
    EXPECT_NE(page.find("| `" + std::string(row.name) + "` |"), std::string::npos) << row.name;
    EXPECT_NE(schema.find("<xs:attribute name=\"" + std::string(row.name) + "\""),
              std::string::npos)
        << row.name;
  }
}

TEST(Reference, page_names_every_run_variable) {
  const std::string page = reference_page();
  EXPECT_NE(page.find("| known to |"), std::string::npos);
  for (const RunVariable& row : run_variables()) {
    EXPECT_NE(page.find("| `" + std::string(row.id) + "` |"), std::string::npos) << row.id;
  }
}

}  // namespace
}  // namespace epios::config::reference_test
