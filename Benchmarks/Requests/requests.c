// requests METHOD TARGETS SECONDS PORT TARGET-PORT: requests a probe of each target once a second from the exporter at
// 127.0.0.1:PORT, on connections that it keeps, and prints the ICMP round trips in microseconds, as one JSON list.
// METHOD is the name of the module: icmp, tcp, dns or http.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 64, ANSWER = 65536, TIMER = UINT32_MAX };

struct connection {
    int descriptor;  // -1 while closed
    int is_busy;
    uint64_t next;  // the number of its next request, counted from zero
    size_t count;
    char answer[ANSWER];
};

static struct connection connections[CONNECTIONS];
static const char *method;
static uint64_t targets;
static int port, target_port, events;
static int64_t start;
static double *trips;
static size_t trip_count, trip_room;
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/// When a request is due.
static int64_t due(uint64_t number) {
    return start + (int64_t)(number * 1000000 / targets) * 1000;
}

static void watch(int descriptor, uint32_t tag) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = tag};
    if (epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll_ctl");
}

static void drop(struct connection *connection) {
    close(connection->descriptor);
    connection->descriptor = -1;
    connection->is_busy = 0;
    connection->count = 0;
}

/// Connects to the exporter, on loopback at once or not at all.
static int open_connection(struct connection *connection) {
    struct sockaddr_in peer = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (descriptor < 0) fail("socket");
    if (connect(descriptor, (struct sockaddr *)&peer, sizeof peer) < 0) {
        close(descriptor);
        return 0;
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connection->descriptor = descriptor;
    watch(descriptor, connection - connections);
    return 1;
}

/// Sends the request of a connection that is due. Leaves out those whose target is due again.
static void request(struct connection *connection) {
    if (connection->is_busy) return;
    int64_t time = now();
    while (due(connection->next) + 1000000000LL < time) connection->next += CONNECTIONS;
    if (due(connection->next) > time) return;
    if (connection->descriptor < 0 && !open_connection(connection)) return;
    uint32_t number = connection->next % targets;
    char end[16] = "", text[256];
    int is_url = !strcmp(method, "http");
    if (strcmp(method, "icmp")) snprintf(end, sizeof end, "%%3A%d%s", target_port, is_url ? "%2F" : "");
    int length = snprintf(text, sizeof text,
                          "GET /probe?module=%s&target=%s127.1.%u.%u%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", method,
                          is_url ? "http%3A%2F%2F" : "", number / 250, number % 250 + 1, end, port);
    if (send(connection->descriptor, text, length, MSG_NOSIGNAL) != length) return drop(connection);
    connection->is_busy = 1;
    connection->next += CONNECTIONS;
}

/// Whether the answer is complete, by its length or its last chunk.
static int is_complete(const struct connection *connection) {
    const char *head = connection->answer, *body = strstr(head, "\r\n\r\n");
    const char *length = strcasestr(head, "\r\nContent-Length: ");
    if (!body) return 0;
    size_t count = connection->count - (body + 4 - head);
    if (length && length < body) return count >= strtoul(length + 18, NULL, 10);
    return count >= 5 && !memcmp(head + connection->count - 5, "0\r\n\r\n", 5);
}

static void record_trip(const char *answer) {
    static const char name[] = "\nprobe_icmp_duration_seconds{phase=\"rtt\"} ";
    const char *sample = strstr(answer, name);
    if (!sample) return;
    if (trip_count == trip_room) {
        trip_room = trip_room ? trip_room * 2 : 4096;
        if (!(trips = realloc(trips, trip_room * sizeof *trips))) fail("realloc");
    }
    trips[trip_count++] = strtod(sample + sizeof name - 1, NULL) * 1e6;
}

static void receive(struct connection *connection) {
    ssize_t count = recv(connection->descriptor, connection->answer + connection->count,
                         ANSWER - 1 - connection->count, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return drop(connection);
    connection->count += count;
    connection->answer[connection->count] = 0;
    if (!is_complete(connection)) return;
    record_trip(connection->answer);
    int is_last = strcasestr(connection->answer, "\r\nConnection: close\r\n") != NULL;
    connection->is_busy = 0;
    connection->count = 0;
    if (is_last) drop(connection);
    request(connection);
}

int main(int argc, char **argv) {
    if (argc != 6 || !(targets = strtoul(argv[2], NULL, 10))) {
        fprintf(stderr, "usage: requests METHOD TARGETS SECONDS PORT TARGET-PORT\n");
        return 2;
    }
    method = argv[1];
    int64_t length = strtoll(argv[3], NULL, 10) * 1000000000LL;
    port = atoi(argv[4]);
    target_port = atoi(argv[5]);
    signal(SIGINT, end);
    signal(SIGTERM, end);
    if ((events = epoll_create1(0)) < 0) fail("epoll_create1");
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct timespec tick = {0, 1000000};
    timerfd_settime(timer, 0, &(struct itimerspec){tick, tick}, NULL);
    watch(timer, TIMER);
    start = now() + 500000000;
    for (int index = 0; index < CONNECTIONS; index++) {
        connections[index].descriptor = -1;
        connections[index].next = index;
    }
    while (!ended && now() - start < length) {
        struct epoll_event ready[CONNECTIONS + 1];
        int count = epoll_wait(events, ready, CONNECTIONS + 1, 1000);
        for (int index = 0; index < count; index++) {
            uint64_t ticks;
            if (ready[index].data.u32 != TIMER) receive(&connections[ready[index].data.u32]);
            else if (read(timer, &ticks, sizeof ticks) > 0)
                for (int number = 0; number < CONNECTIONS; number++) request(&connections[number]);
        }
    }
    // The first fifth is the start.
    printf("[");
    for (size_t index = trip_count / 5; index < trip_count; index++)
        printf("%s%.1f", index > trip_count / 5 ? ", " : "", trips[index]);
    printf("]\n");
}
