// Whether a check is linear in the number of mistakes, whatever their kind: processor time per
// mistake at 4,000 and 64,000 of one kind, as a ratio. 1 is linear, 16 would be quadratic; limit 3,
// since so much memory is slower memory. With the name of a kind, that one alone.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.hpp"
#include "config/unused.hpp"

namespace {

using namespace epios::config;

double cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// One kind of mistake: what stands `n` times in one definition, and what else that needs.
struct Kind {
  std::string_view name;
  std::string_view around;  ///< "{}" stands for all of them
  std::string_view one;     ///< "{0}" is its number
};

constexpr std::string_view in_axes = "<axis_definition>{}</axis_definition>";
constexpr std::string_view in_fields =
    "<field_definition operation=\"instant\">{}</field_definition>";
constexpr std::string_view in_file =
    "<field_definition operation=\"instant\"><field id=\"t\" axis_ref=\"z\"/></field_definition>"
    "<file_definition><file id=\"f\" output_freq=\"1d\">{}</file></file_definition>";
constexpr std::string_view in_files =
    "<field_definition operation=\"instant\"><field id=\"t\" axis_ref=\"z\"/></field_definition>"
    "<file_definition output_freq=\"1d\">{}</file_definition>";
constexpr std::string_view in_variables = "<variable_definition>{}</variable_definition>";

constexpr Kind kinds[] = {
    {"unknown_attribute", in_axes, "<axis id=\"a{0}\" unti=\"m\" n_glo=\"2\"/>"},
    {"unknown_attributes", in_axes, "<axis id=\"a{0}\" unti{0}=\"m\" n_glo=\"2\"/>"},
    {"unknown_element", in_axes, "<axes id=\"a{0}\"/>"},
    {"unknown_elements", in_axes, "<axes{0} id=\"a{0}\"/>"},
    {"bad_value", in_axes, "<axis id=\"a{0}\" n_glo=\"many\"/>"},
    {"bad_word", in_fields, "<field id=\"a{0}\" axis_ref=\"z\" operation=\"mean\"/>"},
    {"stray_text", in_axes, "<axis id=\"a{0}\" n_glo=\"2\">text</axis>"},
    {"element_without_id", in_axes, "<axis n_glo=\"0\"/>"},
    {"size_missing", in_axes, "<axis id=\"a{0}\"/>"},
    {"reference_of_unneeded", in_fields, "<field id=\"a{0}\" axis_ref=\"y{0}\"/>"},
    {"near_reference_of_unneeded", in_fields,
     "<field id=\"a{0}\" field_ref=\"a{0}0x\" axis_ref=\"z\"/>"},
    {"reference_in_file", in_file, "<field field_ref=\"a{0}\"/>"},
    {"near_reference_in_file", in_file, "<field field_ref=\"tt\" name=\"n{0}\"/>"},
    {"grid_in_file", in_file, "<field id=\"a{0}\" grid_ref=\"g{0}\"/>"},
    {"group_as_reference", in_file, "<field field_ref=\"field_definition\" name=\"n{0}\"/>"},
    {"domain_without_size", in_file, "<field id=\"a{0}\"/>"},
    {"no_grid", in_file, "<field id=\"a{0}\" operation=\"instant\"/>"},
    {"no_operation", in_file, "<field id=\"a{0}\" axis_ref=\"z\"/>"},
    {"same_name", in_file, "<field field_ref=\"t\" name=\"n\"/>"},
    {"bad_name", in_file, "<field field_ref=\"t\" name=\"n/{0}\"/>"},
    {"name_of_coordinate", in_file, "<field field_ref=\"t\" name=\"z\"/>"},
    {"bad_freq_op", in_file, "<field field_ref=\"t\" name=\"n{0}\" freq_op=\"5h\"/>"},
    {"bad_default_value", in_file,
     "<field field_ref=\"t\" name=\"n{0}\" default_value=\"1e300\"/>"},
    {"bad_expression", in_file, "<field field_ref=\"t\" name=\"n{0}\" expr=\"this +\"/>"},
    {"unknown_field_in_expression", in_file,
     "<field field_ref=\"t\" name=\"n{0}\" expr=\"this + x{0}\"/>"},
    {"unknown_variable_in_expression", in_file,
     "<field field_ref=\"t\" name=\"n{0}\" expr=\"this * $x{0}\"/>"},
    {"same_file", in_files, "<file id=\"f{0}\" name=\"one\"><field field_ref=\"t\"/></file>"},
    {"file_without_field", in_files, "<file id=\"f{0}\"/>"},
    {"bad_file_name", in_files, "<file id=\"f{0}\" name=\"../f\"><field field_ref=\"t\"/></file>"},
    {"bad_split", in_files, "<file id=\"f{0}\" split_freq=\"5h\"><field field_ref=\"t\"/></file>"},
    {"variable_without_text", in_variables, "<variable id=\"v{0}\" type=\"int\"/>"},
    {"variable_of_another_type", in_variables, "<variable id=\"v{0}\" type=\"int\">x</variable>"},
    {"variable_of_one_name", in_variables, "<variable id=\"v{0}\" name=\"v\">x</variable>"},
    {"group_ref_to_nothing", in_fields, "<field_group id=\"g{0}\" group_ref=\"x{0}\"/>"},
    {"circle_of_two", in_fields,
     "<field id=\"a{0}\" field_ref=\"b{0}\"/><field id=\"b{0}\" field_ref=\"a{0}\"/>"},
    {"chain_that_leads_to_nothing", in_fields, "<field id=\"a{0}\" field_ref=\"a{1}\"/>"},
    {"comment_inside", in_axes, "<!-- a -- b --><axis id=\"a{0}\" n_glo=\"2\"/>"},
    {"not_available", in_file, "<field field_ref=\"t\" name=\"n{0}\" grid_path=\"g{0}\"/>"},
};

SourceTexts configuration(const Kind& kind, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += fmt::format(fmt::runtime(kind.one), i, i + 1) + "\n";
  return {{"iodef.xml",
           "<simulation><context id=\"earth\"><calendar type=\"NoLeap\" timestep=\"1h\"/>\n"
           "<axis_definition><axis id=\"z\" n_glo=\"3\"/></axis_definition>\n" +
               fmt::format(fmt::runtime(kind.around), all) + "</context></simulation>\n"}};
}

struct Outcome {
  double per_mistake_s = 0;
  std::size_t findings = 0;
};

Outcome measure(const Kind& kind, int n) {
  const SourceTexts sources = configuration(kind, n);
  const double start = cpu_s();
  const std::size_t found = check(sources).size() + unused(sources).size();
  return {(cpu_s() - start) / n, found};
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int few = 4000;
  constexpr int many = 64000;
  constexpr double limit = 3.0;
  int beyond = 0;
  for (const Kind& kind : kinds) {
    if (argc > 1 && kind.name != argv[1]) continue;
    const Outcome at_few = measure(kind, few);
    const Outcome at_many = measure(kind, many);
    const double ratio = at_many.per_mistake_s / std::max(at_few.per_mistake_s, 1e-7);
    fmt::print("{:<32}{:>8} findings {:>7.2f} s  ratio {:.2f} of {}{}\n", kind.name,
               at_many.findings, at_many.per_mistake_s * many, ratio, limit,
               ratio > limit ? "  BEYOND" : "");
    std::fflush(stdout);
    if (ratio > limit || at_many.findings == 0) ++beyond;
  }
  fmt::print("{} kinds beyond\n", beyond);
  return beyond == 0 ? 0 : 1;
}
