/* What the parts of the probe share. One command a line comes on standard input; one line answers: "ok" and numbers, or "error" and why. */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>
#include <stdint.h>

#define MOST_SAMPLES 64
#define LINE_BYTES 64

double now_ns(void);
void answer(const double *values, int n);
void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void keep(uint64_t value); /* nothing that leads to it can be left out */

/* burst.c: a piece of work is timed between begin and end, which gives its ns; those that are kept are the answer */
#define BURST_VALUES 5
int burst_cold(void);
void burst_begin(void);
double burst_end(void);
void burst_keep(int i, double operations);
void burst_answer(int samples);

/* memory.c: a buffer of at least so many bytes that was written to, in small pages, huge ones, or such as arrays get. NULL when there is no memory. */
enum { SMALL, HUGE, USUAL };
double usual_page(void); /* bytes of a page of large arrays */
char *buffer(size_t bytes, int huge);
void buffer_drop(void);
extern unsigned long buffer_given; /* how often it was: whoever had it before finds other contents */
double huge_bytes(void); /* of the buffer, that lie in huge pages */

/* chase.c: a cycle through all lines of a buffer in no order, kept between calls; NULL when there is no memory. Fresh: it was made anew. */
char *ring(size_t bytes, int *fresh);

/* walk.c: passes over an array by a stride, or down the columns of a matrix whose rows are as long */
enum kind { READ, UPDATE, VECTOR };
extern const int vector_bytes;
int kind_of(const char *name); /* -1: none */
double walk(enum kind kind, char *array, size_t bytes, size_t stride, int columns, uint64_t passes); /* ns */
size_t walk_accesses(enum kind kind, size_t bytes, size_t stride, int columns);

/* A value that the compiler must have in a register, and knows nothing of: so that loops are not turned into others. */
#if defined __x86_64__
#define OPAQUE(x) __asm__ volatile("" : "+x"(x))
#elif defined __aarch64__
#define OPAQUE(x) __asm__ volatile("" : "+w"(x))
#else
#define OPAQUE(x) __asm__ volatile("" : "+f"(x))
#endif

int pin(int cpu); /* 0, or errno */

/* What a pass goes over: elements or rows, elements from one to the next row, and rows and elements of a tile's row. */
struct shape {
    size_t each, stride, rows, run;
};
typedef double (*passes_fn)(double *at, const struct shape *shape);
void time_passes(passes_fn pass, double *at, const struct shape *shape, double accesses, int samples, double ns); /* answers with bursts, ns an access */

/* One function a command. */
void chase_command(char *arguments);
void walk_command(char *arguments);
void columns_command(char *arguments);
void work_command(char *arguments);
void runs_command(char *arguments);
void streams_command(char *arguments);
void team_command(char *arguments);
void operation_command(char *arguments);
void spin_command(char *arguments);
void noise_command(char *arguments);
void region_command(char *arguments);
void hold_command(char *arguments);
void issue_command(char *arguments);
void window_command(char *arguments);
void fault_command(char *arguments);

#endif
