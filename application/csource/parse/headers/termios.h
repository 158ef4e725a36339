#ifndef FORESEE_TERMIOS_H
#define FORESEE_TERMIOS_H
typedef unsigned int tcflag_t;
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  unsigned char c_line, c_cc[32];
  unsigned int c_ispeed, c_ospeed;
};
#endif
