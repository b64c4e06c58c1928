#pragma once

#include <cstddef>
#include <vector>

namespace hartree_fock {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

/// Hydrogen atoms on a line, one s function each (STO-3G, scaled by 1.24), one electron each.
/// Integrals after Szabo and Ostlund, Modern Quantum Chemistry, appendix A. Atomic units.
class Chain {
 public:
  Chain(int atoms, double spacing);

  int size() const noexcept { return static_cast<int>(places_.size()); }
  /// Row `i` of the core Hamiltonian.
  const Row& one_electron(int i) const { return core_[static_cast<std::size_t>(i)]; }
  /// What row `k` of the density adds to element (i, j) of the Fock matrix.
  double two_electron(int i, int j, int k, const Row& density_row) const;
  /// The density of the lowest orbitals of a Fock matrix, two electrons in each.
  Matrix density_of(const Matrix& fock) const;
  double energy_of_row(int i, const Matrix& density, const Matrix& fock) const;
  /// Of the nuclei.
  double repulsion() const;

 private:
  double distance2(double a, double b) const { return (a - b) * (a - b); }
  double place(int i) const { return places_[static_cast<std::size_t>(i)]; }
  void set_one_electron(int i, int j);
  double repulsion_integral(int i, int j, int k, int l) const;

  std::vector<double> places_;
  Matrix core_;
  Matrix overlap_;
  Matrix orthogonal_;  // overlap to the power -1/2
};

}  // namespace hartree_fock
