#include "session/comm_among.hpp"

#include <cstdint>
#include <ep/ep.hpp>

namespace epios::client {

ep::Comm comm_among(const ep::Comm& all, const std::vector<int>& ranks, std::string_view name) {
  EP_Group everyone = EP_GROUP_NULL;
  EP_Group some = EP_GROUP_NULL;
  ep::check(EP_Comm_group(all.get(), &everyone));
  ep::check(EP_Group_incl(everyone, ep::message_count(ranks.size()), ranks.data(), &some));
  // The same in programs of all compilers.
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  EP_Comm out = EP_COMM_NULL;
  ep::check(EP_Comm_create_group(all.get(), some, static_cast<int>(hash % 32768), &out));
  ep::check(EP_Group_free(&everyone));
  ep::check(EP_Group_free(&some));
  return ep::Comm(out);
}

}  // namespace epios::client
