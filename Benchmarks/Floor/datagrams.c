// ICMP and DNS: one socket, with batched sending and receiving.
#define _GNU_SOURCE
#include "floor.h"

#include <netinet/ip_icmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#define ICMP_FILTER 1  // from linux/icmp.h, which conflicts with netinet/ip_icmp.h

enum { PACKET_SIZE = 256, PAYLOAD = 56 };

static int descriptor;
static int64_t *stamps;  // the time of each target's last probe
static uint8_t packets[BATCH][PACKET_SIZE];
static struct sockaddr_in peers[BATCH];
static struct iovec parts[BATCH];
static struct mmsghdr messages[BATCH];

static void open_datagrams(int type, int protocol) {
    stamps = calloc(targets, sizeof *stamps);
    descriptor = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (descriptor < 0) fail("socket");
    int size = 4 << 20;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    for (int index = 0; index < BATCH; index++) {
        parts[index].iov_base = packets[index];
        messages[index].msg_hdr = (struct msghdr){
            .msg_name = &peers[index],
            .msg_namelen = sizeof peers[index],
            .msg_iov = &parts[index],
            .msg_iovlen = 1,
        };
    }
    watch(EPOLL_CTL_ADD, descriptor, 0, EPOLLIN);
}

/// Sends a batch with one datagram for each target, encoded by `write`.
static void send_batch(uint32_t first, uint32_t count, size_t (*write)(uint8_t *packet, uint32_t target)) {
    for (uint32_t index = 0; index < count; index++) {
        peers[index] = address(first + index);
        parts[index].iov_len = write(packets[index], first + index);
        stamps[first + index] = now();
    }
    for (uint32_t sent = 0; sent < count;) {
        int more = sendmmsg(descriptor, messages + sent, count - sent, 0);
        if (more < 0) return;  // the rest counts as missed
        sent += more;
    }
}

/// Reads all pending datagrams. `read` returns a datagram's target, or UINT32_MAX for none.
static void receive(uint32_t (*read)(const uint8_t *packet, size_t length)) {
    int count = BATCH;
    while (count == BATCH) {
        for (int index = 0; index < BATCH; index++) parts[index].iov_len = PACKET_SIZE;
        count = recvmmsg(descriptor, messages, BATCH, 0, NULL);
        for (int index = 0; index < count; index++) {
            uint32_t target = read(packets[index], messages[index].msg_len);
            if (target < targets) reply(stamps[target]);
        }
    }
}

static void open_icmp(void) {
    open_datagrams(SOCK_RAW, IPPROTO_ICMP);
    uint32_t filter = ~(1u << ICMP_ECHOREPLY);
    setsockopt(descriptor, SOL_RAW, ICMP_FILTER, &filter, sizeof filter);
}

static size_t write_echo(uint8_t *packet, uint32_t target) {
    struct icmphdr *header = (struct icmphdr *)packet;
    *header = (struct icmphdr){.type = ICMP_ECHO, .un.echo.sequence = htons(target)};
    memcpy(packet + sizeof *header, &target, sizeof target);
    size_t length = sizeof *header + PAYLOAD;
    uint32_t sum = 0;
    for (size_t index = 0; index < length; index += 2) sum += packet[index] | packet[index + 1] << 8;
    sum = (sum >> 16) + (sum & 0xffff);
    header->checksum = ~(sum + (sum >> 16));
    return length;
}

static uint32_t read_echo(const uint8_t *packet, size_t length) {
    size_t head = (packet[0] & 15) * 4 + sizeof(struct icmphdr);
    uint32_t target = UINT32_MAX;
    if (length >= head + sizeof target) memcpy(&target, packet + head, sizeof target);
    return target;
}

static void open_dns(void) { open_datagrams(SOCK_DGRAM, 0); }

static size_t write_query(uint8_t *packet, uint32_t target) {
    static const uint8_t question[] = "\1\0\0\1\0\0\0\0\0\0\7example\4test\0\0\1\0\1";
    packet[0] = target >> 8;
    packet[1] = target;
    memcpy(packet + 2, question, sizeof question - 1);
    return 2 + sizeof question - 1;
}

static uint32_t read_answer(const uint8_t *packet, size_t length) {
    return length > 12 && packet[2] & 0x80 ? (uint32_t)(packet[0] << 8 | packet[1]) : UINT32_MAX;
}

static void probe_icmp(uint32_t first, uint32_t count) { send_batch(first, count, write_echo); }
static void probe_dns(uint32_t first, uint32_t count) { send_batch(first, count, write_query); }
static void ready_icmp(uint32_t tag, uint32_t events) { (void)tag, (void)events, receive(read_echo); }
static void ready_dns(uint32_t tag, uint32_t events) { (void)tag, (void)events, receive(read_answer); }

const struct method icmp = {"icmp", open_icmp, probe_icmp, ready_icmp};
const struct method dns = {"dns", open_dns, probe_dns, ready_dns};
