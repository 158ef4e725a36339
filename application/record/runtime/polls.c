/* polls.c - virtual threads that wait for files: pipes and sockets, to whose other end another one may write, and events. While others can run, they do.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "own.h"

/* Lets others run until the file is ready, or nobody else can. */
static void wait_for(int file, short events) {
    if (!vo_shares())
        return;
    int before = errno;
    struct pollfd p = {file, events, 0};
    while (vo_others() && REAL(poll)(&p, 1, 0) == 0) {
        fr_yield();
        vo_cancel_point();
    }
    errno = before;
}

OURS ssize_t read(int file, void *to, size_t bytes) {
    wait_for(file, POLLIN);
    return REAL(read)(file, to, bytes);
}
OURS ssize_t readv(int file, const struct iovec *to, int n) {
    wait_for(file, POLLIN);
    return REAL(readv)(file, to, n);
}
OURS ssize_t write(int file, const void *from, size_t bytes) {
    wait_for(file, POLLOUT);
    return REAL(write)(file, from, bytes);
}
OURS ssize_t writev(int file, const struct iovec *from, int n) {
    wait_for(file, POLLOUT);
    return REAL(writev)(file, from, n);
}

static short incoming(int flags) { return flags & MSG_DONTWAIT ? 0 : POLLIN; }

OURS ssize_t recv(int file, void *to, size_t bytes, int flags) {
    if (incoming(flags))
        wait_for(file, POLLIN);
    return REAL(recv)(file, to, bytes, flags);
}
OURS ssize_t recvfrom(int file, void *restrict to, size_t bytes, int flags, struct sockaddr *restrict a, socklen_t *restrict n) {
    if (incoming(flags))
        wait_for(file, POLLIN);
    return REAL(recvfrom)(file, to, bytes, flags, a, n);
}
OURS ssize_t recvmsg(int file, struct msghdr *m, int flags) {
    if (incoming(flags))
        wait_for(file, POLLIN);
    return REAL(recvmsg)(file, m, flags);
}
OURS ssize_t send(int file, const void *from, size_t bytes, int flags) {
    if (incoming(flags))
        wait_for(file, POLLOUT);
    return REAL(send)(file, from, bytes, flags);
}
OURS int accept(int file, struct sockaddr *restrict a, socklen_t *restrict n) {
    wait_for(file, POLLIN);
    return REAL(accept)(file, a, n);
}

/* When waiting for a number of milliseconds is over, by the virtual clock; 0: never. */
static uint64_t over(int ms) { return ms < 0 ? 0 : vo_now() + (uint64_t)ms * 1000000 + 1; }

/* Asks again and again while others can run, until something is ready or the time is over. Whoever waits here is not asleep for the others. */
#define WHILE_OTHERS_RUN(ms, call)                                                                                     \
    if ((ms) != 0 && vo_shares()) {                                                                                       \
        uint64_t end = over(ms);                                                                                       \
        int ready;                                                                                                     \
        while ((ready = call) == 0) {                                                                                  \
            vo_cancel_point();                                                                                         \
            if (end && vo_now() >= end)                                                                                \
                return 0;                                                                                              \
            if (!vo_others())                                                                                          \
                break;                                                                                                 \
            vo_pass(1000); /* ns that asking takes; chosen */                                                          \
            fr_yield();                                                                                                \
        }                                                                                                              \
        if (ready != 0)                                                                                                \
            return ready;                                                                                                  \
    }

OURS int poll(struct pollfd *files, nfds_t count, int ms) {
    WHILE_OTHERS_RUN(ms, REAL(poll)(files, count, 0))
    return REAL(poll)(files, count, ms);
}

OURS int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
    int ms = time ? (int)(time->tv_sec * 1000 + (time->tv_nsec + 999999) / 1000000) : -1;
    WHILE_OTHERS_RUN(ms, REAL(poll)(files, count, 0))
    return REAL(ppoll)(files, count, time, mask);
}

OURS int epoll_wait(int file, struct epoll_event *events, int most, int ms) {
    WHILE_OTHERS_RUN(ms, REAL(epoll_wait)(file, events, most, 0))
    return REAL(epoll_wait)(file, events, most, ms);
}

static int selected(int n, fd_set *sets[3], const fd_set before[3]) {
    struct timeval none = {0, 0};
    for (int i = 0; i < 3; i++)
        if (sets[i])
            *sets[i] = before[i];
    return REAL(select)(n, sets[0], sets[1], sets[2], &none);
}

OURS int select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, struct timeval *restrict time) {
    fd_set *sets[3] = {r, w, e}, before[3];
    int ms = time ? (int)(time->tv_sec * 1000 + (time->tv_usec + 999) / 1000) : -1;
    if (n > FD_SETSIZE)
        return REAL(select)(n, r, w, e, time);
    for (int i = 0; i < 3; i++)
        if (sets[i])
            before[i] = *sets[i];
    WHILE_OTHERS_RUN(ms, selected(n, sets, before))
    for (int i = 0; i < 3; i++)
        if (sets[i])
            *sets[i] = before[i];
    return REAL(select)(n, r, w, e, time);
}
