// What it costs to ask at all: a loop that asks many targets on loopback, at a steady rate, and judges nothing.
#ifndef FLOOR_H
#define FLOOR_H

#include <netinet/in.h>
#include <stdint.h>

enum { BATCH = 64 };

/// What is asked of a target. The loop says whom to ask; a method sends, and writes down what comes back.
struct method {
    const char *name;
    /// Opens what all its probes share, and has it watched by `epoll`.
    void (*open)(void);
    /// Asks the targets `first` to `first + count - 1`, at most BATCH.
    void (*ask)(uint32_t first, uint32_t count);
    /// Something is to be read, or may be written. What it was is `tag`, as it was handed to `watch`.
    void (*ready)(uint32_t tag, uint32_t events);
};

extern const struct method icmp, tcp, dns, http;

extern uint32_t targets;  // how many
extern uint16_t port;

/// Nanoseconds of CLOCK_MONOTONIC.
int64_t now(void);
/// The address of a target: 127.1.x.y, 250 in each x.
struct sockaddr_in address(uint32_t target);
/// Has the loop tell the method when `descriptor` is ready; `change` is EPOLL_CTL_ADD or EPOLL_CTL_MOD.
void watch(int change, int descriptor, uint32_t tag, uint32_t events);
/// Counts a reply to what was sent at `sent`.
void reply(int64_t sent);
/// Ends the program with the system's word on it.
void fail(const char *what);

#endif
