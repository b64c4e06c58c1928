#pragma once

#include <epios/epios.hpp>

namespace epios::client {

/// A domain of two rows, one for each of two threads, in a context named "threads".
inline constexpr const char* iodef_of_two_rows = R"(
<simulation>
  <context id="threads">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="8" nj_glo="2"/></domain_definition>
    <field_definition><field id="f" domain_ref="d"/></field_definition>
    <file_definition>
      <file id="out" output_freq="1h"><field field_ref="f" operation="instant"/></file>
    </file_definition>
  </context>
</simulation>)";

/// What the thread of this row says of itself.
inline void define_row(Context& context, int row) {
  context.set("domain", "d", "jbegin", row);
  context.set("domain", "d", "nj", 1);
  context.set("domain", "d", "ibegin", 0);
  context.set("domain", "d", "ni", 8);
  context.close_definition();
}

}  // namespace epios::client
