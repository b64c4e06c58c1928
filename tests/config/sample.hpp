// A configuration that a small ocean model might use, and shortcuts around it.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "config/check.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"

namespace epios::config::test {

inline const std::string sample_xml = R"(<?xml version="1.0"?>
<simulation>
  <context id="ocean">
    <calendar type="NoLeap" timestep="1h" start_date="2001-01-01" time_origin="2000-01-01 00:00:00"/>
    <axis_definition>
      <axis id="depth" n_glo="3" unit="m" positive="down" value="(0,2)[5 15.5 40]"/>
    </axis_definition>
    <domain_definition>
      <domain id="globe" type="rectilinear" ni_glo="8" nj_glo="4"/>
    </domain_definition>
    <scalar_definition>
      <scalar id="mean_place" long_name="whole ocean"/>
    </scalar_definition>
    <grid_definition>
      <grid id="g3d">
        <domain domain_ref="globe"/>
        <axis axis_ref="depth"/>
      </grid>
    </grid_definition>
    <field_definition prec="8" operation="average">
      <field id="sst" name="tos" long_name="sea surface temperature" unit="degC" domain_ref="globe"/>
      <field_group grid_ref="g3d">
        <field id="temp" unit="degC" default_value="1e20" detect_missing_value="true"/>
        <field id="salt" unit="g/kg"/>
      </field_group>
      <field id="mean_sst" scalar_ref="mean_place" operation="instant"/>
    </field_definition>
    <file_definition>
      <file id="daily" name="out/daily" output_freq="1d" description="daily output">
        <field field_ref="sst"/>
        <field field_ref="sst" name="tosmax" operation="maximum" freq_op="6h">
          <variable id="note" type="string">largest of four</variable>
        </field>
        <field field_ref="temp" enabled="true"/>
        <field field_ref="salt" level="9"/>
        <variable id="source" type="string">EPIOS test</variable>
      </file>
      <file id="monthly" output_freq="1mo">
        <field field_ref="mean_sst"/>
      </file>
      <file id="off" output_freq="1mo" enabled="false">
        <field field_ref="salt"/>
      </file>
    </file_definition>
    <variable_definition>
      <variable id="relax_days" type="int">30</variable>
      <variable_group> Alpha = 1.5; beta = text ; </variable_group>
    </variable_definition>
  </context>
</simulation>
)";

/// Sentences alone. That each finding has its code, and which, the golden folders show.
inline std::string without_codes(const std::string& text) {
  return std::regex_replace(text, std::regex(R"( \[E[0-9]{4}\])"), "");
}
inline std::string text(const Diagnostic& finding) { return without_codes(finding.text()); }

inline SourceTexts texts(const std::string& xml) { return {{"iodef.xml", xml}}; }

inline Definitions definitions(const std::string& xml) { return Definitions(Document(texts(xml))); }

inline Model model(const std::string& xml, const std::string& context = "ocean") {
  return definitions(xml).resolve(context);
}

/// A context around `body`, all on one line unless the body brings lines of its own.
inline std::string in_context(
    const std::string& body,
    const std::string& calendar = R"(<calendar type="NoLeap" timestep="1h"/>)") {
  return "<simulation><context id=\"ocean\">" + calendar + "\n" + body +
         "\n</context></simulation>";
}

/// The errors of reading or resolving, one per line; "" when there are none.
inline std::string errors(const std::string& xml) {
  try {
    model(xml);
  } catch (const ConfigError& error) {
    return without_codes(error.what());
  }
  return {};
}

}  // namespace epios::config::test
