// What calls cost that do nothing: sends and questions about fields that nothing needs at this
// step. One process that writes its own files. Prints nanoseconds per call, the median of several
// rounds, next to those of a call of a function of another library that only looks at its argument.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <epios/epios.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 9;
constexpr int calls = 200'000;

constexpr const char* iodef = R"(<simulation><context id="c">
  <calendar type="NoLeap" timestep="1h"/>
  <axis_definition><axis id="a" n_glo="3"/></axis_definition>
  <field_definition axis_ref="a" operation="average">
    <field id="daily_sample" freq_op="1d"/><field id="unused"/>
  </field_definition>
  <file_definition><file id="out" output_freq="10d"><field field_ref="daily_sample"/></file>
  </file_definition></context></simulation>)";

template <class Call>
double nanoseconds(const Call& call) {
  std::vector<double> found;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    found.push_back(took.count() / calls);
  }
  std::sort(found.begin(), found.end());
  return found[rounds / 2];
}

void report(const char* what, double ns) { std::printf("%-52s %6.1f ns\n", what, ns); }

}  // namespace

int main() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("epios-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  std::ofstream("iodef.xml") << iodef;
  {
    epios::client::Session session("bench");
    epios::client::Client client(session);
    epios::client::Context context = client.open_context("c");
    context.close_definition();
    context.update_calendar(1);
    const std::vector<double> data{1, 2, 3};
    epios_context* const c = context.get();
    const epios_field sampled = context.field("daily_sample").get();
    const epios_field unused = context.field("unused").get();
    int active = 0;
    report("a call into the library (epios_last_error)", nanoseconds([] { epios_last_error(); }));
    report("send by handle, not due at this step",
           nanoseconds([&] { epios_field_send_double(sampled, data.data(), 3); }));
    report("send by handle, never needed",
           nanoseconds([&] { epios_field_send_double(unused, data.data(), 3); }));
    report("is_active now, by handle",
           nanoseconds([&] { epios_field_ask_active(sampled, 1, &active); }));
    report("send by id, not due at this step",
           nanoseconds([&] { epios_send_double(c, "daily_sample", data.data(), 3); }));
    report("send by id, never needed",
           nanoseconds([&] { epios_send_double(c, "unused", data.data(), 3); }));
    report("is_active now, by id",
           nanoseconds([&] { epios_field_is_active(c, "daily_sample", 1, &active); }));
    if (active != 0) std::printf("FAIL: the field is due\n");
  }
  std::filesystem::current_path("/");
  std::filesystem::remove_all(folder);
}
