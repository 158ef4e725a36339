// Iterators: zip, map, sum, enumerate, chunks, windows, step_by, rev.
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    for (b, c) in y.iter_mut().zip(x.iter()) {
        *b += a * *c;
    }
}

pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>()
}

pub fn index(x: &mut [f64]) {
    for (i, v) in x.iter_mut().enumerate() {
        *v += i as f64;
    }
}

pub fn blocks(x: &[f64], y: &mut [f64]) {
    for (c, s) in x.chunks_exact(8).zip(y.iter_mut()) {
        *s = c.iter().sum();
    }
}

pub fn differences(x: &[f64], y: &mut [f64]) {
    for (w, d) in x.windows(2).zip(y.iter_mut()) {
        *d = w[1] - w[0];
    }
}

pub fn backwards(x: &mut [f64]) {
    for v in x.iter_mut().rev().step_by(3) {
        *v = -*v;
    }
}

fn main() {
    let x = vec![1.0f32; 300];
    let mut y = vec![1.0f32; 300];
    saxpy(2.0, &x, &mut y);
    let mut z = vec![1.0f64; 400];
    index(&mut z);
    let n = norm(&z);
    let mut s = vec![0.0f64; 50];
    blocks(&z, &mut s);
    let mut d = vec![0.0f64; 399];
    differences(&z, &mut d);
    backwards(&mut z);
    if y[7] != 3.0 || d[5] != 1.0 || n < 0.0 || s[0] != 36.0 || z[399] != -400.0 {
        std::process::exit(1);
    }
}
