#include <sqlite3.h>

/* Whether the database file is no longer where it was opened: moved, replaced or deleted. No where SQLite can't tell. */
static inline int csqlite_has_moved(sqlite3 *database) {
    int moved = 0;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

/* sqlite3_db_config takes a variable number of arguments, which Swift can't pass. */
static inline int csqlite_set_checkpoint_on_close(sqlite3 *database, int checkpoints) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}
