// Wrappers for prctl(2) and capset(2) of Linux. Swift cannot call variadic functions, or system calls without a C
// function. All functions apply to the calling thread and to the threads it creates later.
#ifdef __linux__
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The definitions of <linux/capability.h>, which not every C library provides; the version is 3.
struct capability_header { uint32_t version; int process; };
struct capability_sets { uint32_t effective, permitted, inheritable; };
static const uint32_t capability_version = 0x20080522;

// Returns the inheritable set; 0 if it cannot be read.
static inline uint64_t capabilities_inheritable(void) {
    struct capability_header header = {capability_version, 0};
    struct capability_sets sets[2];
    if (syscall(SYS_capget, &header, sets) != 0) return 0;
    return (uint64_t)sets[1].inheritable << 32 | sets[0].inheritable;
}

// Replaces the inheritable set and keeps the others. Capabilities removed from it are removed from the ambient set too.
static inline bool capabilities_set_inheritable(uint64_t inheritable) {
    struct capability_header header = {capability_version, 0};
    struct capability_sets sets[2];
    if (syscall(SYS_capget, &header, sets) != 0) return false;
    sets[0].inheritable = (uint32_t)inheritable;
    sets[1].inheritable = (uint32_t)(inheritable >> 32);
    return syscall(SYS_capset, &header, sets) == 0;
}

// Whether a program that this process executes may get CAP_NET_RAW from its file: the bounding set has it. If not, the
// kernel refuses to execute a file with it (capabilities(7), "Transformation of capabilities during execve()").
static inline bool capabilities_may_be_raw(void) {
    const unsigned long net_raw = 13;
    return prctl(PR_CAPBSET_READ, net_raw, 0, 0, 0) == 1;
}

// Returns the ambient set: the capabilities that an executed program keeps.
static inline uint64_t capabilities_ambient(void) {
    uint64_t ambient = 0;
    for (unsigned long number = 0; number < 64; number++) {
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, number, 0, 0) == 1) ambient |= (uint64_t)1 << number;
    }
    return ambient;
}

// Clears the ambient set.
static inline bool capabilities_clear_ambient(void) {
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0;
}

// Adds capabilities to the ambient set. They must be permitted and inheritable.
static inline void capabilities_raise_ambient(uint64_t ambient) {
    for (unsigned long number = 0; number < 64; number++) {
        if (ambient >> number & 1) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0);
    }
}
#endif
