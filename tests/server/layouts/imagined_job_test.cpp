// How loads grow with a job, and that nothing on one rank grows with a product of its sizes.
#include "imagined_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../grid/steps_on_servers.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "grid/pieces.hpp"

namespace epios::layouts::test {
namespace {

struct Size {
  std::int64_t ni = 360, nj = 180;
  int files = 4;
  int fields_per_file = 3;
};

config::Model model_of(const Size& size, const char* type = "rectilinear") {
  config::Model model;
  model.context_id = "c";
  config::Domain domain;
  domain.id = domain.name = "d";
  domain.attributes.type = type;
  domain.attributes.ni_glo = size.ni;
  domain.attributes.nj_glo = size.nj;
  model.domains.push_back(domain);
  config::Axis axis;
  axis.id = axis.name = "z";
  axis.attributes.n_glo = 5;
  model.axes.push_back(axis);
  config::Grid grid;
  grid.id = "g";
  grid.elements.push_back({config::GridElement::Kind::domain, 0});
  grid.elements.push_back({config::GridElement::Kind::axis, 0});
  model.grids.push_back(grid);
  for (int f = 0; f < size.files; ++f) {
    config::File file;
    file.id = "f" + std::to_string(f);
    for (int k = 0; k < size.fields_per_file; ++k) {
      file.streams.push_back(config::StreamId(static_cast<int>(model.streams.size())));
      config::Stream stream;
      stream.name = "v" + std::to_string(k);
      stream.file = config::FileId(f);
      stream.grid = config::GridId(0);
      stream.attributes.prec = 4;
      model.streams.push_back(stream);
    }
    model.files.push_back(file);
  }
  return model;
}

constexpr RunLimits all_shared{0, std::size_t{1} << 31};
constexpr RunLimits all_owned{std::int64_t{1} << 40, std::size_t{1} << 31};

TEST(ImaginedJob, every_value_of_every_field_is_sent_and_written_once) {
  const Size size;
  const std::int64_t values = size.ni * size.nj * 5 * size.files * size.fields_per_file;
  for (const RunLimits& limits : {all_shared, all_owned}) {
    for (const Layout& layout :
         {Layout{1, 1}, Layout{7, 3}, Layout{64, 5, 0, 4}, Layout{13, 5, 2}}) {
      SCOPED_TRACE(layout.clients);
      ImaginedJob job(model_of(size), layout, limits);
      std::int64_t sent = 0;
      std::int64_t channels = 0;
      for (int c = 0; c < layout.clients; ++c) {
        const ClientLoad load = job.client(c);
        sent += load.own_value_bytes;
        channels += load.channels;
        EXPECT_EQ(load.records.bytes, load.own_value_bytes + 64 * load.records.count);
        EXPECT_EQ(load.opening.count, load.channels);
      }
      EXPECT_EQ(sent, 4 * values);
      std::int64_t written = 0;
      std::int64_t heard = 0;
      for (int s = 0; s < layout.servers; ++s) {
        const ServerLoad load = job.server(s);
        const bool writes = s >= layout.gatherers;
        if (writes) written += load.written_bytes;
        if (layout.gatherers == 0 || !writes) heard += load.channels;
        if (layout.gatherers > 0 && writes) {
          EXPECT_EQ(load.channels, layout.gatherers);
        }
      }
      EXPECT_EQ(written, 4 * values);
      EXPECT_EQ(heard, channels);
    }
  }
}

TEST(ImaginedJob, what_clients_send_is_what_servers_receive) {
  for (const char* type : {"rectilinear", "curvilinear", "unstructured"}) {
    SCOPED_TRACE(type);
    ImaginedJob job(model_of({40, 30, 3, 2}, type), {10, 4}, all_shared);
    Traffic sent;
    Traffic opening;
    for (int c = 0; c < 10; ++c) {
      const ClientLoad load = job.client(c);
      sent.count += load.records.count;
      sent.bytes += load.records.bytes;
      opening.count += load.opening.count;
      opening.bytes += load.opening.bytes;
    }
    Traffic received;
    Traffic heard;
    for (int s = 0; s < 4; ++s) {
      const ServerLoad load = job.server(s);
      received.count += load.records.count;
      received.bytes += load.records.bytes;
      heard.count += load.opening.count;
      heard.bytes += load.opening.bytes;
    }
    EXPECT_EQ(sent, received);
    EXPECT_EQ(opening, heard);
  }
}

/// Would have found that levels which a server makes were expected to have no bytes, and that
/// nobody was expected to say when their records are due.
TEST(ImaginedJob, levels_that_a_server_makes_are_written_and_do_not_cross) {
  const config::Model model = io::test::model_with_levels();
  ImaginedJob job(model, {3, 2}, all_owned);
  constexpr std::int64_t cells = 16, coarser = 4, coarsest = 1;
  RecordBytes sum;
  for (int server = 0; server < 2; ++server) {
    for (std::size_t stream = 0; stream < model.streams.size(); ++stream) {
      const RecordBytes one = job.bytes_of(server, stream);
      sum.received += one.received;
      sum.worked_on += one.worked_on;
      sum.written += one.written;
    }
  }
  EXPECT_EQ(sum.received, 8 * cells);
  EXPECT_EQ(sum.worked_on, 8 * (cells + coarser) + 8 * (coarser + coarsest));
  EXPECT_EQ(sum.written, 4 * (cells + coarser + coarsest));
  const ServerLoad writer = job.server(job.heaviest_server());
  EXPECT_EQ(writer.written_bytes, sum.written);
  EXPECT_EQ(writer.worked_on_bytes, sum.worked_on);
  EXPECT_EQ(writer.variables, 3);
  Traffic sent;
  for (int c = 0; c < 3; ++c) {
    const ClientLoad load = job.client(c);
    sent.count += load.records.count;
    sent.bytes += load.records.bytes;
  }
  EXPECT_EQ(sent, writer.records);
  EXPECT_EQ(sent.bytes, sum.received + 64 * sent.count);
}

/// Would have found that what a server makes of records, one step after the other, was not counted.
TEST(ImaginedJob, steps_of_servers_read_and_make_values) {
  const config::Model model = io::test::model_with_steps();
  const ImaginedJob job(model, {2, 1}, all_owned);
  const auto stream = [&](const std::string& name) {
    const auto found = std::find_if(model.streams.begin(), model.streams.end(),
                                    [&](const config::Stream& s) { return s.name == name; });
    return static_cast<std::size_t>(found - model.streams.begin());
  };
  constexpr std::int64_t all = 24, left = 12, right = 6;
  const RecordBytes made = job.bytes_of(0, stream("e"));
  EXPECT_EQ(made.received, 8 * all);
  EXPECT_EQ(made.worked_on, 8 * (all + left) + 8 * (left + right));
  EXPECT_EQ(made.written, 4 * right);
  const RecordBytes raw = job.bytes_of(0, stream("a"));
  EXPECT_EQ(raw.received, 4 * all);
  EXPECT_EQ(raw.worked_on, 0);
  EXPECT_EQ(raw.written, 4 * all);
}

/// Would have found that each of the servers that share a file was expected to define it.
TEST(ImaginedJob, a_file_is_defined_once) {
  const config::Model model = model_of({100, 100, 4, 3});
  ImaginedJob shared(model, {8, 3}, all_shared);
  EXPECT_EQ(shared.server(0).defined, (DefinedFiles{1, 4, 12}));
  EXPECT_EQ(shared.server(1).defined, DefinedFiles{});
  EXPECT_EQ(shared.leader().defined, (DefinedFiles{1, 4, 12}));
  ImaginedJob owned(model, {8, 3}, all_owned);
  EXPECT_EQ(owned.leader().defined, (DefinedFiles{3, 4, 12}));
  std::int64_t files = 0;
  for (int s = 0; s < 3; ++s) files += owned.server(s).defined.files;
  EXPECT_EQ(files, 4);
  config::Model zarr = model;
  for (config::File& file : zarr.files) file.attributes.format = "zarr";
  EXPECT_EQ(ImaginedJob(zarr, {8, 3}, all_owned).leader().defined, (DefinedFiles{0, 4, 12}));
}

/// Would have found that sums and extremes of clients took no memory.
TEST(ImaginedJob, operations_in_time_keep_a_value_for_each_point) {
  config::Model model = model_of({100, 100, 1, 2});
  model.streams[config::StreamId(0)].sampling.operation = config::Operation::average;
  model.streams[config::StreamId(1)].sampling.operation = config::Operation::instant;
  ImaginedJob job(model, {4, 2}, all_shared);
  std::int64_t bytes = 0;
  for (int c = 0; c < 4; ++c) bytes += job.client(c).accumulated_bytes;
  EXPECT_EQ(bytes, 100 * 100 * 5 * 8);
}

TEST(ImaginedJob, more_clients_than_cells_leave_some_without_any) {
  ImaginedJob job(model_of({3, 2, 1, 1}), {12, 2}, all_shared);
  std::int64_t bytes = 0;
  for (int c = 0; c < 12; ++c) bytes += job.client(c).own_value_bytes;
  EXPECT_EQ(bytes, 3 * 2 * 5 * 4);
  EXPECT_EQ(job.server(0).records.bytes + job.server(1).records.bytes - bytes,
            64 * (job.server(0).records.count + job.server(1).records.count));
}

/// Of a job that is ten times as large in clients, servers and cells, no rank has much more to do.
TEST(ImaginedJob, ranks_of_a_job_that_grows_as_a_whole_keep_their_loads) {
  ImaginedJob small(model_of({400, 250}), {100, 5}, all_shared);
  ImaginedJob large(model_of({1000, 1000}), {1000, 50}, all_shared);
  const ServerLoad before = small.server(2);
  const ServerLoad after = large.server(25);
  EXPECT_LT(after.records.bytes, before.records.bytes * 13 / 10);
  EXPECT_LT(after.channels, 3 * before.channels);
  EXPECT_LT(after.opening.bytes, 4 * before.opening.bytes);
  const ClientLoad client_before = small.client(50);
  const ClientLoad client_after = large.client(500);
  EXPECT_LT(client_after.records.bytes, client_before.records.bytes * 13 / 10);
  EXPECT_LT(client_after.opening.bytes, 3 * client_before.opening.bytes);
}

TEST(ImaginedJob, nothing_on_a_rank_grows_with_clients_times_points) {
  for (const RunLimits& limits : {all_shared, all_owned}) {
    ImaginedJob small(model_of({200, 100}), {20, 4}, limits);
    ImaginedJob large(model_of({2000, 100}), {200, 4}, limits);  // ten times the cells and clients
    const auto opening = [](ImaginedJob& job) {
      std::int64_t most = 0;
      for (int s = 0; s < 4; ++s) most = std::max(most, job.server(s).opening.bytes);
      return most;
    };
    // As many more messages, or cells of coordinates, not both.
    EXPECT_LT(opening(large), 11 * opening(small));
    EXPECT_LE(large.leader().request_bytes, small.leader().request_bytes + 4 * 180);
    EXPECT_EQ(large.client(10).opening_tables, small.client(10).opening_tables);
  }
}

/// Would have found that with two levels the request named the servers that write for each file.
TEST(ImaginedJob, nothing_on_the_leaders_grows_with_servers_times_files) {
  for (const bool has_levels : {false, true}) {
    SCOPED_TRACE(has_levels);
    const auto request = [has_levels](int servers, int files) {
      const Layout layout{8, servers, has_levels ? servers / 2 : 0};
      return ImaginedJob(model_of({100, 100, files, 1}), layout, all_owned).leader().request_bytes;
    };
    // The whole is the sum of what files and servers add.
    const std::int64_t more_servers = request(40, 10) - request(4, 10);
    const std::int64_t more_files = request(4, 100) - request(4, 10);
    EXPECT_GT(more_servers, 0);
    EXPECT_GT(more_files, 0);
    EXPECT_LE(request(40, 100), request(4, 10) + more_servers + more_files + 64);
  }
  ImaginedJob job(model_of({100, 100, 100, 1}), {8, 40}, all_owned);
  EXPECT_EQ(job.leader().shared_files, 0);
  EXPECT_EQ(job.leader().order_messages, 39);
}

/// An entry of four bytes for each server and field is what a client needs to know while it opens.
TEST(ImaginedJob, tables_have_four_bytes_for_a_server_and_a_field) {
  const auto tables = [](int fields) {
    ImaginedJob job(model_of({100, 100, 10, fields / 10}), {8, 100}, all_owned);
    return job.client(4).opening_tables;
  };
  EXPECT_LE(tables(1000) - tables(100), 4 * 900 * 100 + 4096);
}

/// Would have found that a client keeps a byte for each server and field of a file that all share.
TEST(ImaginedJob, what_a_client_keeps_grows_with_servers_and_with_fields) {
  const auto kept = [](int servers, int fields) {
    ImaginedJob job(model_of({1000, 1000, 10, fields / 10}), {8, servers}, all_shared);
    // Its own parts, which are of few servers, are left out.
    const ClientLoad load = job.client(4);
    return load.kept_tables - 8 * load.records.count;
  };
  const std::int64_t more_servers = kept(200, 10) - kept(20, 10);
  const std::int64_t more_fields = kept(20, 1000) - kept(20, 10);
  EXPECT_LE(kept(200, 1000), kept(20, 10) + more_servers + more_fields + 64);
}

TEST(ImaginedJob, gatherers_keep_clients_away_from_those_that_write) {
  const auto model = model_of({100, 100, 20, 1});
  ImaginedJob one_level(model, {100, 10}, all_owned);
  ImaginedJob two_levels(model, {100, 10, 5}, all_owned);
  EXPECT_EQ(one_level.client(50).channels, 10);
  EXPECT_LE(two_levels.client(50).channels, 2);
  EXPECT_EQ(one_level.server(9).channels, 100);
  EXPECT_EQ(two_levels.server(9).channels, 5);
}

TEST(ImaginedJob, layouts_that_cannot_be_are_refused) {
  const auto text = [](const config::Model& model, const Layout& layout) -> std::string {
    try {
      ImaginedJob(model, layout, all_shared);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(text(model_of({}), {4, 2, 2}),
            "2 of 2 servers cannot gather (nobody would write). Give more --servers, or fewer "
            "--gatherers?");
  config::Model two_domains = model_of({});
  two_domains.domains.push_back(two_domains.domains[0]);
  two_domains.grids[0].elements.push_back({config::GridElement::Kind::domain, 1});
  EXPECT_EQ(text(two_domains, {4, 2, 1}),
            "context 'c' has one level of servers (a grid has several domains, which cannot be "
            "dealt out). Leave out --gatherers?");
  // Would have found an answer about a layout that a run does not take.
  EXPECT_EQ(text(io::test::model_with_levels(), {4, 2, 1}),
            "context 'c' has one level of servers (servers transform fields of whole grids, of "
            "which gatherers have rows). Leave out --gatherers?");
  config::Model open = model_of({});
  open.axes[0].attributes.n_glo.reset();
  EXPECT_EQ(text(open, {4, 2}),
            "axis 'z' has no n_glo (its size is left to the model). Give it with --set "
            "axis:z.n_glo=360?");
}

}  // namespace
}  // namespace epios::layouts::test
