// Arrays of structures and structures of arrays.
#[derive(Clone)]
pub struct Particle {
    x: [f64; 3],
    v: [f64; 3],
    mass: f32,
}

pub struct Cloud {
    x: Vec<f64>,
    v: Vec<f64>,
}

pub fn push(p: &mut [Particle], dt: f64) {
    for q in p.iter_mut() {
        for k in 0..3 {
            q.x[k] += dt * q.v[k];
        }
    }
}

pub fn weight(p: &[Particle]) -> f32 {
    p.iter().map(|q| q.mass).sum()
}

impl Cloud {
    pub fn drift(&mut self, dt: f64) {
        let n = self.x.len();
        let (x, v) = (&mut self.x[..n], &self.v[..n]);
        for i in 0..n {
            x[i] += dt * v[i];
        }
    }
}

fn main() {
    let mut p = vec![Particle { x: [0.0; 3], v: [1.0; 3], mass: 1.0 }; 150];
    push(&mut p, 0.5);
    let mut c = Cloud { x: vec![0.0; 256], v: vec![2.0; 256] };
    c.drift(0.5);
    if p[3].x[1] != 0.5 || weight(&p) != 150.0 || c.x[9] != 1.0 {
        std::process::exit(1);
    }
}
