#include "grids/whole_domains.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ep/ep.hpp>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"

namespace epios::client::whole_domains_test {
namespace {

constexpr const char* configuration = R"(<simulation><context id="ocean">
  <calendar type="NoLeap" timestep="1h"/>
  <domain_definition>
    <domain id="globe" type="rectilinear" ni_glo="6" nj_glo="6"/>
    <domain id="cells" type="unstructured" ni_glo="12"/>
    <domain id="point" type="rectilinear" ni_glo="1" nj_glo="1"/>
    <domain id="sites" type="unstructured" ni_glo="3" lonvalue_1d="(0,2)[31 190 359]" latvalue_1d="(0,2)[-60 5 61]">
      <interpolate_domain method="nearest"/>
    </domain>
  </domain_definition>
  <field_definition>
    <field id="a" domain_ref="globe"/><field id="b" domain_ref="cells"/>
    <field id="c" domain_ref="point"/><field id="d" field_ref="a" domain_ref="sites"/>
  </field_definition>
  <file_definition output_freq="1h">
    <file id="f"><field field_ref="a" operation="instant"/><field field_ref="b" operation="instant"/>
    <field field_ref="c" operation="instant"/><field field_ref="d" operation="instant"/></file>
  </file_definition>
</context></simulation>)";

/// What is said when each of `ranks_with_parts` gives its part of the globe: six rows by rank.
std::vector<std::string> said(const ep::Comm& clients, const std::vector<int>& ranks_with_parts) {
  config::Definitions definitions{
      config::Document(config::SourceTexts{{"ocean.xml", configuration}})};
  definitions.open_context("ocean");

  for (const int rank : ranks_with_parts) {
    if (clients.rank() != rank) continue;
    definitions.set("ocean", config::ElementKind::domain, "globe", "jbegin", std::int64_t{rank},
                    "set");
    definitions.set("ocean", config::ElementKind::domain, "globe", "nj", std::int64_t{1}, "set");
  }
  const config::Model model = definitions.resolve("ocean");
  return whole_domains(model, io::LocalParts(model), clients);
}

TEST(WholeDomains, every_client_of_several_is_told_of) {
  const ep::Comm clients = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int n = clients.size();
  const auto sentence = [&](const char* id, int points) {
    return fmt::format(
        "context 'ocean': every client holds the whole domain '{}' ({} clients with all of its {} "
        "points; what client 0 sends is written). Give each its part: ibegin and ni, jbegin and "
        "nj, or i_index?",
        id, n, points);
  };
  using Said = std::vector<std::string>;
  // Nobody has to give parts of the sites, which transformations make.
  EXPECT_EQ(said(clients, {}),
            n == 1 ? Said{} : (Said{sentence("globe", 36), sentence("cells", 12)}));
  // One that says what it has is enough; the other domain is as it was.
  EXPECT_EQ(said(clients, {n - 1}), n == 1 ? Said{} : Said{sentence("cells", 12)});
}

}  // namespace
}  // namespace epios::client::whole_domains_test
