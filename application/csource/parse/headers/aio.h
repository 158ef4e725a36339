#ifndef FORESEE_AIO_H
#define FORESEE_AIO_H
#include <sys/types.h>
struct aiocb {
  int aio_fildes, aio_lio_opcode, aio_reqprio;
  volatile void *aio_buf;
  size_t aio_nbytes;
  long words[14];
};
int aio_read(struct aiocb *);
int aio_write(struct aiocb *);
int aio_error(const struct aiocb *);
ssize_t aio_return(struct aiocb *);
int aio_suspend(const struct aiocb *const *, int, const void *);
#endif
