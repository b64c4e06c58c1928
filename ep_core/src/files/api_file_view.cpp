// C functions of views and pointers of files. The shared pointer moves only between two agreements,
// while no endpoint uses it. In order: computing positions, views, data representations, the
// individual pointer, the shared pointer.
#include <ep/ep.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "collectives/collective.hpp"
#include "datatypes/type_contents.hpp"
#include "files/api_file.hpp"
#include "files/file_agreement.hpp"
#include "files/file_pointer.hpp"
#include "files/file_tables.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// The etype where the file ends, or would if it were whole.
std::int64_t end_of(const FileState& file) {
  const std::int64_t bytes = file.view->data_before(file_size(file.descriptor.get(), file.name));
  return (bytes + file.view->etype_size() - 1) / file.view->etype_size();
}

// Returns the new position of a pointer that is at `now`.
template <class Now>
std::int64_t target_of_seek(const FileState& file, const char* what, std::int64_t offset,
                            int whence, Now&& now) {
  std::int64_t from = 0;
  if (whence == EP_SEEK_CUR) {
    from = now();
  } else if (whence == EP_SEEK_END) {
    from = end_of(file);
  } else if (whence != EP_SEEK_SET) {
    fail(EP_ERR_ARG, what, ": whence ", whence, " (EP_SEEK_SET, _CUR or _END).");
  }
  std::int64_t target = 0;
  if (__builtin_add_overflow(from, offset, &target)) {
    fail(EP_ERR_ARG, what, " of '", file.name, "' by ", offset, " (no file is so long).");
  }
  if (target < 0) {
    fail(EP_ERR_ARG, what, " of '", file.name, "' to ", target, " (before the beginning).");
  }
  return target;
}

// Collective, between two agreements, so that no endpoint uses the shared pointer meanwhile.
void move_shared_pointer(FileState& file, const char* what, std::int64_t position) {
  file.shared_pointer->note(position);
  FileAgreement mine;
  mine.at_first = [&] { file.shared_pointer->forget(); };
  agree_on(file.endpoint(), what, mine);
}

// Returns the byte at the shared pointer if `displacement` requests it, after all endpoints have
// called; it is the same for all. Collective if the file is sequential.
std::int64_t displacement_now(FileState& file, MPI_Offset displacement, const char* what) {
  if (!file.is_sequential()) return 0;
  FileAgreement all_came;
  agree_on(file.endpoint(), what, all_came);
  FileAgreement now;
  if (file.rank == 0 && displacement == EP_DISPLACEMENT_CURRENT) {
    now.problem = problem_of([&] {
      const std::int64_t here = file.shared_pointer->advance(0);
      now.note = std::to_string(file.view->byte_of(file.view->bytes_of(here)));
    });
  }
  agree_on(file.endpoint(), what, now);
  return now.note.empty() ? 0 : std::stoll(now.note);
}

std::int64_t displacement_of(const FileState& file, MPI_Offset displacement, std::int64_t current) {
  if (displacement == EP_DISPLACEMENT_CURRENT) {
    if (!file.is_sequential()) {
      fail(EP_ERR_ARG, "EP_DISPLACEMENT_CURRENT for '", file.name,
           "' (opened without EP_MODE_SEQUENTIAL).");
    }
    return current;
  }
  if (file.is_sequential()) {
    fail(EP_ERR_UNSUPPORTED_OPERATION, "EP_File_set_view of '", file.name,
         "' with a displacement (opened with EP_MODE_SEQUENTIAL). EP_DISPLACEMENT_CURRENT?");
  }
  return displacement;
}

}  // namespace

void ep::check_not_sequential(const FileState& file, const char* what) {
  if (!file.is_sequential()) return;
  fail(EP_ERR_UNSUPPORTED_OPERATION, what, " of '", file.name,
       "' (opened with EP_MODE_SEQUENTIAL). Use the shared pointer?");
}

void ep::check_no_split(const FileState& file, const char* what) {
  if (file.split == EP_REQUEST_NULL) return;
  fail(EP_ERR_OTHER, what, " of '", file.name, "' after ", file.split_kind,
       "_begin (one split access at a time, and no other collective one). End it first?");
}

int EP_File_set_view(EP_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                     const char* datarep, MPI_Info info) {
  return call_on_file(fh, [&](FileState& file) {
    constexpr const char* what = "EP_File_set_view";
    std::shared_ptr<const FileView> view;
    std::map<std::string, std::string> hints;
    const std::int64_t current = displacement_now(file, disp, what);
    FileAgreement mine;
    mine.problem = problem_of([&] {
      check_no_split(file, what);
      check_out(datarep);
      if (info != MPI_INFO_NULL) hints = file_hints(info);
      view = std::make_shared<const FileView>(displacement_of(file, disp, current), etype, filetype,
                                              datarep);
      mine.same[0] = view->etype_size();
      mine.same[1] = static_cast<std::int64_t>(std::hash<std::string>()(datarep) >> 1U);
    });
    mine.same_names = {"the size of the etype of EP_File_set_view",
                       "the number of the data representation of EP_File_set_view", ""};
    agree_on(file.endpoint(), what, mine);
    file.view = std::move(view);
    file.position = 0;
    if (info != MPI_INFO_NULL) apply_file_hints(file, std::move(hints));
    move_shared_pointer(file, what, 0);
  });
}

int EP_File_get_view(EP_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                     char* datarep) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(disp);
    check_out(etype);
    check_out(filetype);
    check_out(datarep);
    *disp = file.view->displacement();
    *etype = keep_type(file.view->etype());
    *filetype = keep_type(file.view->filetype());
    const std::string& name = file.view->representation();
    datarep[name.copy(datarep, EP_MAX_DATAREP_STRING - 1)] = '\0';
  });
}

namespace {

template <class Integer>
int tell_extent(EP_File fh, MPI_Datatype datatype, Integer* extent) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(extent);
    static_cast<void>(file);
    *extent = map_to_measure(datatype)->extent;
  });
}

int register_representation(const char* datarep, bool converts) {
  const int code = guarded([&] {
    check_out(datarep);
    const std::string name(datarep);
    if (name.empty() || name.size() >= EP_MAX_DATAREP_STRING) {
      fail(EP_ERR_ARG, "a data representation with a name of ", name.size(), " bytes (1 to ",
           EP_MAX_DATAREP_STRING - 1, ").");
    }
    if (converts) {
      fail(EP_ERR_CONVERSION, "data representation '", name,
           "' with functions that convert (not supported). EP_CONVERSION_FN_NULL?");
    }
    representations().add(name);
  });
  return code != EP_SUCCESS ? raise_file_error(EP_FILE_NULL, code) : code;
}

}  // namespace

int EP_File_get_type_extent(EP_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  return tell_extent(fh, datatype, extent);
}

int EP_File_get_type_extent_c(EP_File fh, MPI_Datatype datatype, MPI_Count* extent) {
  return tell_extent(fh, datatype, extent);
}

// Without conversion, the extents in the file are those in memory.

int EP_Register_datarep(const char* datarep, EP_Datarep_conversion_function* read_conversion_fn,
                        EP_Datarep_conversion_function* write_conversion_fn,
                        EP_Datarep_extent_function* /*extent*/, void* /*extra_state*/) {
  return register_representation(datarep,
                                 read_conversion_fn != nullptr || write_conversion_fn != nullptr);
}

int EP_Register_datarep_c(const char* datarep, EP_Datarep_conversion_function_c* read_conversion_fn,
                          EP_Datarep_conversion_function_c* write_conversion_fn,
                          EP_Datarep_extent_function* /*extent*/, void* /*extra_state*/) {
  return register_representation(datarep,
                                 read_conversion_fn != nullptr || write_conversion_fn != nullptr);
}

int EP_File_seek(EP_File fh, MPI_Offset offset, int whence) {
  return call_on_file(fh, [&](FileState& file) {
    check_not_sequential(file, "EP_File_seek");
    file.position =
        target_of_seek(file, "EP_File_seek", offset, whence, [&] { return file.position; });
  });
}

int EP_File_get_position(EP_File fh, MPI_Offset* offset) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(offset);
    check_not_sequential(file, "EP_File_get_position");
    *offset = file.position;
  });
}

int EP_File_get_byte_offset(EP_File fh, MPI_Offset offset, MPI_Offset* disp) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(disp);
    check_not_sequential(file, "EP_File_get_byte_offset");
    if (offset < 0) fail(EP_ERR_ARG, "EP_File_get_byte_offset of ", offset, " (negative).");
    *disp = file.view->byte_of(file.view->bytes_of(offset));
  });
}

int EP_File_seek_shared(EP_File fh, MPI_Offset offset, int whence) {
  return call_on_file(fh, [&](FileState& file) {
    constexpr const char* what = "EP_File_seek_shared";
    FileAgreement mine;
    mine.same = {offset, whence, 0};
    mine.same_names = {"the offset of EP_File_seek_shared", "whence of EP_File_seek_shared", ""};
    mine.problem = problem_of([&] {
      check_no_split(file, what);
      check_not_sequential(file, what);
    });
    agree_on(file.endpoint(), what, mine);
    FileAgreement target;
    if (file.rank == 0) {
      target.problem = problem_of([&] {
        const std::int64_t to = target_of_seek(file, what, offset, whence,
                                               [&] { return file.shared_pointer->advance(0); });
        target.note = std::to_string(to);
      });
    }
    agree_on(file.endpoint(), what, target);
    move_shared_pointer(file, what, std::stoll(target.note));
  });
}

int EP_File_get_position_shared(EP_File fh, MPI_Offset* offset) {
  return call_on_file(fh, [&](FileState& file) {
    check_out(offset);
    check_not_sequential(file, "EP_File_get_position_shared");
    *offset = file.shared_pointer->advance(0);
  });
}
