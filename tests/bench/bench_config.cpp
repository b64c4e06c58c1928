// How much processor time check_and_resolve takes: parse, resolve and check of a generated
// configuration in three levels of groups and 20 included files. Prints time and memory at 5,000
// fields, and the time per field from 1,000 to 50,000 fields as a ratio to that at 1,000: 1 is
// linear.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "config/check.hpp"

namespace {

using namespace epios::config;

constexpr int included_files = 20;
constexpr int fields_per_file = 25;

/// Fields in groups of groups, one of `included_files` parts.
std::string field_part(int part, int fields) {
  std::string text = "<field_definition>\n";
  for (int outer = 0; outer < 2; ++outer) {
    text += fmt::format("  <field_group id=\"part{}_{}\" enabled=\".TRUE.\" level=\"1\">\n", part,
                        outer);
    for (int inner = 0; inner < 5; ++inner) {
      text += fmt::format("    <field_group id=\"part{}_{}_{}\" grid_ref=\"{}\">\n", part, outer,
                          inner, inner % 2 == 0 ? "grid_2d" : "grid_3d");
      text += "      <field_group unit=\"kg m-2 s-1\" prec=\"4\">\n";
      for (int i = outer * 5 + inner; i < fields; i += 10) {
        text += fmt::format(
            "        <field id=\"field_{0}_{1}\" long_name=\"a quantity of part {0} with number "
            "{1} "
            "at the surface of the earth\" "
            "standard_name=\"mass_flux_of_quantity_{0}_{1}_at_the_surface\" "
            "comment=\"computed by process {1} of part {0}, positive downwards, averaged over the "
            "cell\" "
            "valid_min=\"-1e3\" valid_max=\"1e3\"/>\n",
            part, i);
      }
      text += "      </field_group>\n    </field_group>\n";
    }
    text += "  </field_group>\n";
  }
  return text + "</field_definition>\n";
}

SourceTexts configuration(int fields) {
  const int per_part = fields / included_files;
  SourceTexts sources(1);
  std::string entry =
      "<simulation>\n<context id=\"earth\">\n"
      "<calendar type=\"Gregorian\" timestep=\"1h\" start_date=\"2000-01-01\"/>\n"
      "<domain_definition><domain id=\"d\" type=\"rectilinear\" ni_glo=\"360\" nj_glo=\"180\"/>"
      "</domain_definition>\n<axis_definition><axis id=\"z\" n_glo=\"75\"/></axis_definition>\n"
      "<grid_definition><grid id=\"grid_2d\"><domain domain_ref=\"d\"/></grid>"
      "<grid id=\"grid_3d\"><domain domain_ref=\"d\"/><axis "
      "axis_ref=\"z\"/></grid></grid_definition>\n";
  for (int part = 0; part < included_files; ++part) {
    entry += fmt::format("<field_definition operation=\"average\" src=\"part{}.xml\"/>\n", part);
    sources.push_back({fmt::format("part{}.xml", part), field_part(part, per_part)});
  }
  entry += "<file_definition>\n";
  for (int first = 0; first < fields; first += fields_per_file) {
    entry += fmt::format("<file id=\"file_{}\" output_freq=\"{}\">\n", first / fields_per_file,
                         first % 2 == 0 ? "1d" : "1mo");
    for (int i = first; i < std::min(first + fields_per_file, fields); ++i) {
      entry += fmt::format(
          "  <field field_ref=\"field_{0}_{1}\" name=\"v{2}\" long_name=\"as variable {2} of the "
          "file\" "
          "operation=\"{3}\"/>\n",
          i % included_files, i / included_files, i, i % 3 == 0 ? "maximum" : "average");
    }
    entry += "</file>\n";
  }
  sources.front() = {"iodef.xml", entry + "</file_definition>\n</context>\n</simulation>\n"};
  return sources;
}

double size_mb(const SourceTexts& sources) {
  std::size_t bytes = 0;
  for (const SourceText& source : sources) bytes += source.text.size();
  return static_cast<double>(bytes) / 1e6;
}

double peak_mb() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Of this process: other work on the machine does not count.
double cpu_seconds() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Median of several; a configuration with findings would measure something else.
double seconds(const SourceTexts& sources, int fields, int repetitions) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const double begin = cpu_seconds();
    const Checked checked = check_and_resolve(sources);
    times.push_back(cpu_seconds() - begin);
    const bool is_whole = checked.findings.empty() && checked.models.size() == 1 &&
                          static_cast<int>(checked.models[0].streams.size()) == fields;
    if (!is_whole) {
      fmt::print(stderr, "the configuration is not good: {}\n",
                 checked.findings.empty() ? "fields are missing" : checked.findings[0].text());
      std::exit(1);
    }
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  constexpr int reference_fields = 5000;
  constexpr double limit_s = 0.5;
  constexpr double limit_mb = 200;
  const SourceTexts reference = configuration(reference_fields);
  const double time = seconds(reference, reference_fields, 5);
  const double memory = peak_mb();
  fmt::print("{} fields, {} files, {:.1f} MB of text in {} files\n", reference_fields,
             reference_fields / fields_per_file, size_mb(reference), reference.size());
  fmt::print("time   {:.3f} s, {:.2f} of the limit\n", time, time / limit_s);
  fmt::print("memory {:.0f} MB, {:.2f} of the limit\n", memory, memory / limit_mb);
  double first = 0;
  for (const int fields : {1000, 5000, 10'000, 50'000}) {
    const double per_field = seconds(configuration(fields), fields, 3) / fields;
    if (first == 0) first = per_field;
    fmt::print("{:6} fields: {:.1f} us per field, ratio {:.2f}\n", fields, per_field * 1e6,
               per_field / first);
  }
  return time <= limit_s && memory <= limit_mb ? 0 : 1;
}
