#ifndef FORESEE_MQUEUE_H
#define FORESEE_MQUEUE_H
#include <sys/types.h>
typedef int mqd_t;
struct mq_attr {
  long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs, reserved[4];
};
mqd_t mq_open(const char *, int, ...);
int mq_close(mqd_t);
int mq_unlink(const char *);
int mq_send(mqd_t, const char *, size_t, unsigned);
ssize_t mq_receive(mqd_t, char *, size_t, unsigned *);
int mq_getattr(mqd_t, struct mq_attr *);
#endif
