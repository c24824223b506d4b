#ifndef CBENCHMARKSYSTEM_SHIM_H
#define CBENCHMARKSYSTEM_SHIM_H

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>

#if defined(__GLIBC__)
#include <malloc.h>

/// The bytes that malloc has given out and not got back.
static inline size_t bench_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#elif defined(__APPLE__)
#include <malloc/malloc.h>

static inline size_t bench_allocated_bytes(void) {
    return mstats().bytes_used;
}
#else
static inline size_t bench_allocated_bytes(void) {
    return 0;
}
#endif

/// How often a page of memory was not there yet, without any reading from a disk.
static inline long bench_page_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : 0;
}

/// `SQLITE_TRANSIENT` is a macro with a cast, which Swift does not import.
static inline sqlite3_destructor_type bench_transient(void) {
    return SQLITE_TRANSIENT;
}

#endif
