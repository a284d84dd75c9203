// What Swift's module of the C library leaves out: epoll(7), in the same types for all C libraries.
#ifdef __linux__
#include <stdint.h>
#include <sys/epoll.h>

static const int epoll_close_on_exec = EPOLL_CLOEXEC;
static const uint32_t epoll_writable_once = (uint32_t)EPOLLOUT | (uint32_t)EPOLLONESHOT;
#endif
