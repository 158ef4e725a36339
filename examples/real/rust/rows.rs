// Triangles, steps, tiles and while loops over slices.
pub fn triangular(n: usize, l: &[f64], x: &mut [f64]) {
    for i in 0..n {
        let mut s = x[i];
        for j in 0..i {
            s -= l[i * n + j] * x[j];
        }
        x[i] = s / l[i * n + i];
    }
}

pub fn transpose(n: usize, a: &[f64], b: &mut [f64]) {
    const T: usize = 8;
    for ii in (0..n).step_by(T) {
        for jj in (0..n).step_by(T) {
            for i in ii..(ii + T).min(n) {
                for j in jj..(jj + T).min(n) {
                    b[j * n + i] = a[i * n + j];
                }
            }
        }
    }
}

pub fn halves(x: &mut [f64]) {
    let mut stride = x.len() / 2;
    while stride > 0 {
        for i in 0..stride {
            x[i] += x[i + stride];
        }
        stride /= 2;
    }
}

fn main() {
    let n = 36;
    let a = vec![1.0; n * n];
    let mut b = vec![0.0; n * n];
    transpose(n, &a, &mut b);
    let mut x = vec![1.0; n];
    triangular(n, &a, &mut x);
    let mut y = vec![1.0; 256];
    halves(&mut y);
    if b[77] != 1.0 || y[0] != 256.0 {
        std::process::exit(1);
    }
}
