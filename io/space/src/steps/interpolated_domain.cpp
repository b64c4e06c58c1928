// Weights for <interpolate_domain>: from a file if it has them, otherwise computed from the cells
// of both domains, and then written if wanted. Remarks about doubtful cells and rows follow.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "elements/curvilinear_cells.hpp"
#include "elements/domain_cells.hpp"
#include "elements/transformation_error.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "space/directory.hpp"
#include "space/weights.hpp"
#include "steps/kept_weights.hpp"
#include "steps/stencils.hpp"

namespace epios::io {

namespace {

RemapMethod method_of(const config::Transformation& how) {
  const std::string method = config::text_of(how, "method").value_or("conservative");
  if (method == "bilinear") return RemapMethod::bilinear;
  return method == "nearest" ? RemapMethod::nearest : RemapMethod::conservative;
}

/// `has_mask`: cells may be masked at some levels only.
RemapOptions options_of(const config::Transformation& how, const config::Domain& domain,
                        bool has_mask) {
  RemapOptions out;
  out.method = method_of(how);
  out.order = static_cast<int>(config::integer_of(how, "order").value_or(2));
  // With cover, who applies the weights needs to know the covered part, their sum, before.
  out.renormalize =
      config::flag_of(how, "renormalize") && !(config::real_of(how, "cover").value_or(0) > 0);
  out.quantity = config::flag_of(how, "quantity");
  out.use_area = config::flag_of(how, "use_area");
  out.for_missing = config::flag_of(how, "detect_missing_value") || has_mask;
  if (domain.attributes.radius) out.radius = *domain.attributes.radius;
  return out;
}

/// Returns the options in the words of the XML. Equal texts make equal weights.
std::string recipe_of(const RemapOptions& options) {
  if (options.method == RemapMethod::bilinear) return "bilinear";
  if (options.method == RemapMethod::nearest) return "nearest";
  std::string text = fmt::format("conservative order={}", options.order);
  if (options.renormalize) text += " renormalize";
  if (options.quantity) text += " quantity";
  if (options.use_area) text += " use_area";
  return text;
}

/// Returns the id in a form for file names.
std::string in_a_name(std::string id) {
  std::replace_if(
      id.begin(), id.end(), [](char c) { return c == '/' || c == ' ' || c == '(' || c == ')'; },
      '_');
  return id;
}

/// Numbers below `size` that any client lists, each once. Collective.
struct Counted {
  std::int64_t count = 0;
  std::int64_t first = -1;
};
Counted counted(const std::vector<std::int64_t>& numbers, std::int64_t size,
                const ep::Comm& clients) {
  if (!on_any(clients, !numbers.empty())) return {};
  std::int64_t own = static_cast<std::int64_t>(numbers.size());
  for (const Directory::Stretch& stretch : Directory(clients, size, numbers).repeated()) {
    if (stretch.lowest != clients.rank()) own -= stretch.end - stretch.first;
  }
  const std::int64_t least = numbers.empty() ? size : numbers.front();
  Counted all;
  ep::check(EP_Allreduce(&own, &all.count, 1, MPI_INT64_T, MPI_SUM, clients.get()));
  ep::check(EP_Allreduce(&least, &all.first, 1, MPI_INT64_T, MPI_MIN, clients.get()));
  return all;
}

/// One step between two domains.
class DomainStep {
 public:
  DomainStep(const StepContext& context, const config::SpatialStep& step, bool has_mask)
      : context_(context),
        clients_(context.clients),
        step_(step),
        how_(*step.transformation),
        from_(context.model.domains[step.source.domain()]),
        to_(context.model.domains[step.target.domain()]),
        options_(options_of(how_, to_, has_mask)),
        targets_(points_of(context.parts.data(step.target))) {}

  Stencils stencils() {
    Weights weights = is_read() ? read() : made();
    remark_rows(weights);
    if (options_.method == RemapMethod::conservative) {
      leave_out_below(config::real_of(how_, "cover").value_or(0), weights);
    }
    Stencils out;
    out.targets = std::move(targets_);
    // Both by the numbers of targets, each once.
    out.begin = std::move(weights.offsets);
    out.sources = std::move(weights.source);
    out.weights = std::move(weights.weight);
    if (options_.for_missing) out.first_order = std::move(weights.first_order);
    return out;
  }

 private:
  Error failure(const std::string& why) const {
    return transformation_error(*step_.transformation, fmt::format("domain '{}'", to_.id), why);
  }
  bool writes() const { return config::flag_of(how_, "write_weight"); }
  WeightsFiles& files() const {
    if (context_.files == nullptr) throw failure("weights in files are not to be had here.");
    return *context_.files;
  }

  bool is_read() const {
    const std::string mode = config::text_of(how_, "mode").value_or("compute");
    if (mode == "compute") return false;
    return mode == "read" || is_there(files(), question().path, clients_);
  }

  WeightsQuestion question() const {
    WeightsQuestion out;
    out.path = config::text_of(how_, "weight_filename")
                   .value_or(fmt::format("xios_interpolation_weights_{}_{}_{}.nc",
                                         in_a_name(context_.model.context_id), in_a_name(from_.id),
                                         in_a_name(to_.id)));
    const bool is_c = config::text_of(how_, "read_write_convention").value_or("fortran") == "c";
    out.base = is_c ? WeightsBase::zero : WeightsBase::one;
    const auto cells = [](const config::DomainAttributes& a) {
      return a.ni_glo.value_or(0) * a.nj_glo.value_or(1);
    };
    out.source_cells = cells(from_.attributes);
    out.target_cells = cells(to_.attributes);
    return out;
  }

  /// Cells as far as they are known. Weights in files need none.
  WeightsIdentity identity(const std::optional<Cells>& sources,
                           const std::optional<Cells>& targets) const {
    WeightsIdentity out;
    out.recipe = recipe_of(options_);
    const WeightsQuestion what = question();
    if (sources) out.source = sketch_of(*sources, what.source_cells, clients_);
    if (targets) out.target = sketch_of(*targets, what.target_cells, clients_);
    return out;
  }

  std::optional<Cells> cells(bool is_source, Needed needed, std::string& why) const {
    const auto& element = is_source ? step_.source : step_.target;
    return cells_of(is_source ? from_ : to_, points_of(context_.parts.data(element)), needed,
                    clients_, why);
  }

  Weights read() {
    std::string ignored;
    const auto sources = cells(true, Needed::corners, ignored);
    const auto targets = cells(false, Needed::corners, ignored);
    Weights weights;
    try {
      weights = read_rows(files(), question(), identity(sources, targets), targets_.keys, clients_,
                          context_.remarks);
    } catch (const Error& error) {  // thrown on all clients alike
      throw failure(error.what());
    }
    if (sources) remark(from_, *sources);
    if (targets) remark(to_, *targets);
    if (options_.for_missing) remark_negative(weights);
    const bool is_conservative = options_.method == RemapMethod::conservative;
    if (is_conservative && options_.renormalize && !options_.quantity) renormalize(weights);
    return weights;
  }

  /// Leaves out rows of cells of which source cells cover less than a part.
  static void leave_out_below(double part, Weights& weights) {
    if (!(part > 0)) return;
    std::size_t end = 0;
    std::int64_t first = 0;
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      const std::int64_t behind = weights.offsets[r + 1];
      const double covered =
          std::accumulate(weights.weight.begin() + first, weights.weight.begin() + behind, 0.0);
      for (std::int64_t e = first; e < behind && covered >= part - rounding_of_cover; ++e, ++end) {
        const std::size_t entry = as_index(e);
        weights.source[end] = weights.source[entry];
        weights.weight[end] = weights.weight[entry];
        if (!weights.first_order.empty()) weights.first_order[end] = weights.first_order[entry];
      }
      first = behind;
      weights.offsets[r + 1] = static_cast<std::int64_t>(end);
    }
    weights.source.resize(end);
    weights.weight.resize(end);
    if (!weights.first_order.empty()) weights.first_order.resize(end);
  }

  /// Files of others may have other ideas.
  static void renormalize(Weights& weights) {
    constexpr double rounding = 1e-9;
    for (auto* list : {&weights.weight, &weights.first_order}) {
      for (std::size_t r = 0; r < weights.rows() && !list->empty(); ++r) {
        const auto first = list->begin() + weights.offsets[r];
        const auto end = list->begin() + weights.offsets[r + 1];
        const double sum = std::accumulate(first, end, 0.0);
        if (!(sum > rounding) || std::abs(sum - 1) <= rounding) continue;
        std::for_each(first, end, [sum](double& weight) { weight /= sum; });
      }
    }
  }

  /// Without weights of first order.
  void remark_negative(const Weights& weights) const {
    const bool is_negative =
        weights.first_order.empty() &&
        std::any_of(weights.weight.begin(), weights.weight.end(), [](double w) { return w < 0; });
    if (!on_any(clients_, is_negative)) return;
    tell(fmt::format(
        "file '{}' has weights of second order without those of first order (weight_first): where "
        "values are missing, what is left of sources with positive weights is taken",
        question().path));
  }

  Weights made() {
    const bool is_conservative = options_.method == RemapMethod::conservative;
    std::string why;
    const auto sources = cells(
        true, options_.method == RemapMethod::nearest ? Needed::centres : Needed::corners, why);
    if (!sources) throw failure(why);
    const auto targets = cells(false, is_conservative ? Needed::corners : Needed::centres, why);
    if (!targets) throw failure(why);
    check_areas(*sources, *targets);
    remark(from_, *sources);
    remark(to_, *targets);
    RemapOptions options = options_;
    // Other runs may want them.
    options.for_missing = options.for_missing || writes();
    std::vector<std::size_t> wanted;
    for (std::size_t cell = 0; cell < targets->size(); ++cell) {
      if (targets->counts(cell)) wanted.push_back(cell);
    }
    const Cells mine = selected(*targets, wanted);
    Weights weights = make_weights(cells_around(*sources, mine, options, clients_), mine, options);
    if (writes()) write(weights, identity(sources, targets));
    return weights;
  }

  void check_areas(const Cells& sources, const Cells& targets) const {
    const bool lacks_area = (sources.size() > 0 && sources.area.empty()) ||
                            (targets.size() > 0 && targets.area.empty());
    if (!options_.use_area || !on_any(clients_, lacks_area)) return;
    throw failure(
        fmt::format("use_area needs the areas of both domains, '{}' and '{}'. Set area_1d of "
                    "them on each client?",
                    from_.id, to_.id));
  }

  void write(const Weights& weights, const WeightsIdentity& identity) const {
    try {
      write_rows(files(), question(), identity, weights, clients_);
    } catch (const Error& error) {  // thrown on all clients alike
      throw failure(error.what());
    }
  }

  /// Once of each domain, at the first step that looks at it.
  void remark(const config::Domain& domain, const Cells& cells) const {
    if (on_any(clients_, cells.size() > 0 && cells.lon.empty())) return;  // centres alone
    remark_made(domain, cells);
    remark_unused(domain, cells);
    const auto& a = domain.attributes;
    CellReport report = report_of(cells, a.ni_glo.value_or(0) * a.nj_glo.value_or(1), clients_);
    if (!options_.use_area) report.odd_area = {};
    for (const std::string& sentence : report.sentences()) {
      const std::string text = fmt::format("domain '{}': {}", domain.id, sentence);
      tell(fmt::format("{}: <interpolate_domain> of domain '{}': of {}", how_.where, to_.id, text),
           text);
    }
  }

  /// Adds a remark about corners that nobody has given.
  void remark_made(const config::Domain& domain, const Cells& cells) const {
    const bool is_conservative = options_.method == RemapMethod::conservative;
    if (!is_conservative || !on_any(clients_, cells.has_made_corners)) return;
    const auto& a = domain.attributes;
    const std::string text = fmt::format(
        "domain '{}' has no corners, they are taken amid the centres of neighbours: {}. Set "
        "nvertex, bounds_lon_2d and bounds_lat_2d?",
        domain.id,
        area_doubt(cells, a.ni_glo.value_or(1), a.nj_glo.value_or(1), a.radius, clients_)
            .sentence());
    tell(fmt::format("{}: <interpolate_domain> of domain '{}': {}", how_.where, to_.id, text),
         text);
  }

  /// Adds remarks about bounds that do not count, because clients with other cells have none.
  void remark_unused(const config::Domain& domain, const Cells& cells) const {
    const auto& a = domain.attributes;
    const auto is_given = [&](const auto& one, const auto& other) {
      return cells.size() > 0 && (one || other) ? 1 : 0;
    };
    const std::array<int, 3> own{cells.size() > 0 ? 1 : 0,
                                 is_given(a.bounds_lon_1d, a.bounds_lon_2d),
                                 is_given(a.bounds_lat_1d, a.bounds_lat_2d)};
    std::array<int, 3> all{};
    ep::check(EP_Allreduce(own.data(), all.data(), 3, MPI_INT, MPI_SUM, clients_.get()));
    for (const auto& [name, given] : {std::pair("bounds_lon", all[1]), {"bounds_lat", all[2]}}) {
      if (given == 0 || given == all[0]) continue;
      const std::string text = fmt::format(
          "{} of domain '{}' count for nothing (of {} clients with cells {} have them): its cells "
          "reach half way to the centres of their neighbours. Give them on each client?",
          name, domain.id, all[0], given);
      tell(fmt::format("{}: <interpolate_domain> of domain '{}': {}", how_.where, to_.id, text),
           text);
    }
  }

  /// Unless something has been said that ends like that.
  void tell(const std::string& remark, const std::string& end) const {
    std::vector<std::string>& list = context_.remarks;
    if (std::none_of(list.begin(), list.end(),
                     [&](const std::string& told) { return told.ends_with(end); })) {
      list.push_back(remark);
    }
  }
  void tell(const std::string& remark) const { tell(remark, remark); }

  /// Adds remarks about counting cells of the target without any source, and about those that
  /// overlapping sources cover.
  void remark_rows(const Weights& weights) const {
    std::vector<std::int64_t> empty;
    for (std::size_t r = 0; r < weights.rows(); ++r) {
      if (weights.offsets[r] == weights.offsets[r + 1]) empty.push_back(weights.target[r]);
    }
    const auto& a = to_.attributes;
    const std::int64_t cells = a.ni_glo.value_or(0) * a.nj_glo.value_or(1);
    if (const Counted all = counted(empty, cells, clients_); all.count > 0) {
      tell(fmt::format(
          "{}: <interpolate_domain> of domain '{}': {} of its {} cells {} no source in domain '{}' "
          "(the first is cell {}): they are missing",
          how_.where, to_.id, all.count, cells, all.count == 1 ? "has" : "have", from_.id,
          all.first));
    }
    if (const Counted all = counted(weights.overfull, cells, clients_); all.count > 0) {
      tell(fmt::format(
          "{}: <interpolate_domain> of domain '{}': cells of domain '{}' lie over each "
          "other (over {} cell{} of '{}', the first is cell {}): means of all are taken",
          how_.where, to_.id, from_.id, all.count, all.count == 1 ? "" : "s", to_.id, all.first));
    }
  }

  const StepContext& context_;
  const ep::Comm& clients_;
  const config::SpatialStep& step_;
  const config::Transformation& how_;
  const config::Domain& from_;
  const config::Domain& to_;
  RemapOptions options_;
  Points targets_;
};

}  // namespace

Stencils rows::interpolate_domain(StepContext& context, const config::SpatialStep& step) {
  const config::Grid& from = context.model.grids[step.from];
  const bool has_mask = on_any(context.clients, from.mask.has_value());
  const std::tuple key(step.source.index, step.target.index, has_mask);
  auto known = context.between_domains.find(key);
  if (known == context.between_domains.end()) {
    known =
        context.between_domains.emplace(key, DomainStep(context, step, has_mask).stencils()).first;
  }
  return known->second;
}

}  // namespace epios::io
