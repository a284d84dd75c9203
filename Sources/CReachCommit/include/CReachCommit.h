#ifndef CREACH_COMMIT_H
#define CREACH_COMMIT_H

/// The commit that the program was built from and its date, such as `80eb996 2026-11-22`; empty unless `make` passes it.
const char *reach_commit(void);

#endif
