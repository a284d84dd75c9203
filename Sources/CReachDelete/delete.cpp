#include "CReachDelete.h"

#include <new>

extern "C" void reach_delete(void *memory) {
    ::operator delete(memory);
}
