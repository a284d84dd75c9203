// Counts what this thread allocates, where the C library lets its functions be replaced: glibc.
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether anything is counted here.
bool allocations_are_counted(void);
/// How often this thread has allocated memory, or had it grow.
uint64_t allocations(void);
/// The bytes that the process has allocated and not given back; 0 where nothing is counted.
uint64_t memory_in_use(void);

#endif
