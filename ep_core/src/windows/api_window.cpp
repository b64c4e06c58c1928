// C functions that make, query and free windows, attach memory, and set info and names. In order:
// creation by flavour, shared memory, attached memory, freeing, groups, info, names.
#include "windows/api_window.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "creation/hints.hpp"
#include "handles/api_group.hpp"
#include "handles/endpoint.hpp"
#include "process/first_exception.hpp"
#include "process/fortran_handle.hpp"
#include "process/info.hpp"
#include "progress/progress.hpp"
#include "windows/window_creation.hpp"
#include "windows/window_segments.hpp"
#include "windows/window_site.hpp"
#include "windows/window_tables.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

void write_pointer(void* to, const void* value) { std::memcpy(to, &value, sizeof value); }

int create(EP_Comm comm, EP_Win* win, const WindowRequest& request, const char* what,
           void* baseptr) {
  return call_creating(comm, win, [&] {
    if (baseptr != nullptr || request.flavor == EP_WIN_FLAVOR_ALLOCATE ||
        request.flavor == EP_WIN_FLAVOR_SHARED) {
      check_out(baseptr);
    }
    *win = create_window(intra_endpoint_of(comm, what), request, what);
    if (baseptr != nullptr) write_pointer(baseptr, (*win)->base);
  });
}

void check_flavor(const EndpointWindow& window, int flavor, const char* what, const char* maker) {
  if (window.flavor == flavor) return;
  fail(EP_ERR_RMA_FLAVOR, what, " of a window that was not made by ", maker, ".");
}

/// Returns the raw windows in which the endpoint's attached memory appears: several if the endpoint
/// is a server.
std::vector<int> raw_windows_showing(const WindowSite& site, int slot) {
  std::vector<int> out;
  for (std::size_t i = 0; i < site.raw_slots.size(); ++i) {
    if (site.raw_slots[i] == slot) out.push_back(static_cast<int>(i));
  }
  return out;
}

template <class Unit>
int shared_query(EP_Win win, int rank, MPI_Aint* size, Unit* disp_unit, void* baseptr) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(size);
    check_out(disp_unit);
    check_out(baseptr);
    check_flavor(window, EP_WIN_FLAVOR_SHARED, "EP_Win_shared_query", "EP_Win_allocate_shared");
    if (rank == EP_PROC_NULL) {
      const auto& all = *window.targets;
      const auto found = std::find_if(all.begin(), all.end(),
                                      [](const Target& target) { return target.size > 0; });
      rank = found != all.end() ? static_cast<int>(found - all.begin()) : 0;
    }
    check_target(window, rank);
    const Target& target = target_of(window, rank);
    *size = target.size;
    *disp_unit = target.disp_unit <= std::numeric_limits<Unit>::max()
                     ? static_cast<Unit>(target.disp_unit)
                     : Unit{EP_UNDEFINED};
    write_pointer(baseptr, target.memory);
  });
}

}  // namespace

int EP_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm,
                  EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_CREATE, base, size, disp_unit, info}, "EP_Win_create",
                nullptr);
}

int EP_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                    EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_ALLOCATE, nullptr, size, disp_unit, info},
                "EP_Win_allocate", baseptr);
}

int EP_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                           EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_SHARED, nullptr, size, disp_unit, info},
                "EP_Win_allocate_shared", baseptr);
}

int EP_Win_create_c(void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                    EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_CREATE, base, size, disp_unit, info}, "EP_Win_create",
                nullptr);
}

int EP_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                      EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_ALLOCATE, nullptr, size, disp_unit, info},
                "EP_Win_allocate", baseptr);
}

int EP_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, EP_Comm comm,
                             void* baseptr, EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_SHARED, nullptr, size, disp_unit, info},
                "EP_Win_allocate_shared", baseptr);
}

int EP_Win_create_dynamic(MPI_Info info, EP_Comm comm, EP_Win* win) {
  return create(comm, win, {EP_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1, info}, "EP_Win_create_dynamic",
                nullptr);
}

int EP_Win_create_client_server(void* base, MPI_Aint size, int disp_unit, MPI_Info info,
                                EP_Comm intercomm, EP_Win* win) {
  return call_creating(intercomm, win, [&] {
    Endpoint& endpoint = endpoint_of(intercomm);
    if (!endpoint.clique->is_inter()) {
      fail(EP_ERR_COMM,
           "EP_Win_create_client_server of an intracommunicator (clients and servers are two "
           "groups). Use EP_Win_create?");
    }
    *win = create_window(endpoint, {EP_WIN_FLAVOR_CREATE, base, size, disp_unit, info},
                         "EP_Win_create_client_server");
  });
}

int EP_Win_shared_query(EP_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr) {
  return shared_query(win, rank, size, disp_unit, baseptr);
}

int EP_Win_shared_query_c(EP_Win win, int rank, MPI_Aint* size, MPI_Aint* disp_unit,
                          void* baseptr) {
  return shared_query(win, rank, size, disp_unit, baseptr);
}

int EP_Win_attach(EP_Win win, void* base, MPI_Aint size) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_flavor(window, EP_WIN_FLAVOR_DYNAMIC, "EP_Win_attach", "EP_Win_create_dynamic");
    if (size < 0) fail(EP_ERR_SIZE, "EP_Win_attach of ", size, " bytes (negative).");
    if (base == nullptr && size > 0) fail(EP_ERR_BASE, "EP_Win_attach of a null pointer.");
    const int slot = endpoint_of_window(window).slot;
    Exposure& exposure = window.site->exposure(slot);
    exposure.attach(reinterpret_cast<std::uintptr_t>(base), size);
    if (!window.site->raw.exist() || size == 0) return;
    std::vector<int> attached;
    const int code = guarded([&] {
      for (const int raw : raw_windows_showing(*window.site, slot)) {
        window.site->raw.attach(raw, base, size);
        attached.push_back(raw);
      }
    });
    if (code == EP_SUCCESS) return;
    const std::string text = last_error();
    for (const int raw : attached) {
      static_cast<void>(guarded([&] { window.site->raw.detach(raw, base); }));
    }
    exposure.detach(reinterpret_cast<std::uintptr_t>(base));
    throw Error(code, text);
  });
}

int EP_Win_detach(EP_Win win, const void* base) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_flavor(window, EP_WIN_FLAVOR_DYNAMIC, "EP_Win_detach", "EP_Win_create_dynamic");
    const int slot = endpoint_of_window(window).slot;
    const std::int64_t size =
        window.site->exposure(slot).detach(reinterpret_cast<std::uintptr_t>(base));
    if (!window.site->raw.exist() || size == 0) return;
    FirstException first;
    for (const int raw : raw_windows_showing(*window.site, slot)) {
      first.guard([&] { window.site->raw.detach(raw, base); });
    }
    first.rethrow();
  });
}

int EP_Win_free(EP_Win* win) {
  return call_on_window(win != nullptr ? *win : EP_WIN_NULL, [&](EndpointWindow& /*window*/) {
    free_window(*win);
    *win = EP_WIN_NULL;
  });
}

int EP_Win_get_group(EP_Win win, EP_Group* group) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(group);
    *group = group_of(endpoint_of_window(window), true);
  });
}

int EP_Win_set_info(EP_Win win, MPI_Info info) {
  return call_on_window(win, [&](EndpointWindow& window) {
    std::map<std::string, std::string> hints;
    agree_on(endpoint_of_window(window), "EP_Win_set_info",
             [&] { hints = given_window_hints(info); });
    hints["no_locks"] = window.hints["no_locks"];
    hints.merge(window.hints);
    window.hints = std::move(hints);
  });
}

int EP_Win_get_info(EP_Win win, MPI_Info* info) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(info);
    *info = info_of(window.hints);
  });
}

int EP_Win_set_name(EP_Win win, const char* name) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(name);
    const std::string text(name);
    registry().set_name(endpoint_of_window(window).place(), text.substr(0, EP_MAX_OBJECT_NAME - 1));
  });
}

int EP_Win_get_name(EP_Win win, char* name, int* length) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(name);
    check_out(length);
    const std::string text = registry().name_of(endpoint_of_window(window).place());
    name[text.copy(name, text.size())] = '\0';
    *length = static_cast<int>(text.size());
  });
}

MPI_Fint EP_Win_c2f(EP_Win win) { return to_fortran(window_arena(), win); }
EP_Win EP_Win_f2c(MPI_Fint win) { return from_fortran<EP_Win>(window_arena(), win); }
