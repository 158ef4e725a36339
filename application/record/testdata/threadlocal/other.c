__thread long shared_by_files = 3;

long *where_shared(void) { return &shared_by_files; }
