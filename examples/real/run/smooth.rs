// run: ./smooth 30 21
// Slices whose lengths the arguments decide, and a structure with a vector in it.
use std::env;

struct Field {
    nx: usize,
    ny: usize,
    data: Vec<f64>,
}

fn smooth(a: &[f64], b: &mut [f64], nx: usize, ny: usize) {
    for j in 1..ny - 1 {
        for i in 1..nx - 1 {
            b[j * nx + i] = 0.25 * (a[j * nx + i - 1] + a[j * nx + i + 1] + a[(j - 1) * nx + i] + a[(j + 1) * nx + i]);
        }
    }
}

fn scale(f: &mut Field, by: f64) {
    for j in 0..f.ny {
        for i in 0..f.nx {
            f.data[j * f.nx + i] *= by;
        }
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let nx: usize = args[1].parse().unwrap();
    let ny: usize = args[2].parse().unwrap();
    let mut f = Field { nx, ny, data: vec![1.0; nx * ny] };
    let mut b = vec![0.0f64; nx * ny];
    scale(&mut f, 2.0);
    smooth(&f.data, &mut b, nx, ny);
    println!("{}", b[nx + 1]);
}
