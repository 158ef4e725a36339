/* recorder.c - begins and ends the recording, and passes on what the virtual OpenMP tells.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The environment says what to do: FORESEE_FD the descriptor to write to, FORESEE_THREADS the virtual threads,
 * FORESEE_CUT the thread counts for which one thread's loops are cut, FORESEE_SERIAL=1 to record outside parallel
 * regions as well. Without FORESEE_FD the program runs as if it had one thread and records nothing. */
#define _GNU_SOURCE
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1, MOST_CUTS = 4096 };

int fr_threads = 1, fr_cut, fr_rewritten;
static int cuts[MOST_CUTS + 1];
const int *fr_cuts = cuts;
uint64_t fr_xsave_bytes = 512;

static bool whole_run, ended;
static pid_t self;
static uint32_t segments;
static struct fr_piece serial = {.kind = FR_SERIAL};
static const struct fr_piece *now = &serial;
static int now_thread;

void fr_work_reset(void);
uint64_t fr_full(void);

void *fr_map(size_t bytes)
{
    void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        fr_fail("out of memory");
    return p;
}

static void record_numbers(int type, int thread, const uint64_t *x, size_t n)
{
    unsigned char data[128], *p = data;
    for (size_t i = 0; i < n; i++)
        p = fr_put(p, x[i]);
    fr_wire_record(type, thread, data, (size_t)(p - data));
}

enum memory { STACK, TLS, PRIVATE, MAIN_STACK, LOCALS };

static void record_memory(enum memory kind, int thread, const void *low, size_t bytes)
{
    const uint64_t x[] = {kind, (uint64_t)low, bytes};
    record_numbers(FR_MEMORY, thread, x, 3);
}

/* ---- modules ---- */

static struct fr_slot *pool;
static size_t pool_left;

static struct fr_slot *take_slots(size_t n)
{
    if (n > pool_left) {
        pool_left = n > 1 << 16 ? n : 1 << 16;
        pool = fr_map(pool_left * sizeof *pool);
    }
    struct fr_slot *s = pool;
    pool += n;
    pool_left -= n;
    return s;
}

/* A segment for code that no module announces, sanitizer.c. */
struct fr_segment *fr_new_segment(unsigned words);
struct fr_segment *fr_new_segment(unsigned words)
{
    static struct fr_segment *some;
    static size_t left;
    if (left == 0) {
        left = 4096;
        some = fr_map(left * sizeof *some);
    }
    left--;
    struct fr_segment *s = some++;
    *s = (struct fr_segment){.number = segments++, .words = words, .slots = take_slots(words + 1)};
    return s;
}

/* Decimal digits of a number; gives where they end. */
static unsigned char *put_decimal(unsigned char *p, uint64_t n)
{
    if (n > 9)
        p = put_decimal(p, n / 10);
    *p = (unsigned char)('0' + n % 10);
    return p + 1;
}

/* A module's text, and where the sections of its code begin in the program without recording: places has their number, then their addresses. */
static void announce_module(uint32_t base, const char *text, size_t bytes, const uint64_t *places)
{
    enum { LINE = 48 }; /* two numbers of up to 20 digits, "B", tabs and the line's end */
    uint64_t sections = places ? places[0] : 0;
    size_t room = bytes + 16 + LINE * sections;
    unsigned char *data = fr_map(room), *p = fr_put(data, base);
    memcpy(p, text, bytes);
    p += bytes;
    for (uint64_t i = 0; i < sections; i++) {
        *p++ = 'B';
        *p++ = '\t';
        p = put_decimal(p, i);
        *p++ = '\t';
        p = put_decimal(p, places[1 + i]);
        *p++ = '\n';
    }
    fr_wire_record(FR_MODULE, 0, data, (size_t)(p - data));
    munmap(data, room);
}

static void begin(void);

/* Called by a constructor of each object file that foresee cc made of its compiler's own code; places may be NULL. */
void fr_module_placed(const char *text, size_t bytes, struct fr_segment *s, size_t n, const uint64_t *places);
void fr_module_placed(const char *text, size_t bytes, struct fr_segment *s, size_t n, const uint64_t *places)
{
    begin();
    fr_rewritten = 1;
    for (size_t i = 0; i < n; i++) {
        s[i].number += segments;
        s[i].slots = take_slots(s[i].words + 1); /* not NULL, even of none */
    }
    announce_module(segments, text, bytes, places);
    segments += (uint32_t)n;
}

/* Likewise, of other code. */
void fr_module(const char *text, size_t bytes, struct fr_segment *s, size_t n)
{
    fr_module_placed(text, bytes, s, n, NULL);
}

/* ---- begin and end ---- */

static void read_cuts(const char *list)
{
    int n = 0;
    for (char *end; *list && n < MOST_CUTS; list = *end ? end + 1 : end) {
        long t = strtol(list, &end, 10);
        if (end == list)
            break;
        if (t > 0 && t <= 1 << 20)
            cuts[n++] = (int)t;
    }
    cuts[n] = 0;
    fr_cut = n > 0;
}

/* Addresses that are the same in every run need a process without address space randomisation. */
static void fix_addresses(void)
{
    int p = personality(0xffffffff);
    if (p == -1 || p & ADDR_NO_RANDOMIZE || getenv("FORESEE_FIXED"))
        return;
    if (personality((unsigned long)p | ADDR_NO_RANDOMIZE) == -1)
        return;
    setenv("FORESEE_FIXED", "1", 1);
    char *command[4096];
    static char text[1 << 20];
    int f = open("/proc/self/cmdline", O_RDONLY);
    size_t n = 0;
    for (ssize_t k; f >= 0 && n < sizeof text - 1 && (k = read(f, text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)k;
    if (f >= 0)
        close(f);
    int count = 0;
    for (char *p2 = text; p2 < text + n && count < 4095; p2 += strlen(p2) + 1)
        command[count++] = p2;
    command[count] = 0;
    if (n > 0 && n < sizeof text - 1 && count < 4095)
        execv("/proc/self/exe", command);
    /* it can go on with addresses that change */
}

static int find_image(struct dl_phdr_info *i, size_t size, void *data)
{
    (void)size;
    *(uint64_t *)data = i->dlpi_addr;
    return 1; /* the program itself comes first */
}

static void fatal(int signal_number)
{
    signal(signal_number, SIG_DFL);
    fr_encode();
    fr_end(FR_SIGNALLED, signal_number);
    raise(signal_number);
}

static void watch_signals(void)
{
    static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP, SIGXCPU};
    size_t bytes = 1 << 16;
    stack_t alternate = {.ss_sp = fr_map(bytes), .ss_size = bytes};
    sigaltstack(&alternate, 0);
    struct sigaction action = {.sa_handler = fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, 0);
    signal(SIGPIPE, SIG_IGN);
}

/* A child runs another program, or ends, or goes on unrecorded, which it tells the first process. */
static volatile char *children_work; /* shared with children */
static bool in_a_child;
static uint64_t words_before;        /* of the child */
enum { LITTLE = 256 };               /* segments and accesses of a child before it runs another program: chosen */

static void in_child(void)
{
    fr_open = false;
    fr_wire_close();
    vo_only_this();
    in_a_child = true;
    words_before = fr_noted();
}

static void child_goes_on(void)
{
    if (in_a_child && children_work && fr_noted() - words_before > LITTLE)
        *children_work = 1;
}

#if defined(__x86_64__)
#include <cpuid.h>
static void measure_state(void)
{
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE && __get_cpuid_count(13, 0, &a, &b, &c, &d))
        fr_xsave_bytes = b;
}
#else
static void measure_state(void) {}
#endif

static void begin(void)
{
    static bool begun;
    if (begun)
        return;
    begun = true;
    measure_state();
    const char *descriptor = getenv("FORESEE_FD"), *threads = getenv("FORESEE_THREADS"), *list = getenv("FORESEE_CUT");
    if (threads && atoi(threads) > 0)
        fr_threads = atoi(threads);
    if (!descriptor) {
        const char *usual = getenv("OMP_NUM_THREADS");
        if (!threads && usual && atoi(usual) > 0 && atoi(usual) <= 1024)
            fr_threads = atoi(usual);
        return;
    }
    fix_addresses();
    if (list)
        read_cuts(list);
    const char *s = getenv("FORESEE_SERIAL");
    whole_run = s && *s == '1';
    self = getpid();
    int f = atoi(descriptor);
    fcntl(f, F_SETFD, FD_CLOEXEC);
    fcntl(f, F_SETPIPE_SZ, 1 << 20);
    fr_wire_open(f);
    unsetenv("FORESEE_FD");
    uint64_t image = 0;
    dl_iterate_phdr(find_image, &image);
    bool fixed = personality(0xffffffff) & ADDR_NO_RANDOMIZE;
    const uint64_t head[] = {VERSION,   (uint64_t)fr_threads, (uint64_t)fr_cut, fixed,
                             whole_run, (uint64_t)sysconf(_SC_PAGESIZE)};
    record_numbers(FR_HEADER, 0, head, sizeof head / sizeof *head);
    record_numbers(FR_IMAGE, 0, &image, 1);
    watch_signals();
    children_work = mmap(0, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (children_work == MAP_FAILED)
        children_work = 0;
    pthread_atfork(0, 0, in_child);
    fr_open = whole_run;
    if (fr_open)
        fr_piece_begin(0, &serial);
}

__attribute__((constructor(101))) static void constructor(void) { begin(); }

void fr_end(int how, int code)
{
    if (ended || !fr_wire_is_open() || getpid() != self)
        return;
    ended = true;
    if (fr_open)
        fr_piece_end();
    fr_open = false;
    const uint64_t end[] = {(uint64_t)how, (uint64_t)code};
    record_numbers(FR_END, 0, end, 2);
    fr_wire_flush();
    fr_wire_close();
}

static void at_end(int code)
{
    child_goes_on();
    fr_encode();
    if (children_work && *children_work && fr_wire_is_open() && !ended)
        fr_fail("the program goes on in child processes (fork), whose accesses are not recorded: foresee follows one process and its threads");
    fr_end(FR_EXITED, code);
}

/* After the program's own destructors, which are part of its run. */
__attribute__((destructor(101))) static void destructor(void) { at_end(0); }

#ifndef FORESEE_PRELOAD /* where the linker wraps the program's functions */
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap__exit(int code)
{
    at_end(code);
    __real__exit(code);
}
_Noreturn void __wrap__Exit(int code);
_Noreturn void __wrap__Exit(int code)
{
    at_end(code);
    __real__exit(code);
}

#endif

_Noreturn void fr_fail(const char *message)
{
    fprintf(stderr, "foresee: %s\n", message);
    fr_encode();
    fr_end(FR_FAILED, 0);
    signal(SIGABRT, SIG_DFL);
    abort();
}

#ifndef FORESEE_PRELOAD
/* ---- the program's main, on a stack that lies where it always lies ---- */

int __real_main(int argc, char **argv, char **envp);
int fr_on_stack(void *top, int (*f)(int, char **, char **), int argc, char **argv, char **envp);

static size_t main_stack_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 1u << 30)
        return 1u << 30;
    return ((size_t)limit.rlim_cur + 0xffff) & ~(size_t)0xffff;
}

int __wrap_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp)
{
    if (!fr_wire_is_open())
        return __real_main(argc, argv, envp);
    size_t bytes = main_stack_bytes(), guard = 4096;
    char *low = mmap((void *)0x5f0000000000, bytes + guard, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (low == MAP_FAILED)
        return __real_main(argc, argv, envp);
    mprotect(low, guard, PROT_NONE);
    record_memory(MAIN_STACK, 0, low, guard + bytes);
    int code = fr_on_stack(low + guard + bytes - 256, __real_main, argc, argv, envp);
    return code;
}
#endif

/* ---- what the virtual OpenMP tells ---- */

uint64_t fr_full(void)
{
    if (!fr_is_full()) { /* an atomic operation comes, which may take work that another thread would have come to first */
        fr_soon_again();
        fr_slice(false);
        return 0;
    }
    bool waits = vo_own_threads && fr_repeats();
    fr_encode();
    child_goes_on();
    if (vo_own_threads)
        fr_slice(waits);
    else if (!fr_cut && (fr_work(now_thread) > 0 || !fr_wire_is_open())) { /* one may wait for another, in a plain run as well */
        static uint64_t slices;
        if (++slices % 256 == 0 || fr_waiting)
            fr_yield();
    }
    return 0;
}

void fr_region_enter(const void *pc, int threads)
{
    fr_encode();
    if (fr_open)
        fr_piece_end();
    const uint64_t x[] = {(uint64_t)pc, (uint64_t)(threads < 0 ? fr_threads : threads), threads < 0};
    record_numbers(FR_ENTER, 0, x, threads < 0 ? 3 : 2);
    fr_work_reset();
    fr_in_region = true;
    fr_open = fr_wire_is_open();
}

/* What is complete goes out now and then, so that it is not lost when the program is killed. */
static void flush_sometimes(void)
{
    enum { MILLISECOND = 1000000 };
    static uint64_t last;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    uint64_t now_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (now_ns - last < MILLISECOND)
        return;
    last = now_ns;
    fr_wire_flush();
}

void fr_region_leave(void)
{
    fr_encode();
    if (fr_open)
        fr_piece_end();
    fr_wire_record(FR_LEAVE, 0, 0, 0);
    flush_sometimes();
    fr_in_region = false;
    fr_open = whole_run && fr_wire_is_open();
    now = &serial;
    now_thread = 0;
    if (fr_open)
        fr_piece_begin(0, &serial);
}

void fr_thread(int thread, const struct fr_piece *piece)
{
    fr_encode();
    now_thread = thread;
    now = piece;
    if (!fr_open)
        return;
    fr_piece_end();
    fr_piece_begin(thread, piece);
}

void fr_barrier(void)
{
    fr_encode();
    if (!fr_open)
        return;
    fr_piece_end();
    fr_wire_record(FR_BARRIER, 0, 0, 0);
    fr_piece_begin(now_thread, now);
}

void fr_stack(int thread, const void *low, size_t bytes) { record_memory(STACK, thread, low, bytes); }
void fr_tls(const void *low, size_t bytes) { record_memory(TLS, 0, low, bytes); }
void fr_locals(const void *low, size_t bytes) { record_memory(LOCALS, 0, low, bytes); }
void fr_private(int thread, const void *low, size_t bytes) { record_memory(PRIVATE, thread, low, bytes); }

void fr_note(int note, const void *pc)
{
    enum { REMEMBERED = 256 };
    static const void *seen[REMEMBERED];
    static int seen_note[REMEMBERED];
    for (int i = 0; i < REMEMBERED && seen[i]; i++)
        if (seen[i] == pc && seen_note[i] == note)
            return;
    for (int i = 0; i < REMEMBERED; i++) {
        if (seen[i])
            continue;
        seen[i] = pc;
        seen_note[i] = note;
        const uint64_t x[] = {(uint64_t)note, (uint64_t)pc};
        record_numbers(FR_NOTE, 0, x, 2);
        return;
    }
}
