// run: ./members 500
// Structures of which some members are subscripts and others are written in the same loop.
pub struct Particle {
    x: f64,
    v: f64,
    cell: u32,
}

#[inline(never)]
pub fn push(p: &mut [Particle], field: &[f64], dt: f64) {
    for q in p.iter_mut() {
        q.v += field[q.cell as usize] * dt;
        q.x += q.v * dt;
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let cells = n / 4 + 1;
    let mut all: Vec<Particle> = (0..n).map(|i| Particle { x: 0.1 * i as f64, v: 1.0, cell: ((i * 17 + i % 3) % cells) as u32 }).collect();
    let field = vec![0.5; cells];
    push(&mut all, &field, 0.1);
    println!("{}", all.iter().map(|p| p.x).sum::<f64>());
}
