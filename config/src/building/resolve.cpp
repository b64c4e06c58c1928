#include "building/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "building/calendar_reader.hpp"
#include "building/coupler_builder.hpp"
#include "building/file_builder.hpp"
#include "building/read_file_builder.hpp"
#include "building/variable_builder.hpp"
#include "check/data_dates_check.hpp"
#include "check/expression_check.hpp"
#include "check/group_ref_check.hpp"
#include "check/place_check.hpp"
#include "check/reach.hpp"
#include "config/file_format.hpp"
#include "config/model.hpp"
#include "grids/hierarchies.hpp"
#include "language/attribute_fill.hpp"
#include "language/availability.hpp"
#include "language/group_ref.hpp"
#include "language/inheritance.hpp"
#include "model/used_parts.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

/// Reports mistakes where no enabled file needs the place: a run never meets them, but a reader may
/// want to know.
void check_rest(GroupRefCheck& groups, Inheritance& inheritance, Expressions& expressions,
                GridBuilder& grids, Findings& findings) {
  {
    const Findings::Unneeded scope(findings, "references that lead to nothing");
    groups.check_rest();
    inheritance.check_references();
  }
  {
    const Findings::Unneeded scope(findings, "expressions that cannot be worked out");
    expressions.check_all();
  }
  const Findings::Unneeded scope(findings, "gaps and mistakes in axes, domains and scalars");
  grids.check_rest();
}

/// Where temporal operations that are under way at the end of a run wait for the next one.
void set_statistics_path(const Node& context, const Resolved& resolved, Findings& findings,
                         Model& model) {
  const auto attributes = filled<ContextAttributes>(resolved);
  if (!attributes.statistics_file) return;
  const std::string& given = *attributes.statistics_file;
  const Origin origin = origin_of(resolved, "statistics_file", context);
  std::filesystem::path name(given);
  const bool is_name = name.has_filename() && name.filename() != "." && name.filename() != ".." &&
                       printable(given) == given;
  if (!is_name) {
    findings.error(Code::bad_file_name, origin, fmt::format("statistics_file is '{}'", given),
                   "it names no file", "Write a name that can be typed.");
    return;
  }
  if (name.extension() != netcdf_suffix) name += netcdf_suffix;
  model.statistics.path = name.lexically_normal().string();
  model.statistics.where = origin.text();
  const auto same = std::find_if(model.files.begin(), model.files.end(), [&](const File& file) {
    return file.path == model.statistics.path;
  });
  if (same == model.files.end()) return;
  findings.error(Code::same_file, origin,
                 fmt::format("statistics_file is '{}'", model.statistics.path),
                 fmt::format("the file at {} is written there, too", same->where),
                 "Give one of them another name.");
}

/// Copies the servers of the context to files that name none. A service of the context is not used
/// with a pool that the file names.
void take_default_servers(const ContextAttributes& context, Model& model) {
  const auto fill = [&](std::optional<std::string>& pool, std::optional<std::string>& service,
                        const std::optional<std::string>& default_pool,
                        const std::optional<std::string>& default_service) {
    if (!pool && !service) service = default_service;
    if (!pool) pool = default_pool ? default_pool : context.default_pool;
  };
  for (File& file : model.files) {
    fill(file.attributes.pool_writer, file.attributes.writer, context.default_pool_writer,
         context.default_writer);
    // A pool that is there for everything does not gather for that alone.
    FileAttributes& a = file.attributes;
    if (!a.pool_gatherer && !a.gatherer) {
      a.gatherer = context.default_gatherer;
      a.pool_gatherer = context.default_pool_gatherer;
    }
    if (!a.using_server2) a.using_server2 = context.default_using_server2;
  }
  for (ReadFile& file : model.read_files) {
    fill(file.attributes.pool_reader, file.attributes.reader, context.default_pool_reader,
         context.default_reader);
  }
}

}  // namespace

Model resolve_context(const ContextStore& written, Findings& findings) {
  const GroupRefs group_refs = follow_group_refs(written, findings);
  const ContextStore& grouped = group_refs.store ? *group_refs.store : written;
  const std::optional<ContextStore> with_levels = expand_hierarchies(grouped, findings);
  const ContextStore& store = with_levels ? *with_levels : grouped;
  Model model;
  model.context_id = store.id();
  Inheritance inheritance(store, findings);
  Expressions expressions(store, inheritance, findings);
  const Clock clock = read_calendar(store, inheritance, findings, model);
  const auto context = filled<ContextAttributes>(inheritance.of(store.context_node()));
  check_available(store.at(store.context_node()), inheritance.of(store.context_node()), findings);
  model.variables = IndexedVector<VariableId, Variable>(
      variables_of(store, inheritance, findings, store.root_of(ElementKind::variable)));
  PeriodBuilder periods(store, inheritance, findings, clock);
  GridBuilder grids(store, inheritance, findings, model);
  DataBuilder data(store, inheritance, findings, expressions, periods, grids, model);
  CouplerBuilder couplers(store, inheritance, findings, periods, grids, data, model);
  couplers.expect_received_fields();
  ReadFileBuilder read_files(store, inheritance, findings, periods, grids, data, model);
  FileBuilder files(store, inheritance, findings, periods, grids, data, read_files,
                    *context.output_dir, model);
  couplers.expect_data();
  files.add_files();
  take_default_servers(context, model);
  read_files.add_aliases();
  files.add_results();
  set_statistics_path(store.at(store.context_node()), inheritance.of(store.context_node()),
                      findings, model);
  couplers.add_couplers();
  data.check_sources();
  periods.report_missing_operations();
  if (!findings.has_errors()) check_places(model, findings);
  if (!findings.has_errors()) check_data_dates(model, findings);
  GroupRefCheck groups(group_refs, store, inheritance, findings);
  groups.check_needed();
  if (findings.is_check()) {
    const std::unordered_set<int> needed = reach(store, group_refs, inheritance);
    findings.settle(store.id(), [&needed](int node) { return needed.contains(node); });
    check_rest(groups, inheritance, expressions, grids, findings);
  }
  inheritance.warn_of_broken_arrays();
  model.unwritten.known = data.known_fields();
  if (!findings.has_errors()) keep_used_grids(model);
  return model;
}

}  // namespace epios::config
