! A model whose grids and fields are those of a whole configuration: it reads from elements.txt which domains and axes there are, and from
! fields.txt on which of them each field is, and sends every field at each step that it is needed at, as real models do it: a question first.
! The values are those that whole_configuration_test.py works out again.
program whole_configuration
  use xios
  use mpi
  implicit none

  type domain_part
    character(len=64) :: id = ''
    integer :: ni = 0, nj = 0, nj_glo = 0, jbegin = 0
  end type domain_part
  type sent_field
    character(len=64) :: id = ''
    integer :: domain = 0, axes = 0, lengths(2) = 1
    logical :: is_scalar = .false.
    real(8) :: base = 0, per_level = 0
  end type sent_field

  type(domain_part) :: domains(20)
  type(sent_field), allocatable :: fields(:)
  character(len=64) :: received(10)
  integer :: comm, rank, processes, error, steps, step, number, period_of_reading, count_of_domains = 0, reads = 0, sent = 0
  character(len=64) :: context

  open (10, file='elements.txt', status='old')
  read (10, *) context, steps
  call xios_initialize('model', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  call xios_context_initialize(trim(context), comm)
  call set_elements()
  call read_fields()
  call xios_close_context_definition()
  do step = 1, steps
    call xios_update_calendar(step)
    do number = 1, reads
      if (mod(step - 1, period_of_reading) == 0) call receive(received(number), (step - 1) / period_of_reading)
    end do
    do number = 1, size(fields)
      if (xios_field_is_active(trim(fields(number)%id), .true.)) call send(fields(number))
    end do
  end do
  call xios_context_finalize()
  if (sent == 0) stop 'no field was needed at any step'
  call xios_finalize()

contains

  subroutine set_elements()
    character(len=64) :: kind, id
    integer :: ni, nj, status, k
    real(8), allocatable :: value(:)

    do
      read (10, *, iostat=status) kind, id, ni, nj
      if (status /= 0) exit
      if (kind == 'recv') then
        reads = reads + 1
        received(reads) = id
        period_of_reading = ni
      else if (kind == 'axis') then
        value = [(10d0 * k, k=1, ni)]
        if (.not. xios_is_valid_axis(id)) error stop 'an axis of elements.txt that the XML does not have'
        call xios_set_axis_attr(id, n_glo=ni, value=value, &
                                bounds=reshape([(10d0 * k - 5, 10d0 * k + 5, k=1, ni)], [2, ni]))
      else
        count_of_domains = count_of_domains + 1
        call set_domain(domains(count_of_domains), kind, id, ni, nj)
      end if
    end do
    close (10)
  end subroutine set_elements

  ! Rows are shared out, the land of the first columns is masked.
  subroutine set_domain(part, kind, id, ni, nj_glo)
    type(domain_part), intent(out) :: part
    character(len=*), intent(in) :: kind, id
    integer, intent(in) :: ni, nj_glo
    real(8), allocatable :: lon(:), lat(:), lon_bounds(:, :), lat_bounds(:, :)
    logical, allocatable :: mask(:)
    integer :: i, j, cell

    part = domain_part(id, ni, 0, nj_glo, nj_glo * rank / processes)
    part%nj = nj_glo * (rank + 1) / processes - part%jbegin
    if (.not. xios_is_valid_domain(id)) error stop 'a domain of elements.txt that the XML does not have'
    call xios_set_domain_attr(id, ni_glo=ni, nj_glo=nj_glo, ibegin=0, ni=ni, jbegin=part%jbegin, nj=part%nj)
    if (kind == 'rectilinear') then
      call xios_set_domain_attr(id, type='rectilinear', lonvalue_1d=[((i - 0.5d0) * 360 / ni, i=1, ni)], &
                                latvalue_1d=[(-90 + (part%jbegin + j - 0.5d0) * 180 / nj_glo, j=1, part%nj)])
      return
    end if
    allocate (lon(ni * part%nj), lat(ni * part%nj), mask(ni * part%nj))
    allocate (lon_bounds(4, ni * part%nj), lat_bounds(4, ni * part%nj))
    do j = 1, part%nj
      do i = 1, ni
        cell = i + (j - 1) * ni
        lon(cell) = (i - 0.5d0) * 360 / ni
        lat(cell) = -90 + (part%jbegin + j - 0.5d0) * 180 / nj_glo
        lon_bounds(:, cell) = lon(cell) + [-180d0, 180d0, 180d0, -180d0] / ni
        lat_bounds(:, cell) = lat(cell) + [-90d0, -90d0, 90d0, 90d0] / nj_glo
        mask(cell) = i > 2
      end do
    end do
    call xios_set_domain_attr(id, type='curvilinear', data_dim=2, lonvalue_1d=lon, latvalue_1d=lat, nvertex=4, &
                              bounds_lon_1d=lon_bounds, bounds_lat_1d=lat_bounds, mask_1d=mask)
  end subroutine set_domain

  subroutine read_fields()
    integer :: lines, i
    character(len=64) :: domain

    open (10, file='fields.txt', status='old')
    read (10, *) lines
    allocate (fields(lines))
    do i = 1, lines
      read (10, *) fields(i)%id, domain, fields(i)%axes, fields(i)%lengths, fields(i)%base, fields(i)%per_level
      fields(i)%is_scalar = domain == 'scalar'
      do number = 1, count_of_domains
        if (domains(number)%id == domain) fields(i)%domain = number
      end do
      if (.not. xios_is_valid_field(fields(i)%id)) error stop 'a field of fields.txt that the XML does not have'
    end do
    close (10)
  end subroutine read_fields

  subroutine send(field)
    type(sent_field), intent(in) :: field
    real(8), allocatable :: values(:, :, :, :)
    integer :: i, j, k, l
    type(domain_part) :: part

    part = domain_part('', 1, 1, 1, 0)
    if (field%domain > 0) part = domains(field%domain)
    allocate (values(part%ni, part%nj, field%lengths(1), field%lengths(2)))
    do l = 1, field%lengths(2)
      do k = 1, field%lengths(1)
        do j = 1, part%nj
          do i = 1, part%ni
            values(i, j, k, l) = (field%base + 0.01d0 * (i - 1) + 0.0003d0 * (part%jbegin + j - 1) + &
                                  field%per_level * (k - 1) + 0.05d0 * (l - 1)) * (1 + 0.001d0 * step)
          end do
        end do
      end do
    end do
    if (field%is_scalar) then
      call xios_send_field(trim(field%id), values(1, 1, 1, 1))
    else if (field%domain == 0) then
      call xios_send_field(trim(field%id), values(1, 1, :, 1))
    else if (field%axes == 0) then
      call xios_send_field(trim(field%id), values(:, :, 1, 1))
    else if (field%axes == 1) then
      call xios_send_field(trim(field%id), real(values(:, :, :, 1), 4))
    else
      call xios_send_field(trim(field%id), values)
    end if
    sent = sent + 1
  end subroutine send

  ! What a file of forcing holds of a date, on the first domain.
  subroutine receive(id, record)
    character(len=*), intent(in) :: id
    integer, intent(in) :: record
    real(8), allocatable :: values(:, :)
    integer :: i, j

    allocate (values(domains(1)%ni, domains(1)%nj))
    call xios_recv_field(trim(id), values)
    do j = 1, domains(1)%nj
      do i = 1, domains(1)%ni
        if (values(i, j) /= 1000 * record + i - 1 + 100 * (domains(1)%jbegin + j - 1)) error stop 'a wrong value was received'
      end do
    end do
  end subroutine receive

end program whole_configuration
