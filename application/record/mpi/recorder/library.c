/* library.c - the MPI library that the program uses: its functions, its kind of handles, its constants.
 *
 * OpenMPI's handles are addresses of its objects, MPICH's are numbers. The values below are those of their public
 * headers, which programs have compiled in, so that they cannot change within an ABI.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct library library;

static struct {
    uintptr_t from, to; /* code of the library */
} code;

static void complain(const char *what, const char *name) {
    const char *parts[] = {"foresee: ", what, name, "\n"};
    for (int i = 0; i < 4; i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
            return;
}

struct search {
    const char *name;
    void *found;
};

/* look_in looks into a library that was loaded for one other library alone, as Python does with its modules: what it
 * defines does not come after the recorder in any order of search. */
static int look_in(struct dl_phdr_info *info, size_t size, void *search) {
    (void)size;
    struct search *s = search;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libmpi"))
        return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return 0;
    s->found = dlsym(handle, s->name);
    dlclose(handle);
    return s->found != 0;
}

static void *look_up(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found)
        return found;
    struct search search = {name, 0};
    dl_iterate_phdr(look_in, &search);
    return search.found;
}

void *mpi_function(const char *name) {
    void *found = look_up(name);
    if (!found) {
        complain("the MPI library has no ", name);
        abort();
    }
    return found;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *address) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || (uintptr_t)address - from >= p->p_memsz)
            continue;
        code.from = from;
        code.to = from + p->p_memsz;
        return 1;
    }
    return 0;
}

bool library_holds(const void *address) {
    return (uintptr_t)address - code.from < code.to - code.from;
}

/* library_open looks at the library once MPI_Init is done. */
bool library_open(void) {
    static char text[8192]; /* MPI_MAX_LIBRARY_VERSION_STRING of both */
    int length = 0;
    ((int (*)(char *, int *))mpi_function("PMPI_Get_library_version"))(text, &length);
    text[strcspn(text, "\r\n")] = 0;
    for (char *tab; (tab = strchr(text, '\t'));)
        *tab = ' ';
    /* The linker may have moved the object into the program itself, which is first in the default order. */
    void *world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    if (!world)
        world = look_up("ompi_mpi_comm_world");
    if (world)
        library = (struct library){
            .open_mpi = true, .world = (word)world, .in_place = 1, .proc_null = -2, .undefined = -32766, .cart = 1, .graph = 2, .name = text,
            .comm_null = (word)look_up("ompi_mpi_comm_null"), .status_ignore = 0, .status_source = 0};
    else if (strstr(text, "MPICH") || strstr(text, "MVAPICH") || strstr(text, "Intel"))
        library = (struct library){
            .world = 0x44000000, .in_place = -1, .proc_null = -1, .undefined = -32766, .cart = 2, .graph = 1, .name = text,
            .comm_null = 0x04000000, .status_ignore = 1, .status_source = 2};
    else {
        complain("nothing is recorded, this MPI is neither OpenMPI nor made from MPICH: ", text);
        return false;
    }
    dl_iterate_phdr(find_code, mpi_function("PMPI_Get_library_version"));
    return true;
}

/* type_size asks each time: that takes less than a cache would that types freed and made again cannot deceive. */
int64_t type_size(word type) {
    static int (*ask)(word, int64_t *);
    static int (*ask_int)(word, int *);
    if (!ask && !ask_int) {
        ask = (int (*)(word, int64_t *))look_up("PMPI_Type_size_x"); /* since MPI 3 */
        if (!ask)
            ask_int = (int (*)(word, int *))mpi_function("PMPI_Type_size");
    }
    int64_t size = 0;
    int small = 0;
    if (ask)
        ask(type, &size);
    else if (ask_int(type, &small) == 0)
        size = small;
    return size > 0 ? size : 0;
}
