// Two buffers that are swapped, rows of fixed arrays and flat ones.
const N: usize = 40;

pub fn step(u: &[[f64; N]; N], v: &mut [[f64; N]; N]) {
    for i in 1..N - 1 {
        for j in 1..N - 1 {
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        }
    }
}

pub fn relax(n: usize, steps: usize, u: &mut Vec<f64>, v: &mut Vec<f64>) {
    for _ in 0..steps {
        for i in 1..n - 1 {
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3.0;
        }
        std::mem::swap(u, v);
    }
}

fn main() {
    let a = Box::new([[1.0; N]; N]);
    let mut b = Box::new([[0.0; N]; N]);
    step(&a, &mut b);
    let mut u = vec![1.0; 200];
    let mut v = vec![1.0; 200];
    relax(200, 4, &mut u, &mut v);
    if b[5][5] != 1.0 || (u[9] - 1.0).abs() > 1e-12 {
        std::process::exit(1);
    }
}
