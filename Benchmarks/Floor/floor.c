// floor METHOD TARGETS TICK-µs SECONDS PORT: probes each target once a second, with the sends spread over ticks, and
// prints one JSON object at the end. METHOD is icmp, tcp, dns or http.
#define _GNU_SOURCE
#include "floor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { TIMER = UINT32_MAX, SLOTS = 1 << 20 };

uint32_t targets;
uint16_t port;
static int epoll;
static uint64_t replies;
static uint32_t histogram[SLOTS];  // round trips in steps of 100 ns; the last slot holds all longer ones
static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

void fail(const char *what) {
    perror(what);
    exit(1);
}

int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

struct sockaddr_in address(uint32_t target) {
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(0x7f010000 + target / 250 * 256 + target % 250 + 1),
    };
}

void watch(int change, int descriptor, uint32_t tag, uint32_t events) {
    struct epoll_event event = {.events = events, .data.u32 = tag};
    if (epoll_ctl(epoll, change, descriptor, &event) < 0) fail("epoll_ctl");
}

void reply(int64_t sent) {
    int64_t slot = (now() - sent) / 100;
    histogram[slot < SLOTS ? slot : SLOTS - 1]++;
    replies++;
}

/// Returns a percentile of the round trips in microseconds, by nearest rank.
static double percentile(uint64_t permille) {
    uint64_t rank = (replies * permille + 999) / 1000, count = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if ((count += histogram[slot]) >= rank) return slot / 10.0;
    return 0;
}

int main(int argc, char **argv) {
    const struct method *methods[] = {&icmp, &tcp, &dns, &http}, *method = NULL;
    for (int index = 0; index < 4 && argc == 6; index++)
        if (!strcmp(argv[1], methods[index]->name)) method = methods[index];
    if (!method || !(targets = strtoul(argv[2], NULL, 10))) {
        fprintf(stderr, "usage: floor icmp|tcp|dns|http TARGETS TICK-µs SECONDS PORT\n");
        return 2;
    }
    int64_t tick = strtoll(argv[3], NULL, 10) * 1000, length = strtoll(argv[4], NULL, 10) * 1000000000LL;
    port = strtoul(argv[5], NULL, 10);
    struct rlimit descriptors = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &descriptors);
    signal(SIGINT, end);
    signal(SIGTERM, end);
    if ((epoll = epoll_create1(0)) < 0) fail("epoll_create1");
    method->open();
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct timespec step = {tick / 1000000000, tick % 1000000000};
    timerfd_settime(timer, 0, &(struct itimerspec){step, step}, NULL);
    watch(EPOLL_CTL_ADD, timer, TIMER, EPOLLIN);

    int64_t start = now();
    uint64_t sent = 0;
    while (!ended && now() - start < length) {
        struct epoll_event events[BATCH];
        int count = epoll_wait(epoll, events, BATCH, 1000);
        for (int index = 0; index < count; index++) {
            if (events[index].data.u32 != TIMER) {
                method->ready(events[index].data.u32, events[index].events);
                continue;
            }
            uint64_t ticks;
            if (read(timer, &ticks, sizeof ticks) < 0) continue;
            // Sends all due probes, in batches that end at the last target.
            for (uint64_t due = (now() - start) / 1000 * targets / 1000000; sent < due;) {
                uint32_t first = sent % targets, batch = due - sent < BATCH ? due - sent : BATCH;
                if (batch > targets - first) batch = targets - first;
                method->probe(first, batch);
                sent += batch;
            }
        }
    }
    printf("{\"sent\": %lu, \"replies\": %lu, \"round_trip_us\": {\"p50\": %.1f, \"p99\": %.1f}}\n", sent, replies,
           percentile(500), percentile(990));
}
