/// @file
/// A model with fields that servers transform, from XML as users write it.
#pragma once

#include <string>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"

namespace epios::io::test {

/// Domain "d" of 4 x 3 cells with 2 levels; "left" has its first two columns, "right" the last one
/// of those; both steps are left to servers. File "made" has the field on left, on right and on
/// left again, file "raw" as it is.
inline config::Model model_with_steps() {
  const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="d" ni_glo="4" nj_glo="3" type="rectilinear"/>
      <domain id="left"><extract_domain ibegin="0" ni="2" jbegin="0" nj="3" place="server"/></domain>
      <domain id="right"><extract_domain ibegin="1" ni="1" jbegin="0" nj="3" place="server"/></domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="2"/></axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="g_left"><domain domain_ref="left"/><axis axis_ref="z"/></grid>
      <grid id="g_right"><domain domain_ref="right"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="4">
      <field id="a" grid_ref="g"/>
      <field id="b" field_ref="a" grid_ref="g_left"/>
      <field id="e" field_ref="b" grid_ref="g_right"/>
    </field_definition>
    <file_definition>
      <file id="made" output_freq="1h"><field field_ref="b"/><field field_ref="e"/><field field_ref="b" name="again"/></file>
      <file id="raw" output_freq="1h"><field field_ref="a"/></file>
    </file_definition></context></simulation>)"}};
  config::Definitions definitions{config::Document(texts)};
  return definitions.resolve("c", config::Purpose::plan);
}

/// Domain "d" of 4 x 4 cells, which file "fine" has and two coarser levels of, made by servers.
inline config::Model model_with_levels() {
  const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" ni_glo="4" nj_glo="4" type="rectilinear"/></domain_definition>
    <file_definition>
      <file id="fine" output_freq="1h">
        <field id="a" domain_ref="d" operation="instant" prec="4"/>
        <hierarchy levels="3" min_valid_share="0" place="server"/>
      </file>
    </file_definition></context></simulation>)"}};
  config::Definitions definitions{config::Document(texts)};
  return definitions.resolve("c", config::Purpose::plan);
}

}  // namespace epios::io::test
