// counted.rs - loops whose accesses are known: one load in each step of a chase, one store for each value that is filled in.

#[inline(never)]
pub fn chased(next: &[u32], steps: usize) -> u32 {
    let mut at = 0;
    for _ in 0..steps {
        at = next[at as usize];
    }
    at
}

#[inline(never)]
pub fn filled(values: &mut [u32], step: u32) {
    let mut x = 1u32;
    for v in values.iter_mut() {
        x = x.wrapping_mul(1664525).wrapping_add(step) ^ (x >> 7);
        *v = x;
    }
}

fn main() {
    let mut values = vec![0u32; 5000];
    filled(&mut values, 1013904223);
    let next: Vec<u32> = (0..997).map(|i| (i + 331) % 997).collect();
    println!("{} {}", chased(&next, 20000), values[4999]);
}
