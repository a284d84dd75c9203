#include "allocations.h"

#ifdef __GLIBC__

// The program's own definitions replace the library's in the whole process ("Replacing malloc" in the glibc manual). The
// library's functions are also available under the names below.
#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t count;

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    count++;
    return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    void *found = __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

bool allocations_are_counted(void) { return true; }
uint64_t allocations(void) { return count; }

uint64_t memory_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations(void) { return 0; }
uint64_t memory_in_use(void) { return 0; }

#endif
