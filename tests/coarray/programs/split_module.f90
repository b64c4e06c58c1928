! Coarrays of a module that is compiled by itself, with procedures that have coarray arguments.
module split_module
  implicit none
  real(8) :: shared_table(4, 4)[*] = 1.5d0
  integer, private :: hidden[*] = 0
contains
  subroutine add_to_hidden(image)
    integer, intent(in) :: image
    critical
      hidden[image] = hidden[image] + 1
    end critical
  end subroutine
  integer function hidden_of(image)
    integer, intent(in) :: image
    hidden_of = hidden[image]
  end function
  subroutine send_row(a, image)
    real(8), intent(inout) :: a(:, :)[*]
    integer, intent(in) :: image
    a(2, :)[image] = a(1, :)
  end subroutine
  subroutine send_explicit(a, n, image)
    integer, intent(in) :: n, image
    real(8), intent(inout) :: a(0:n - 1)[*]
    a(n - 1)[image] = -a(0)
  end subroutine
end module
