// threads.rs - threads of Rust's library, and what they wait for. The argument is the number of threads; without it the program asks for it.
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, Once, RwLock};
use std::thread;
use std::time::Duration;

thread_local! {
    static MINE: Cell<usize> = Cell::new(7);
}

fn scoped(n: usize) -> u64 {
    let data: Vec<u64> = (0..4096).collect();
    let total = Mutex::new(0);
    thread::scope(|s| {
        for chunk in data.chunks((data.len() + n - 1) / n) {
            let total = &total;
            s.spawn(move || *total.lock().unwrap() += chunk.iter().map(|x| x * x).sum::<u64>());
        }
    });
    let sum = *total.lock().unwrap();
    sum
}

fn turns(n: usize) -> (usize, usize) {
    let turn = Arc::new((Mutex::new(0), Condvar::new()));
    let barrier = Arc::new(Barrier::new(n));
    let (tell, told) = mpsc::channel();
    let threads: Vec<_> = (0..n)
        .map(|i| {
            let (turn, barrier, tell) = (turn.clone(), barrier.clone(), tell.clone());
            thread::spawn(move || {
                MINE.with(|m| m.set(m.get() + i));
                let leads = barrier.wait().is_leader();
                let mut at = turn.0.lock().unwrap();
                while *at != i {
                    at = turn.1.wait(at).unwrap();
                }
                *at += 1;
                turn.1.notify_all();
                tell.send(MINE.with(|m| m.get())).unwrap();
                leads as usize
            })
        })
        .collect();
    drop(tell);
    let got = told.iter().fold(0, |h: usize, x| h.wrapping_mul(31).wrapping_add(x));
    (got, threads.into_iter().map(|t| t.join().unwrap()).sum())
}

fn parked() -> usize {
    let (go, count) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (go2, count2) = (go.clone(), count.clone());
    let thread = thread::spawn(move || {
        while !go2.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        count2.fetch_add(1, Ordering::SeqCst);
        while count2.load(Ordering::SeqCst) < 2 {
            thread::park();
        }
    });
    go.store(true, Ordering::Release);
    while count.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    count.fetch_add(1, Ordering::SeqCst);
    thread.thread().unpark();
    thread.join().unwrap();
    count.load(Ordering::SeqCst)
}

fn shared(n: usize) -> (u64, usize) {
    static ONCE: Once = Once::new();
    static STARTS: AtomicUsize = AtomicUsize::new(0);
    let table = RwLock::new(vec![0u64; 64]);
    thread::scope(|s| {
        for i in 0..n {
            let table = &table;
            s.spawn(move || {
                ONCE.call_once(|| {
                    STARTS.fetch_add(1, Ordering::SeqCst);
                });
                for k in (i..64).step_by(n) {
                    let before = table.read().unwrap()[k];
                    table.write().unwrap()[k] = before + k as u64;
                }
                thread::sleep(Duration::from_millis(1));
            });
        }
    });
    let sum = table.read().unwrap().iter().sum();
    (sum, STARTS.load(Ordering::SeqCst))
}

fn bounded(n: usize) -> usize {
    let (send, receive) = mpsc::sync_channel(2);
    thread::scope(|s| {
        for i in 0..n {
            let send = send.clone();
            s.spawn(move || (0..10).for_each(|k| send.send(i * 10 + k).unwrap()));
        }
        drop(send);
        let mut all: Vec<usize> = receive.iter().collect();
        all.sort();
        all.iter().enumerate().filter(|(i, x)| i == *x).count()
    })
}

fn main() {
    let n = std::env::args().nth(1).map_or_else(|| thread::available_parallelism().unwrap().get(), |a| a.parse().unwrap());
    println!("{} threads", n);
    println!("scoped {}", scoped(n));
    println!("turns {:?}", turns(n));
    println!("parked {}", parked());
    println!("shared {:?}", shared(n));
    println!("bounded {}", bounded(n));
    let failed = thread::spawn(|| -> usize { std::panic::resume_unwind(Box::new(41)) }).join();
    println!("panicked {:?}", failed.unwrap_err().downcast_ref::<i32>());
}
