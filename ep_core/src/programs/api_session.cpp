// C functions of sessions. A session is an entry into the library with an error handler; its
// process sets are computed from the start communicators. In order: thread levels, handles and
// errors, process sets, the functions.
#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "handles/api_arguments.hpp"
#include "handles/api_group.hpp"
#include "handles/group.hpp"
#include "process/fortran_handle.hpp"
#include "process/info.hpp"
#include "programs/lifecycle.hpp"
#include "programs/program_tables.hpp"
#include "programs/session.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

constexpr std::array<std::pair<std::string_view, int>, 4> levels{
    {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
     {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
     {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
     {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}}};

int asked_level(MPI_Info info) {
  const std::string name = find_hint(info, "thread_level").value_or("MPI_THREAD_MULTIPLE");
  const auto found = std::find_if(levels.begin(), levels.end(),
                                  [&](const auto& level) { return level.first == name; });
  if (found != levels.end()) return found->second;
  fail(EP_ERR_INFO_VALUE, "info key thread_level is '", name,
       "' (known: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, "
       "MPI_THREAD_MULTIPLE).");
}

std::string name_of_level(int level) {
  const auto found = std::find_if(levels.begin(), levels.end(),
                                  [&](const auto& known) { return known.second == level; });
  return std::string(found->first);
}

Session& session_of(EP_Session session) {
  if (!program_tables().sessions.contains(session) || session->alive.load() != session_alive) {
    fail(EP_ERR_SESSION, "the session handle is not valid (null, finalized, or no session).");
  }
  return *session;
}

// Runs `body(session)`. Errors go through the session's handler if the handle is a session.
template <class Body>
int call_on_session(EP_Session session, Body&& body) noexcept {
  Session* found = nullptr;
  const int code = guarded([&] {
    found = &session_of(session);
    body(*found);
  });
  return code == EP_SUCCESS || found == nullptr ? code : found->errors.raise(code, found->place);
}

// Calls the given error handler if there is no session yet.
int invoke_given_errhandler(int code, EP_Errhandler errhandler) {
  if (code == EP_SUCCESS) return code;
  ErrorHandling errors;
  errors.set_session(EP_SESSION_NULL);
  return raise_with(errors, errhandler, code);
}

enum class Set { world, self, clique, processes };
constexpr std::array<std::string_view, 4> set_names{"mpi://WORLD", "mpi://SELF", "ep://CLIQUE",
                                                    "ep://PROCESSES"};

Set set_called(const char* name) {
  check_out(name);
  // Names are URIs: the case of their letters says nothing (MPI-4.0, 11.3.1).
  const auto* const found =
      std::find_if(set_names.begin(), set_names.end(), [name](std::string_view known) {
        const std::string_view asked(name);
        return std::equal(
            known.begin(), known.end(), asked.begin(), asked.end(),
            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
      });
  if (found != set_names.end()) return static_cast<Set>(found - set_names.begin());
  fail(EP_ERR_ARG, "process set '", name,
       "' (known: mpi://WORLD, mpi://SELF, ep://CLIQUE, ep://PROCESSES).");
}

Identities members(Set set, const Member& own) {
  const Identities all = identities_of(own, false);
  const Identity self = identity_of(own);
  Identities out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const Identity& one) {
    switch (set) {
      case Set::self:
        return one == self;
      case Set::clique:
        return one.world_rank == self.world_rank;
      case Set::processes:
        return one.id == 0;
      default:
        return true;
    }
  });
  return out;
}

}  // namespace

int EP_Session_init(MPI_Info info, EP_Errhandler errhandler, EP_Session* session) {
  const int code = guarded([&] {
    check_out(session);
    *session = EP_SESSION_NULL;
    int granted = 0;
    check(EP_Init_thread(nullptr, nullptr, asked_level(info), &granted));
    ep_session* const made = program_tables().sessions.take();
    try {
      made->errors.set_session(made);
      made->errors.set_handler(errhandler);
    } catch (const Error&) {
      program_tables().sessions.give(made);
      leave_library();
      throw;
    }
    made->level = granted;
    made->place.size = start_communicators().size();
    made->place.rank = start_communicators().rank_of_first() + std::max(attached_endpoint(), 0);
    made->alive.store(session_alive);
    *session = made;
  });
  return invoke_given_errhandler(code, errhandler);
}

int EP_Session_finalize(EP_Session* session) {
  return guarded([&] {
    check_out(session);
    Session& ended = session_of(*session);
    ended.alive.store(0);
    ended.errors.set_handler(EP_ERRORS_ARE_FATAL);  // NOLINT(performance-no-int-to-ptr): a constant
    program_tables().sessions.give(*session);
    *session = EP_SESSION_NULL;
    leave_library();
  });
}

int EP_Session_get_num_psets(EP_Session session, MPI_Info /*info*/, int* count) {
  return call_on_session(session, [&](Session& /*of*/) {
    check_out(count);
    *count = static_cast<int>(set_names.size());
  });
}

int EP_Session_get_nth_pset(EP_Session session, MPI_Info /*info*/, int n, int* length, char* name) {
  return call_on_session(session, [&](Session& /*of*/) {
    check_out(length);
    if (n < 0 || n >= static_cast<int>(set_names.size())) {
      fail(EP_ERR_ARG, "process set ", n, " (there are ", set_names.size(), ").");
    }
    const std::string_view whole = set_names[static_cast<std::size_t>(n)];
    if (*length > 0) {
      check_out(name);
      name[whole.copy(name, static_cast<std::size_t>(*length) - 1)] = '\0';
    }
    *length = static_cast<int>(whole.size()) + 1;
  });
}

int EP_Session_get_pset_info(EP_Session session, const char* name, MPI_Info* info) {
  return call_on_session(session, [&](Session& /*of*/) {
    check_out(info);
    const Identities all = members(set_called(name), endpoint_of(EP_COMM_ENDPOINTS));
    *info = info_of({{"mpi_size", std::to_string(all.size())}});
  });
}

int EP_Session_get_info(EP_Session session, MPI_Info* info) {
  return call_on_session(session, [&](Session& of) {
    check_out(info);
    *info = info_of({{"thread_level", name_of_level(of.level)}});
  });
}

int EP_Group_from_session_pset(EP_Session session, const char* name, EP_Group* group) {
  return call_on_session(session, [&](Session& /*of*/) {
    check_out(group);
    *group = EP_GROUP_NULL;
    const Set set = set_called(name);
    const Endpoint& self = endpoint_of(EP_COMM_ENDPOINTS);
    *group = make_group(members(set, self), identity_of(self));
  });
}

int EP_Session_create_errhandler(EP_Session_errhandler_function* function,
                                 EP_Errhandler* errhandler) {
  return guarded([&] {
    check_out(errhandler);
    *errhandler = make_errhandler(function);
  });
}

int EP_Session_set_errhandler(EP_Session session, EP_Errhandler errhandler) {
  return call_on_session(session, [&](Session& of) { of.errors.set_handler(errhandler); });
}

int EP_Session_get_errhandler(EP_Session session, EP_Errhandler* errhandler) {
  return call_on_session(session, [&](Session& of) {
    check_out(errhandler);
    *errhandler = of.errors.handler();
  });
}

int EP_Session_call_errhandler(EP_Session session, int code) {
  return guarded([&] {
    const Session& of = session_of(session);
    set_last_error(error_codes().text_of(code));
    of.errors.raise(code, of.place);
  });
}

MPI_Fint EP_Session_c2f(EP_Session session) {
  return to_fortran(program_tables().sessions, session);
}
EP_Session EP_Session_f2c(MPI_Fint session) {
  return from_fortran<EP_Session>(program_tables().sessions, session);
}
