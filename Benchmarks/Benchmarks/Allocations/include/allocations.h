// Counts the allocations of the current thread, with glibc, which supports replacing malloc.
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns whether allocations are counted on this platform.
bool allocations_are_counted(void);
/// Returns the number of allocations and reallocations of this thread.
uint64_t allocations(void);
/// Returns the bytes that the process has allocated and not freed; 0 if allocations are not counted.
uint64_t memory_in_use(void);

#endif
