// SPDX-License-Identifier: Apache-2.0
/* interpreter.c - a machine of a stack and sixteen variables carries out a program that counts Collatz steps. usage: interpreter [NUMBERS] */
#include <stdio.h>
#include <stdlib.h>

enum code { PUSH, LOAD, STORE, ADD, MUL, ODD, HALF, LESS, EQUAL, JUMP, UNLESS, STOP };

struct step {
    enum code code;
    long value;
};

static long run(const struct step *program, long *variables)
{
    long stack[64], *top = stack, count = 0;
    for (const struct step *at = program;; at++, count++) {
        switch (at->code) {
        case PUSH: *top++ = at->value; break;
        case LOAD: *top++ = variables[at->value]; break;
        case STORE: variables[at->value] = *--top; break;
        case ADD: top--; top[-1] += top[0]; break;
        case MUL: top--; top[-1] *= top[0]; break;
        case ODD: top[-1] &= 1; break;
        case HALF: top[-1] >>= 1; break;
        case LESS: top--; top[-1] = top[-1] < top[0]; break;
        case EQUAL: top--; top[-1] = top[-1] == top[0]; break;
        case JUMP: at = program + at->value - 1; break;
        case UNLESS:
            if (!*--top)
                at = program + at->value - 1;
            break;
        case STOP: return count;
        }
    }
}

int main(int argc, char **argv)
{
    enum { N, I, X, SUM };
    static const struct step program[] = {
        {PUSH, 1}, {STORE, I},                                               /* 0: i = 1 */
        {LOAD, I}, {LOAD, N}, {LESS, 0}, {UNLESS, 29},                       /* 2: while i < n */
        {LOAD, I}, {STORE, X},                                               /* 6: x = i */
        {LOAD, X}, {PUSH, 1}, {EQUAL, 0}, {UNLESS, 13}, {JUMP, 24},          /* 8: until x == 1 */
        {LOAD, X}, {ODD, 0}, {UNLESS, 32},                                   /* 13: x odd? */
        {LOAD, X}, {PUSH, 3}, {MUL, 0}, {PUSH, 1}, {ADD, 0}, {STORE, X},     /* 16: x = 3 x + 1 */
        {JUMP, 35}, {STOP, 0},                                               /* 22 */
        {LOAD, I}, {PUSH, 1}, {ADD, 0}, {STORE, I}, {JUMP, 2},               /* 24: i = i + 1 */
        {STOP, 0}, {STOP, 0}, {STOP, 0},                                     /* 29 */
        {LOAD, X}, {HALF, 0}, {STORE, X},                                    /* 32: x = x / 2 */
        {LOAD, SUM}, {PUSH, 1}, {ADD, 0}, {STORE, SUM}, {JUMP, 8},           /* 35: sum = sum + 1 */
    };
    long variables[16] = {argc > 1 ? atol(argv[1]) : 6000};
    long count = run(program, variables);
    printf("%ld steps, %ld instructions\n", variables[SUM], count);
    return 0;
}
