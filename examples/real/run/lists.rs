// run: ./lists 400
// Lists of neighbours, each in a place of its own.
#[inline(never)]
pub fn gather(near: &[Vec<u32>], x: &[f64], y: &mut [f64]) {
    for u in 0..near.len() {
        for &v in &near[u] {
            y[u] += x[v as usize];
        }
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut near: Vec<Vec<u32>> = vec![vec![]; n];
    let mut r: u32 = 1;
    for _ in 0..6 * n {
        r = r.wrapping_mul(1664525).wrapping_add(1013904223);
        let a = (r >> 8) as usize % n;
        r = r.wrapping_mul(1664525).wrapping_add(1013904223);
        near[a].push((r >> 8) % n as u32);
    }
    let x = vec![1.5; n];
    let mut y = vec![0.0; n];
    gather(&near, &x, &mut y);
    println!("{}", y.iter().sum::<f64>());
}
