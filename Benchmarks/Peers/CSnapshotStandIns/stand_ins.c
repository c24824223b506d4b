// SQLite's functions for snapshots, for builds of SQLite that lack them. The workloads don't call them.

#define SQLITE_ERROR 1

__attribute__((weak)) int sqlite3_snapshot_get(void *database, const char *schema, void **snapshot) { return SQLITE_ERROR; }

__attribute__((weak)) int sqlite3_snapshot_open(void *database, const char *schema, void *snapshot) { return SQLITE_ERROR; }

__attribute__((weak)) void sqlite3_snapshot_free(void *snapshot) {}

__attribute__((weak)) int sqlite3_snapshot_cmp(void *first, void *second) { return 0; }
