#include "teams/hartree_fock_integrals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace hartree_fock {

namespace {

struct Primitive {
  double exponent;
  double weight;  // with its norm
};

using std::numbers::pi;

std::array<Primitive, 3> hydrogen() {
  std::array<Primitive, 3> out{{{3.42525091, 0.15432897},  //
                                {0.62391373, 0.53532814},
                                {0.16885540, 0.44463454}}};
  for (Primitive& p : out) p.weight *= std::pow(2 * p.exponent / pi, 0.75);
  return out;
}
const std::array<Primitive, 3> shell = hydrogen();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double boys(double t) {
  if (t < 1e-6) return 1 - t / 3;
  return 0.5 * std::sqrt(pi / t) * std::erf(std::sqrt(t));
}

Matrix zeros(int size) { return Matrix(at(size), Row(at(size), 0.0)); }

Matrix product(const Matrix& a, const Matrix& b) {
  const int size = static_cast<int>(a.size());
  Matrix out = zeros(size);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      for (int j = 0; j < size; ++j) out[at(i)][at(j)] += a[at(i)][at(k)] * b[at(k)][at(j)];
    }
  }
  return out;
}

struct Eigen {
  std::vector<double> values;
  Matrix vectors;  // columns
};

// One rotation of Jacobi's method, which makes element (p, q) zero.
void rotate(Matrix& a, Matrix& vectors, int p, int q) {
  const int size = static_cast<int>(a.size());
  const double theta = 0.5 * std::atan2(2 * a[at(p)][at(q)], a[at(q)][at(q)] - a[at(p)][at(p)]);
  const double c = std::cos(theta);
  const double s = std::sin(theta);
  const auto mix = [&](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int i = 0; i < size; ++i) mix(a[at(i)][at(p)], a[at(i)][at(q)]);
  for (int i = 0; i < size; ++i) mix(a[at(p)][at(i)], a[at(q)][at(i)]);
  for (int i = 0; i < size; ++i) mix(vectors[at(i)][at(p)], vectors[at(i)][at(q)]);
}

Eigen eigen(Matrix a) {
  const int size = static_cast<int>(a.size());
  Eigen out{std::vector<double>(at(size)), zeros(size)};
  for (int i = 0; i < size; ++i) out.vectors[at(i)][at(i)] = 1;
  constexpr int sweeps = 30;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int p = 0; p < size; ++p) {
      for (int q = p + 1; q < size; ++q) rotate(a, out.vectors, p, q);
    }
  }
  for (int i = 0; i < size; ++i) out.values[at(i)] = a[at(i)][at(i)];
  return out;
}

}  // namespace

Chain::Chain(int atoms, double spacing)
    : core_(zeros(atoms)), overlap_(zeros(atoms)), orthogonal_(zeros(atoms)) {
  for (int i = 0; i < atoms; ++i) places_.push_back(i * spacing);
  for (int i = 0; i < atoms; ++i) {
    for (int j = 0; j < atoms; ++j) set_one_electron(i, j);
  }
  const Eigen of_overlap = eigen(overlap_);
  for (int i = 0; i < atoms; ++i) {
    for (int j = 0; j < atoms; ++j) {
      for (int k = 0; k < atoms; ++k) {
        orthogonal_[at(i)][at(j)] += of_overlap.vectors[at(i)][at(k)] *
                                     of_overlap.vectors[at(j)][at(k)] /
                                     std::sqrt(of_overlap.values[at(k)]);
      }
    }
  }
}

void Chain::set_one_electron(int i, int j) {
  for (const Primitive& a : shell) {
    for (const Primitive& b : shell) {
      const double sum = a.exponent + b.exponent;
      const double reduced = a.exponent * b.exponent / sum;
      const double r2 = distance2(place(i), place(j));
      const double both = a.weight * b.weight * std::exp(-reduced * r2);
      const double overlap = both * std::pow(pi / sum, 1.5);
      overlap_[at(i)][at(j)] += overlap;
      double& core = core_[at(i)][at(j)];
      core += overlap * reduced * (3 - 2 * reduced * r2);
      const double middle = (a.exponent * place(i) + b.exponent * place(j)) / sum;
      for (const double nucleus : places_) {
        core -= both * 2 * pi / sum * boys(sum * distance2(middle, nucleus));
      }
    }
  }
}

double Chain::repulsion_integral(int i, int j, int k, int l) const {
  double out = 0;
  for (const Primitive& a : shell) {
    for (const Primitive& b : shell) {
      const double p = a.exponent + b.exponent;
      const double at_p = (a.exponent * place(i) + b.exponent * place(j)) / p;
      const double left = a.weight * b.weight *
                          std::exp(-a.exponent * b.exponent / p * distance2(place(i), place(j)));
      for (const Primitive& c : shell) {
        for (const Primitive& d : shell) {
          const double q = c.exponent + d.exponent;
          const double at_q = (c.exponent * place(k) + d.exponent * place(l)) / q;
          const double right =
              c.weight * d.weight *
              std::exp(-c.exponent * d.exponent / q * distance2(place(k), place(l)));
          out += left * right * 2 * std::pow(pi, 2.5) / (p * q * std::sqrt(p + q)) *
                 boys(p * q / (p + q) * distance2(at_p, at_q));
        }
      }
    }
  }
  return out;
}

double Chain::two_electron(int i, int j, int k, const Row& density_row) const {
  double out = 0;
  for (int l = 0; l < size(); ++l) {
    const double coulomb = repulsion_integral(i, j, k, l);
    const double exchange = repulsion_integral(i, k, j, l);
    out += density_row[at(l)] * (coulomb - 0.5 * exchange);
  }
  return out;
}

Matrix Chain::density_of(const Matrix& fock) const {
  const Eigen orbitals = eigen(product(orthogonal_, product(fock, orthogonal_)));
  const Matrix coefficients = product(orthogonal_, orbitals.vectors);
  std::vector<int> order(at(size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return orbitals.values[at(a)] < orbitals.values[at(b)]; });
  Matrix density = zeros(size());
  for (int o = 0; o < size() / 2; ++o) {
    const std::size_t orbital = at(order[at(o)]);
    for (int i = 0; i < size(); ++i) {
      for (int j = 0; j < size(); ++j) {
        density[at(i)][at(j)] += 2 * coefficients[at(i)][orbital] * coefficients[at(j)][orbital];
      }
    }
  }
  return density;
}

double Chain::energy_of_row(int i, const Matrix& density, const Matrix& fock) const {
  double out = 0;
  for (int j = 0; j < size(); ++j) {
    out += 0.5 * density[at(i)][at(j)] * (core_[at(i)][at(j)] + fock[at(i)][at(j)]);
  }
  return out;
}

double Chain::repulsion() const {
  double out = 0;
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j < i; ++j) out += 1 / std::abs(place(i) - place(j));
  }
  return out;
}

}  // namespace hartree_fock
