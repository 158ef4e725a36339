// Slices walked by index, with their bounds checked.
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

fn main() {
    let n = 500;
    let x = vec![1.0; n];
    let mut y = vec![2.0; n];
    axpy(3.0, &x, &mut y);
    if (dot(&x, &y) - 5.0 * n as f64).abs() > 1e-9 {
        std::process::exit(1);
    }
}
