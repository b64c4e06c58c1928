! Events: ping-pong that orders puts, counting, arrays of events, several posters.
program events
  use iso_fortran_env, only: event_type
  implicit none
  type(event_type) :: ball[*], many[*]
  type(event_type), allocatable :: slots(:)[:]
  integer :: value[*]
  integer :: me, n, i, count

  me = this_image()
  n = num_images()
  allocate(slots(0:3)[*])
  value = 0
  sync all
  if (n > 1 .and. me <= 2) then
    do i = 1, 100
      if (me == 1) then
        value[2] = i
        event post(ball[2])
        event wait(ball)
        if (value /= -i) error stop 'ping'
      else
        event wait(ball)
        if (value /= i) error stop 'pong'
        value[1] = -i
        event post(ball[1])
      end if
    end do
  end if
  do i = 1, 5
    event post(many[1])
    event post(slots(me - me / 4 * 4)[n])
  end do
  if (me == 1) then
    event wait(many, until_count=5 * n - 2)
    event wait(many)
    event wait(many)
    call event_query(many, count)
    if (count /= 0) error stop 'count of many'
  end if
  sync all
  if (me == n) then
    count = 0
    do i = 0, 3
      count = count + posted(i)
    end do
    if (count /= 5 * n) error stop 'count of slots'
    if (n < 4) then
      event wait(slots(1), until_count=5)
      if (posted(1) /= 0) error stop 'slot is not empty'
    end if
  end if
  deallocate(slots)
  if (me == 1) print '(a)', 'ok'
contains
  integer function posted(slot)
    integer, intent(in) :: slot
    call event_query(slots(slot), posted)
  end function
end program
