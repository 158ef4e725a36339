#ifndef FORESEE_NET_IF_H
#define FORESEE_NET_IF_H
#include <sys/socket.h>
#define IFNAMSIZ 16
#define IF_NAMESIZE 16
#define IFF_UP 1
#define IFF_LOOPBACK 8
struct ifreq {
  char ifr_name[IFNAMSIZ];
  struct sockaddr ifr_addr;
  long more;
};
unsigned if_nametoindex(const char *);
char *if_indextoname(unsigned, char *);
#endif
