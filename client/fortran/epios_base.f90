! Codes, error handling and texts that the modules behind module epios share.
module epios_base
  use, intrinsic :: iso_c_binding
  use epios_c, only: epios_fortran_fail, epios_fortran_length, epios_c_last_error, epios_c_version, epios_c_api_version, &
    epios_fortran_serve
  use xios_c, only: copy_c_text
  implicit none
  private

  public :: epios_last_error, epios_library_version, epios_library_api_version, epios_run_server
  public :: epios_success, epios_err_configuration, epios_err_argument, epios_err_call_order, epios_err_mismatch
  public :: epios_err_io, epios_err_protocol, epios_err_resource, epios_err_communication, epios_err_internal
  public :: epios_api_version
  public :: finish, as_int, text_of, text_at

  integer, parameter :: epios_success = 0
  integer, parameter :: epios_err_configuration = 1  !< the XML or an attribute that the model set is wrong
  integer, parameter :: epios_err_argument = 2  !< an argument is wrong: size, name, range, handle
  integer, parameter :: epios_err_call_order = 3  !< the call is right, its time is wrong
  integer, parameter :: epios_err_mismatch = 4  !< clients made different calls
  integer, parameter :: epios_err_io = 5  !< a file could not be written or read
  integer, parameter :: epios_err_protocol = 6  !< peers do not understand each other
  integer, parameter :: epios_err_resource = 7  !< memory, shared memory or thread level do not suffice
  integer, parameter :: epios_err_communication = 8  !< MPI or the endpoints library reported an error
  integer, parameter :: epios_err_internal = 9  !< EPIOS has a bug
  !> EPIOS_API_VERSION of the interface that this module was made for.
  integer, parameter :: epios_api_version = 1

contains

  !> Returns the text of the last error of the calling thread: "problem (why). Suggestion?".
  function epios_last_error() result(text)
    character(len=:), allocatable :: text

    text = text_at(epios_c_last_error())
  end function epios_last_error

  !> Returns the version of the library, such as "1.0.0".
  function epios_library_version() result(text)
    character(len=:), allocatable :: text

    text = text_at(epios_c_version())
  end function epios_library_version

  !> Returns EPIOS_API_VERSION of the library. A program made for another version compares it with epios_api_version.
  integer function epios_library_api_version()
    epios_library_api_version = epios_c_api_version()
  end function epios_library_api_version

  !> Makes this process a dedicated server of the job. Returns when all models have finished. Collective over all processes of
  !> `comm`, which defaults to MPI_COMM_WORLD.
  subroutine epios_run_server(comm, ierr)
    integer, intent(in), optional :: comm
    integer, intent(out), optional :: ierr

    call finish(epios_fortran_serve(comm), ierr)
  end subroutine epios_run_server

  ! Returns `code` in `ierr`. Without `ierr` an error ends the job, that of the client if one is given.
  subroutine finish(code, ierr, client)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: ierr
    type(c_ptr), intent(in), optional :: client

    if (present(ierr)) then
      ierr = code
    else if (code /= epios_success) then
      if (present(client)) then
        call epios_fortran_fail(client)
      else
        call epios_fortran_fail(c_null_ptr)
      end if
    end if
  end subroutine finish

  ! Returns 1 for true, 0 for false or an absent flag.
  pure integer(c_int) function as_int(flag)
    logical, intent(in), optional :: flag

    as_int = 0
    if (present(flag)) as_int = merge(1_c_int, 0_c_int, flag)
  end function as_int

  pure function text_of(characters) result(text)
    character(kind=c_char), intent(in) :: characters(:)
    character(len=:), allocatable :: text
    character(len=size(characters)) :: all

    call copy_c_text(characters, all)
    text = trim(all)
  end function text_of

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)

    call c_f_pointer(address, characters, [epios_fortran_length(address)])
    text = text_of(characters)
  end function text_at

end module epios_base
