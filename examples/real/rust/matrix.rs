// A matrix with an index of its own, in one vector.
use std::ops::{Index, IndexMut};

pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    pub fn new(rows: usize, cols: usize, v: f64) -> Matrix {
        Matrix { rows, cols, data: vec![v; rows * cols] }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

pub fn multiply(a: &Matrix, b: &Matrix, c: &mut Matrix) {
    for i in 0..a.rows {
        for j in 0..b.cols {
            let mut s = 0.0;
            for k in 0..a.cols {
                s += a[(i, k)] * b[(k, j)];
            }
            c[(i, j)] = s;
        }
    }
}

fn main() {
    let a = Matrix::new(20, 24, 1.0);
    let b = Matrix::new(24, 16, 2.0);
    let mut c = Matrix::new(20, 16, 0.0);
    multiply(&a, &b, &mut c);
    if c[(3, 4)] != 48.0 {
        std::process::exit(1);
    }
}
