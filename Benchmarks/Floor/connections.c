// TCP and HTTP: a connection for each probe, closed at once or after the answer.
#define _GNU_SOURCE
#include "floor.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536 };

static int64_t stamps[DESCRIPTORS];

static void open_connections(void) {}

static void probe_connections(uint32_t first, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        struct sockaddr_in peer = address(first + index);
        int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (descriptor < 0 || descriptor >= DESCRIPTORS) fail("socket");
        stamps[descriptor] = now();
        connect(descriptor, (struct sockaddr *)&peer, sizeof peer);
        watch(EPOLL_CTL_ADD, descriptor, descriptor, EPOLLOUT);
    }
}

static int is_connected(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && !error;
}

static void ready_tcp(uint32_t tag, uint32_t events) {
    (void)events;
    if (is_connected(tag)) reply(stamps[tag]);
    close(tag);
}

static void ready_http(uint32_t tag, uint32_t events) {
    static const char request[] = "GET / HTTP/1.1\r\nHost: floor\r\nConnection: close\r\n\r\n";
    if (events & EPOLLOUT && is_connected(tag)) {
        if (send(tag, request, sizeof request - 1, MSG_NOSIGNAL) < 0) close(tag);
        else watch(EPOLL_CTL_MOD, tag, tag, EPOLLIN);
        return;
    }
    char answer[4096];
    if (recv(tag, answer, sizeof answer, 0) > 12 && !memcmp(answer + 9, "200", 3)) reply(stamps[tag]);
    close(tag);
}

const struct method tcp = {"tcp", open_connections, probe_connections, ready_tcp};
const struct method http = {"http", open_connections, probe_connections, ready_http};
