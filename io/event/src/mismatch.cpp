#include "mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace epios::io {

std::string call_text(const EventHeader& header, const DescribeStream& describe) {
  if (header.kind == EventKind::finalize)
    return fmt::format("ended the context, step {}", header.step);
  if (header.kind == EventKind::sync) {
    return fmt::format("synchronised {} after {} records, step {}", describe(header), header.record,
                       header.step);
  }
  if (header.kind == EventKind::part_end) {
    return fmt::format("began part {} of {}, step {}", header.record, describe(header),
                       header.step);
  }
  if (header.kind == EventKind::left_out) {
    return fmt::format("left {} records before record {} out of {}, step {}", header.samples,
                       header.record, describe(header), header.step);
  }
  return fmt::format("sent {}, record {}, step {}", describe(header), header.record, header.step);
}

std::string ranks_text(const std::vector<int>& clients, const char* one, const char* several) {
  if (clients.size() == 1) return fmt::format("{} {}", one, clients.front());
  constexpr std::size_t most = 8;
  const bool is_cut = clients.size() > most;
  const std::size_t listed = is_cut ? most / 2 : clients.size() - 1;
  std::string out = several;
  for (std::size_t i = 0; i < listed; ++i) {
    out += fmt::format("{} {}", i == 0 ? "" : ",", clients[i]);
  }
  if (is_cut) return out + fmt::format(" and {} others", clients.size() - listed);
  return out + fmt::format(" and {}", clients.back());
}

namespace {

std::string samples_text(std::uint32_t samples) {
  return samples == 1 ? "1 sample" : fmt::format("{} samples", samples);
}

bool is_same_record_of_other_samples(const EventHeader& a, const EventHeader& b) {
  return a.kind == EventKind::record && b.kind == EventKind::record && a.stream == b.stream &&
         a.record == b.record && a.samples != b.samples;
}

}  // namespace

std::string mismatch_text(const std::string& context_id, std::int64_t event,
                          const std::vector<SeenCall>& calls, const DescribeStream& describe,
                          const NameSenders& names) {
  struct Version {
    EventHeader header;
    std::vector<int> clients;
  };
  std::vector<Version> versions;
  for (const SeenCall& call : calls) {
    const auto same = std::find_if(versions.begin(), versions.end(), [&](const Version& version) {
      return version.header.hash == call.header.hash;
    });
    if (same == versions.end()) {
      versions.push_back({call.header, {call.client}});
    } else {
      same->clients.push_back(call.client);
    }
  }
  const bool samples_differ =
      std::any_of(versions.begin(), versions.end(), [&](const Version& version) {
        return is_same_record_of_other_samples(version.header, versions.front().header);
      });
  std::string list;
  for (const Version& version : versions) {
    if (!list.empty()) list += "; ";
    list += fmt::format("{} {}", names(version.clients), call_text(version.header, describe));
    if (samples_differ && version.header.kind == EventKind::record) {
      list += fmt::format(" ({})", samples_text(version.header.samples));
    }
    if (version.header.event != event) {
      list += fmt::format(" as its event {}", version.header.event);
    }
  }
  return fmt::format(
      "context '{}': clients made different calls at event {} ({}). Do all processes make the same "
      "calls in the same order?",
      context_id, event, list);
}

}  // namespace epios::io
