! Fields of module epios in the time loop.
module epios_fields
  use, intrinsic :: iso_c_binding
  use epios_c
  use epios_base, only: finish, as_int
  implicit none
  private

  public :: epios_field, epios_read_field

  !> A handle to a field, found once after the definition was closed.
  type :: epios_field
    type(c_field) :: handle  !< for calls of <epios/epios.h>
    type(c_ptr) :: client = c_null_ptr  !< for calls of <epios/epios.h>
  contains
    procedure, private :: send_r8 => field_send_r8
    procedure, private :: send_r4 => field_send_r4
    !> Sends the local array for the current date. It may have any rank, and may be a section with strides. With `tile`, which
    !> counts from 0, it sends one tile; several threads may send tiles of one client at the same time.
    generic :: send => send_r8, send_r4
    procedure, private :: borrow_r8 => field_borrow_r8
    procedure, private :: borrow_r4 => field_borrow_r4
    !> Borrows the array that the model would send at this step, to compute in it and send it; in most cases the send then
    !> copies nothing. It is one row of all values (`array(1:nx, 1:ny) => row` gives it a shape), not associated for a field
    !> that no file needs.
    generic :: borrow => borrow_r8, borrow_r4
    procedure :: give_back => field_give_back
    procedure :: is_active => field_is_active
  end type epios_field

  !> A handle to a field that is received, found once after the definition was closed.
  type :: epios_read_field
    type(c_field) :: handle  !< for calls of <epios/epios.h>
    type(c_ptr) :: client = c_null_ptr  !< for calls of <epios/epios.h>
  contains
    procedure, private :: receive_r8 => field_receive_r8
    procedure, private :: receive_r4 => field_receive_r4
    !> Receives its array for the current date. It may have any rank, and may be a section with strides.
    generic :: receive => receive_r8, receive_r4
  end type epios_read_field

contains

  !> Ends the loan without a send.
  subroutine field_give_back(self, ierr)
    class(epios_field), intent(in) :: self
    integer, intent(out), optional :: ierr

    call finish(epios_field_give_back(self%handle), ierr, self%client)
  end subroutine field_give_back

  !> Returns true if any file uses the field; with `now`, only if it would use data of the current date.
  logical function field_is_active(self, now, ierr)
    class(epios_field), intent(in) :: self
    logical, intent(in), optional :: now
    integer, intent(out), optional :: ierr
    integer(c_int) :: active

    active = 0
    call finish(epios_field_ask_active(self%handle, as_int(now), active), ierr, self%client)
    field_is_active = active /= 0
  end function field_is_active

  ! Procedures for real(8) and real(4)
  include 'field_transfers.inc'

end module epios_fields
