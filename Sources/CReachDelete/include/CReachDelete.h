#ifndef CREACH_DELETE_H
#define CREACH_DELETE_H

#ifdef __cplusplus
extern "C" {
#endif

/// Frees memory that C++ code allocated with `new`, without running a destructor.
void reach_delete(void *memory);

#ifdef __cplusplus
}
#endif

#endif
