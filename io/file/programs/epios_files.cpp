// The commands of `epios` that read data files: it starts this program for them.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "file/file_facts.hpp"
#include "file/recovery.hpp"
#include "file/references.hpp"
#include "file/replace_file.hpp"
#include "file_difference.hpp"
#include "file_information.hpp"
#include "file_list.hpp"
#include "ragged_command.hpp"
#include "remap_command.hpp"

namespace {

struct ListRequest {
  std::vector<std::string> paths;
  std::optional<std::int64_t> record;
  bool as_json = false;
};

int list(const ListRequest& request) {
  int result = 0;
  std::string separator = "[";
  for (const std::string& path : request.paths) {
    try {
      if (request.as_json) {
        const std::string object = epios::io::file_list_json(path, request.record);
        std::printf("%s%s", separator.c_str(), object.c_str());
        separator = ",\n";
      } else {
        std::fputs(epios::io::file_list(path, request.record).c_str(), stdout);
      }
    } catch (const std::exception& error) {  // the others may be whole
      std::fprintf(stderr, "epios: %s\n", error.what());
      result = 2;
    }
  }
  if (separator != "[") std::puts("]");  // else there is nothing but errors
  return result;
}

int compare(const std::string& a, const std::string& b, const epios::io::Tolerance& tolerance,
            bool with_attributes) {
  const auto differences = epios::io::file_differences(a, b, tolerance, with_attributes);
  for (const std::string& difference : differences) std::puts(difference.c_str());
  return differences.empty() ? 0 : 1;
}

int tell_information(const epios::io::InformationRequest& request) {
  std::fputs(epios::io::file_information(request).c_str(), stdout);
  return 0;
}

int recover(const std::string& part, const std::string& output, std::int64_t most_records) {
  const epios::io::Recovery made = epios::io::recover_file(part, output, most_records);
  std::printf("%s: %lld record%s\n", made.path.c_str(), static_cast<long long>(made.records),
              made.records == 1 ? "" : "s");
  // Coordinates are written before the first record, and after the journal.
  if (made.records == 0) {
    std::printf("%s: no record was durable, so that coordinates may be missing, too\n",
                made.path.c_str());
  }
  for (const auto& variable : made.shorter) {
    std::printf("  %s: only %lld, the others are filled\n", variable.name.c_str(),
                static_cast<long long>(variable.records));
  }
  for (const auto& gap : made.absent) {
    std::printf(
        "  %s: records %lld to %lld have no chunks (nobody has written them, or '%s' was "
        "not copied in whole)\n",
        gap.name.c_str(), static_cast<long long>(gap.begin + 1), static_cast<long long>(gap.end),
        part.c_str());
  }
  return 0;
}

struct ReferencesRequest {
  std::string path, url, output;
};

/// The document goes beside the file.
int refer(const ReferencesRequest& request) {
  const std::string& url = request.url.empty() ? request.path : request.url;
  const std::string output = request.output.empty() ? request.path + ".json" : request.output;
  const epios::io::References made = epios::io::kerchunk_references(request.path, url);
  for (const std::string& variable : made.left_out) {
    std::fprintf(stderr, "epios: file '%s' has a variable that cannot be referred to: %s\n",
                 request.path.c_str(), variable.c_str());
  }
  const int error = epios::io::replace_file(output, made.text, epios::io::Readers::by_umask, false);
  if (error != 0) {
    std::fprintf(stderr, "epios: file '%s' cannot be written (%s).\n", output.c_str(),
                 std::strerror(error));
    return 2;
  }
  std::printf("%s: %lld variables, %lld chunks\n", output.c_str(),
              static_cast<long long>(made.variables), static_cast<long long>(made.chunks));
  return made.left_out.empty() ? 0 : 1;
}

CLI::App* add_references(CLI::App& app, ReferencesRequest& request) {
  CLI::App* references = app.add_subcommand(
      "references", "Write references by which readers of Zarr read a NetCDF-4 file as it is");
  references->add_option("FILE", request.path, "a NetCDF-4 file")->required();
  references->add_option("--url", request.url,
                         "where readers find the file (s3://...); default: FILE, as said");
  references->add_option("-o,--output", request.output,
                         "the document (JSON, as kerchunk defines it); default: FILE.json");
  return references;
}

CLI::App* add_diff(CLI::App& app, std::string& a, std::string& b, epios::io::Tolerance& tolerance,
                   bool& with_attributes) {
  CLI::App* diff = app.add_subcommand("diff", "Compare the data of two files");
  diff->add_option("A", a, "a file")->required();
  diff->add_option("B", b, "another file")->required();
  diff->add_option("--relative", tolerance.relative, "part of a value that it may differ by; 0")
      ->check(CLI::NonNegativeNumber);
  diff->add_option("--absolute", tolerance.absolute, "what a value may differ by; 0")
      ->check(CLI::NonNegativeNumber);
  diff->add_flag("--attributes", with_attributes, "compare attributes, too");
  return diff;
}

/// The command remap, and what it fills in.
CLI::App* add_remap(CLI::App& app, epios::io::RemapRequest& request) {
  using epios::io::RemapMethod;
  CLI::App* remap = app.add_subcommand("remap", "Put the fields of a file onto another grid");
  remap->add_option("FILE", request.input, "a file of any NetCDF format, described by CF or UGRID")
      ->required();
  remap
      ->add_option("--to", request.target,
                   "the grid: r360x180 (columns and rows), or a file that has it")
      ->required();
  remap->add_option("-o,--output", request.output, "the file that is written")->required();
  remap->add_option("--method", request.method, "conservative (default), bilinear, or nearest")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, RemapMethod>{{"conservative", RemapMethod::conservative},
                                             {"bilinear", RemapMethod::bilinear},
                                             {"nearest", RemapMethod::nearest}}));
  remap
      ->add_option("--order", request.order,
                   "of conservative: 1 (default), or 2, which keeps gradients and may overshoot")
      ->check(CLI::IsMember({1, 2}));
  remap->add_option("--threads", request.threads, "threads that work; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  remap->add_option("--weights", request.weights,
                    "file of weights (SCRIP, ESMF or XIOS): used if it is there, else written");
  remap->add_option("--variables", request.variables, "these alone, with commas between")
      ->delimiter(',')
      ->allow_extra_args(false);
  remap
      ->add_option("--cover", request.least_cover,
                   "part of a target cell that needs values, 0 to 1; default: any")
      ->check(CLI::Range(0.0, 1.0));
  remap->add_flag("--check", request.check,
                  "print extremes before and after, and by how much integrals differ");
  return remap;
}

/// The command ragged, and what it fills in.
CLI::App* add_ragged(CLI::App& app, epios::io::RaggedRequest& request) {
  CLI::App* ragged = app.add_subcommand(
      "ragged", "Make trajectories of points that are not in every record of a file (drifters)");
  ragged->add_option("FILE", request.input, "a file of any NetCDF format, or a store of Zarr")
      ->required();
  ragged->add_option("-o,--output", request.output, "the file that is written")->required();
  ragged->add_option("--present", request.present,
                     "variable that is missing where a point is not there; default: that with "
                     "standard_name latitude");
  return ragged;
}

int tell_ragged(const epios::io::RaggedRequest& request) {
  const epios::io::RaggedFile made = epios::io::make_ragged(request);
  std::printf("%s: %lld of %lld values are there in %lld records\n", request.output.c_str(),
              static_cast<long long>(made.observations),
              static_cast<long long>(made.records * made.points),
              static_cast<long long>(made.records));
  for (const std::string& variable : made.left_out) {
    std::fprintf(stderr,
                 "epios: file '%s': field %s is left out (fields of records and points alone can "
                 "be made ragged).\n",
                 request.input.c_str(), variable.c_str());
  }
  return made.left_out.empty() ? 0 : 1;
}

CLI::App* add_ls(CLI::App& app, ListRequest& request) {
  CLI::App* ls = app.add_subcommand("ls", "Show what files hold, a table each");
  ls->add_option("FILE", request.paths, "files, of any NetCDF format")->required();
  ls->add_option("--record", request.record,
                 "the record whose values are shown, from 0; default: the last");
  ls->add_flag("--json", request.as_json, "a list of objects, for programs");
  return ls;
}

/// The command info, and what it fills in.
CLI::App* add_info(CLI::App& app, epios::io::InformationRequest& request) {
  CLI::App* info = app.add_subcommand(
      "info", "Say how many bits of each field carry information, and which to keep");
  info->add_option("FILE", request.path, "a file of any NetCDF format")->required();
  info->add_option("--record", request.record,
                   "the record that is looked at, from 0; default: the last");
  info->add_option("--keep", request.share, "part of the information to keep; 0.99")
      ->check(CLI::Range(0.0, 1.0));
  info->add_flag("--levels", request.by_level, "a row for each level, too");
  return info;
}

/// The command facts, and what it fills in.
CLI::App* add_facts(CLI::App& app, std::vector<std::string>& words,
                    epios::config::FileQuestion& question) {
  CLI::App* facts = app.add_subcommand("facts", "");
  facts->group("");  // not for people
  facts->add_option("FILE", words, "file and variables")->required();
  facts->add_flag("--dates", question.wants_dates, "values of time coordinates, too");
  facts->add_flag("--stations", question.wants_stations, "the stations that the file lists, alone");
  return facts;
}

/// For the other commands: bytes that they understand.
int tell_facts(const std::vector<std::string>& words, epios::config::FileQuestion question) {
  question.path = words.front();
  question.variables.assign(words.begin() + 1, words.end());
  const std::vector<epios::config::FileFacts> facts{epios::io::file_facts(question)};
  const std::vector<std::byte> bytes = epios::config::encode(facts);
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Looks into data files.", "epios"};
  app.set_version_flag("--version", "epios " EPIOS_VERSION);
  app.require_subcommand(1);
  ListRequest listed;
  CLI::App* ls = add_ls(app, listed);
  std::vector<std::string> paths;
  std::string a;
  std::string b;
  epios::io::Tolerance tolerance;
  bool with_attributes = false;
  add_diff(app, a, b, tolerance, with_attributes);
  ReferencesRequest request_of_references;
  CLI::App* references = add_references(app, request_of_references);
  std::string part;
  std::string output;
  CLI::App* rescue =
      app.add_subcommand("recover",
                         "Make a file of what a killed run has left: the records that "
                         "its journal says are whole");
  rescue->add_option("FILE.part", part, "what the run has left, beside its journal")->required();
  rescue->add_option("--output", output, "name of the file; default: FILE");
  auto most_records = std::numeric_limits<std::int64_t>::max();
  rescue
      ->add_option(
          "--records", most_records,
          "so many records at most: files of several writers go together with as many each")
      ->check(CLI::NonNegativeNumber)
      ->default_str("all");
  epios::io::InformationRequest information;
  CLI::App* info = add_info(app, information);
  epios::io::RemapRequest request;
  CLI::App* remap = add_remap(app, request);
  epios::io::RaggedRequest request_of_ragged;
  CLI::App* ragged = add_ragged(app, request_of_ragged);
  epios::config::FileQuestion question;
  CLI::App* facts = add_facts(app, paths, question);
  app.footer("Exit codes: 0 good, 1 the files differ, 2 no answer.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const int result = *rescue       ? recover(part, output, most_records)
                       : *facts      ? tell_facts(paths, question)
                       : *remap      ? run_remap(request)
                       : *references ? refer(request_of_references)
                       : *ragged     ? tell_ragged(request_of_ragged)
                       : *info       ? tell_information(information)
                       : *ls         ? list(listed)
                                     : compare(a, b, tolerance, with_attributes);
    if (std::fflush(stdout) == 0) return result;
    std::fputs("epios: standard output cannot be written.\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "epios: %s\n", error.what());
  }
  return 2;
}
