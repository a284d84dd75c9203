// epoll(7), which Swift's module of the C library does not include, with the same types for all C libraries.
#ifdef __linux__
#include <stdint.h>
#include <sys/epoll.h>

static const int epoll_close_on_exec = EPOLL_CLOEXEC;
static const uint32_t epoll_writable_once = (uint32_t)EPOLLOUT | (uint32_t)EPOLLONESHOT;
#endif
