#include <sqlite3.h>

/* Whether the database file is no longer where it was opened: moved, replaced or deleted. No where SQLite can't tell. */
static inline int csqlite_has_moved(sqlite3 *database) {
    int moved = 0;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

/* Keeps a database file from doing more than to hold data: its schema may not call functions that could do harm or belong to queries, show views in place of
   tables, or be changed behind SQLite's back. */
static inline void csqlite_distrust(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, (int *)0);
    /* Nothing attaches databases, and no trigger of Core Data's sets off more than a few others. */
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 32);
}

/* sqlite3_db_config takes a variable number of arguments, which Swift can't pass. */
static inline int csqlite_set_checkpoint_on_close(sqlite3 *database, int checkpoints) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}
