#include <ep/ep.h>

#include <string>

#include "handles/api_arguments.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "teams/team.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

ep_team& team_of(EP_Team team) { return teams().find(team); }

bool is_synchronous(MPI_Info info) {
  const std::string value = find_hint(info, "synchronous").value_or("false");
  if (value != "true" && value != "false") {
    fail(EP_ERR_INFO_VALUE, "EP_Team_create: info key synchronous with the unknown value '", value,
         "' (known: true, false).");
  }
  return value == "true";
}

}  // namespace

int EP_Team_create(int team_size, MPI_Info info, EP_Team* team) {
  return guarded([&] {
    check_out(team);
    if (team_size < 1) fail(EP_ERR_ARG, "EP_Team_create of ", team_size, " threads (at least 1).");
    *team = &teams().make(team_size, is_synchronous(info));
  });
}

int EP_Team_free(EP_Team team) {
  return guarded([&] { teams().free(team_of(team)); });
}

int EP_Team_join(EP_Team team) {
  return guarded([&] { team_of(team).join(); });
}

int EP_Team_leave(EP_Team team) {
  return guarded([&] { team_of(team).leave(); });
}

int EP_Team_break(EP_Team team) {
  return guarded([&] { team_of(team).break_out(); });
}
