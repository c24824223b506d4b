#include <sqlite3.h>

/* sqlite3_db_config takes a variable number of arguments, which Swift can't pass. */
static inline int csqlite_set_checkpoint_on_close(sqlite3 *database, int checkpoints) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}
