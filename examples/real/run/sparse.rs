// run: ./sparse 600
// A sparse matrix by rows, and a gather: what is accessed stands in arrays of integers that are made before.
pub struct Matrix {
    begin: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
}

#[inline(never)]
pub fn multiply(rows: usize, a: &Matrix, x: &[f64], y: &mut [f64]) {
    for i in 0..rows {
        let mut sum = 0.0;
        for k in a.begin[i]..a.begin[i + 1] {
            sum += a.value[k] * x[a.column[k]];
        }
        y[i] = sum;
    }
}

#[inline(never)]
pub fn gather(n: usize, place: &[u32], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] += x[place[i] as usize];
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut a = Matrix { begin: vec![0], column: vec![], value: vec![] };
    let mut r: u32 = 1;
    for i in 0..n {
        for _ in 0..i * i % 6 {
            r = r.wrapping_mul(1664525).wrapping_add(1013904223);
            a.column.push((r >> 8) as usize % n);
            a.value.push(1.0);
        }
        a.begin.push(a.column.len());
    }
    let x = vec![1.0; n];
    let mut y = vec![0.0; n];
    multiply(n, &a, &x, &mut y);
    let place: Vec<u32> = a.column.iter().map(|&c| c as u32).collect();
    gather(n, &place, &x, &mut y);
    println!("{}", y[0]);
}
