! Arrays of every rank and kind that the module takes for a field that is read.
program receive
  use xios
  implicit none

  integer :: comm
  type(xios_field) :: field
  real(8) :: d0, d1(2), d2(2,1), d3(2,1,1), d4(2,1,1,1), d5(2,1,1,1,1), d6(2,1,1,1,1,1), d7(2,1,1,1,1,1,1)
  real(4) :: s0, s1(2), s2(2,1), s3(2,1,1), s4(2,1,1,1), s5(2,1,1,1,1), s6(2,1,1,1,1,1), s7(2,1,1,1,1,1,1)

  call xios_initialize('names', return_comm=comm)
  call xios_context_initialize('names', comm)
  call xios_define_calendar('NoLeap', timestep=12 * xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
  call xios_close_context_definition()
  call xios_update_calendar(1)
  call xios_get_handle('r1', field)
  call xios_recv_field('r1', d1)
  call xios_recv_field('r0', d0)
  call xios_recv_field('r1', d2)
  call xios_recv_field('r1', d3)
  call xios_recv_field('r1', d4)
  call xios_recv_field('r1', d5)
  call xios_recv_field('r1', d6)
  call xios_recv_field('r1', d7)
  call xios_recv_field('r0', s0)
  call xios_recv_field('r1', s1)
  call xios_recv_field('r1', s2)
  call xios_recv_field('r1', s3)
  call xios_recv_field('r1', s4)
  call xios_recv_field('r1', s5)
  call xios_recv_field('r1', s6)
  call xios_recv_field('r1', s7)
  call xios_recv_field(field, d1)
  call xios_recv_field(field, s1)
  call xios_recv_field(field, d2(2:1:-1, :))
  call xios_context_finalize()
  call xios_finalize()
end program receive
