program wrong_reduction
  implicit none
  type pair
    real(8) :: value
    integer :: place
  end type
  type(pair) :: best
  best = pair(1, this_image())
  call co_reduce(best, better)
contains
  pure function better(a, b) result(r)
    type(pair), intent(in) :: a, b
    type(pair) :: r
    r = merge(a, b, a%value > b%value)
  end function
end program
