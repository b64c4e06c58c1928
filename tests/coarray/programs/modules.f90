! See split_module.f90.
program modules
  use split_module
  implicit none
  real(8), allocatable :: moved(:)[:], made(:)[:]
  character(len=:), allocatable :: text[:]
  integer :: me, n, next

  me = this_image()
  n = num_images()
  next = merge(1, me + 1, me == n)
  if (any(shared_table /= 1.5d0)) error stop 1
  shared_table(1, :) = me
  sync all
  call send_row(shared_table, next)
  call add_to_hidden(1)
  allocate(made(5)[*])
  made = me
  call move_alloc(made, moved)
  sync all
  if (any(shared_table(2, :) /= merge(n, me - 1, me == 1))) error stop 2
  if (hidden_of(1) /= n) error stop 3
  if (moved(2)[next] /= next .or. allocated(made)) error stop 4
  sync all
  call send_explicit(moved, 5, next)
  sync all
  if (moved(5) /= -merge(n, me - 1, me == 1) .or. moved(4) /= me) error stop 5
  allocate(character(len=4 + 0 * me) :: text[*])
  write (text, '(i4)') me
  sync all
  if (verify(trim(adjustl(text[next])), '0123456789') /= 0) error stop 6
  sync all
  if (me == 1) print '(a)', 'ok'
end program
