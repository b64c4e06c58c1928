// Fourier transform of a long vector, as a matrix: transforms along columns, factors, a
// transposition that is one exchange among all, transforms along rows; then the same way back. MPI:
// Alltoallw with a subarray type per partner, Type_create_hvector, Alltoall in place,
// MPI_CXX_DOUBLE_COMPLEX with MPI_SUM, Allreduce with MPI_MAX.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

namespace {

using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

// A rank has `rows` rows of `side` numbers each.
struct Matrix {
  int side = 0;
  int rows = 0;
  std::vector<Complex> data;

  Complex* row(int i) { return data.data() + static_cast<std::ptrdiff_t>(i) * side; }
};

int rank = 0;
int size = 0;

void transform(Complex* row, int count, double sign) {
  std::vector<Complex> result(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < count; ++j) {
      result[static_cast<std::size_t>(k)] +=
          row[j] * std::polar(1.0, sign * 2 * pi * j * k / count);
    }
  }
  std::copy(result.begin(), result.end(), row);
}

// Block b of a row goes to rank b, and arrives as part of columns: only the types know.
void transpose(Matrix& m) {
  MPI_Datatype block, column, columns;
  const int sizes[2] = {m.rows, m.side};
  const int part[2] = {m.rows, m.rows};
  const int start[2] = {0, 0};
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_CXX_DOUBLE_COMPLEX, &block);
  MPI_Type_vector(m.rows, 1, m.side, MPI_CXX_DOUBLE_COMPLEX, &column);
  MPI_Type_create_hvector(m.rows, 1, sizeof(Complex), column, &columns);
  MPI_Type_commit(&block);
  MPI_Type_commit(&columns);
  const auto ranks = static_cast<std::size_t>(size);
  const std::vector<int> counts(ranks, 1);
  std::vector<int> places(ranks);
  for (int r = 0; r < size; ++r) {
    places[static_cast<std::size_t>(r)] = r * m.rows * static_cast<int>(sizeof(Complex));
  }
  const std::vector<MPI_Datatype> blocks(ranks, block), of_columns(ranks, columns);
  std::vector<Complex> result(m.data.size());
  MPI_Alltoallw(m.data.data(), counts.data(), places.data(), blocks.data(), result.data(),
                counts.data(), places.data(), of_columns.data(), MPI_COMM_WORLD);
  m.data.swap(result);
  MPI_Type_free(&columns);
  MPI_Type_free(&column);
  MPI_Type_free(&block);
}

// Result in the order of a transposed matrix, for sign -1; from that order for +1.
void fourier(Matrix& m, double sign) {
  const double total = static_cast<double>(m.side) * m.side;
  transpose(m);
  for (int i = 0; i < m.rows; ++i) {
    transform(m.row(i), m.side, sign);
    for (int k = 0; k < m.side; ++k) {
      m.row(i)[k] *= std::polar(1.0, sign * 2 * pi * (rank * m.rows + i) * k / total);
    }
  }
  transpose(m);
  for (int i = 0; i < m.rows; ++i) transform(m.row(i), m.side, sign);
  transpose(m);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Matrix m;
  m.rows = 3;
  m.side = m.rows * size;
  const int total = m.side * m.side;
  m.data.resize(static_cast<std::size_t>(m.rows * m.side));
  const auto first = static_cast<int>(m.data.size()) * rank;
  for (std::size_t i = 0; i < m.data.size(); ++i) {
    const double t = first + static_cast<int>(i);
    m.data[i] = Complex(std::cos(2 * pi * 5 * t / total), 0.25 * std::sin(2 * pi * 2 * t / total));
  }
  const std::vector<Complex> before = m.data;
  fourier(m, -1);
  for (std::size_t i = 0; i < m.data.size(); ++i) {
    if (std::abs(m.data[i]) > 1e-6) {
      std::printf("frequency %d: %.5f %.5f\n", first + static_cast<int>(i),
                  m.data[i].real() / total + 1e-9, m.data[i].imag() / total + 1e-9);
    }
  }
  fourier(m, 1);
  double error = 0;
  Complex mine, sum;
  for (std::size_t i = 0; i < m.data.size(); ++i) {
    error = std::max(error, std::abs(m.data[i] / static_cast<double>(total) - before[i]));
    mine += before[i] + Complex(1, 2);
  }
  double largest = 0;
  MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  std::vector<int> cards(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) cards[static_cast<std::size_t>(i)] = rank * 10 + i;
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, cards.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::printf("rank %d: %s, sum %.4f %.4f, last card %d\n", rank,
              largest < 1e-10 ? "there and back" : "lost", sum.real(), sum.imag() + 1e-9,
              cards.back());
  MPI_Finalize();
  return largest < 1e-10 ? 0 : 1;
}
