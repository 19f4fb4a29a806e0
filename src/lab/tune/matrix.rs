//! The linear algebra of CMA-ES: symmetric matrices and their eigenvectors.

/// Square.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    side: usize,
    /// Row by row.
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn identity(side: usize) -> Self {
        let mut cells = vec![0.0; side * side];
        cells.iter_mut().step_by(side + 1).for_each(|cell| *cell = 1.0);
        Self { side, cells }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.side..][..self.side]
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.side).map(|row| dot(self.row(row), vector)).collect()
    }

    pub(super) fn transposed_times(&self, vector: &[f64]) -> Vec<f64> {
        let column = |at: usize| (0..self.side).map(|row| self.row(row)[at] * vector[row]).sum();
        (0..self.side).map(column).collect()
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// Adds `factor` times the outer product of a vector with itself.
    pub(super) fn add_square(&mut self, factor: f64, vector: &[f64]) {
        for row in 0..self.side {
            for column in 0..self.side {
                self.cells[row * self.side + column] += factor * vector[row] * vector[column];
            }
        }
    }

    /// The eigenvectors of a symmetric matrix as columns, and its eigenvalues, by Jacobi rotations.
    pub(super) fn eigen(&self) -> (Self, Vec<f64>) {
        const MOST_SWEEPS: usize = 30;
        let side = self.side;
        let (mut rest, mut axes) = (self.clone(), Self::identity(side));
        for _ in 0..MOST_SWEEPS {
            let off: f64 =
                (0..side).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| rest.at(i, j).powi(2)).sum();
            let on: f64 = (0..side).map(|i| rest.at(i, i).powi(2)).sum();
            if off <= 1e-26 * on {
                break;
            }
            for p in 0..side {
                for q in p + 1..side {
                    rest.rotate(&mut axes, p, q);
                }
            }
        }
        let eigenvalues = (0..side).map(|at| rest.at(at, at)).collect();
        (axes, eigenvalues)
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.side + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.side + column] = value;
    }

    /// Rotates the plane of two axes so that their off-diagonal cell becomes 0.
    fn rotate(&mut self, axes: &mut Self, p: usize, q: usize) {
        let off = self.at(p, q);
        if off == 0.0 {
            return;
        }
        let theta = (self.at(q, q) - self.at(p, p)) / (2.0 * off);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        for k in 0..self.side {
            let (a, b) = (self.at(k, p), self.at(k, q));
            self.set(k, p, cosine * a - sine * b);
            self.set(k, q, sine * a + cosine * b);
        }
        for k in 0..self.side {
            let (a, b) = (self.at(p, k), self.at(q, k));
            self.set(p, k, cosine * a - sine * b);
            self.set(q, k, sine * a + cosine * b);
        }
        for k in 0..self.side {
            let (a, b) = (axes.at(k, p), axes.at(k, q));
            axes.set(k, p, cosine * a - sine * b);
            axes.set(k, q, sine * a + cosine * b);
        }
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_compose_the_matrix() {
        let mut matrix = Matrix::identity(4);
        for (factor, vector) in
            [(2.0, [1.0, 2.0, 0.0, -1.0]), (0.5, [0.0, 1.0, 3.0, 1.0]), (3.0, [1.0, 0.0, 0.0, 1.0])]
        {
            matrix.add_square(factor, &vector);
        }
        let (axes, eigenvalues) = matrix.eigen();
        let vector = [1.0, -2.0, 0.5, 4.0];
        let along = axes.transposed_times(&vector);
        let stretched: Vec<_> =
            along.iter().zip(&eigenvalues).map(|(part, eigenvalue)| part * eigenvalue).collect();
        for (built, direct) in axes.times(&stretched).into_iter().zip(matrix.times(&vector)) {
            assert!((built - direct).abs() < 1e-9, "{built} {direct}");
        }
        // The axes are of length one and at right angles.
        for (back, part) in axes.times(&along).into_iter().zip(vector) {
            assert!((back - part).abs() < 1e-12);
        }
        assert!(eigenvalues.iter().all(|&eigenvalue| eigenvalue >= 1.0 - 1e-9));
    }
}
