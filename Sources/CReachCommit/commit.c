#include "CReachCommit.h"

#ifndef REACH_COMMIT
#define REACH_COMMIT ""
#endif

const char *reach_commit(void) {
    return REACH_COMMIT;
}
