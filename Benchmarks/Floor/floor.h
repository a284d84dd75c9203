// The minimal cost of probing: a loop that probes many targets on loopback at a steady rate and evaluates nothing.
#ifndef FLOOR_H
#define FLOOR_H

#include <netinet/in.h>
#include <stdint.h>

enum { BATCH = 64 };

/// A probe method. The loop selects the due targets; the method sends the probes and records the replies.
struct method {
    const char *name;
    /// Opens the shared socket, if any, and adds it to `epoll`.
    void (*open)(void);
    /// Probes the targets `first` to `first + count - 1`, at most BATCH.
    void (*probe)(uint32_t first, uint32_t count);
    /// Handles a readable or writable descriptor. `tag` is the value passed to `watch`.
    void (*ready)(uint32_t tag, uint32_t events);
};

extern const struct method icmp, tcp, dns, http;

extern uint32_t targets;  // the number of targets
extern uint16_t port;

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
int64_t now(void);
/// Returns a target's address: 127.1.x.y, 250 for each x.
struct sockaddr_in address(uint32_t target);
/// Registers a descriptor for events; `change` is EPOLL_CTL_ADD or EPOLL_CTL_MOD.
void watch(int change, int descriptor, uint32_t tag, uint32_t events);
/// Counts a reply to a probe that was sent at the time `sent`.
void reply(int64_t sent);
/// Prints the system's error message and exits.
void fail(const char *what);

#endif
