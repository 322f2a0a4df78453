/* Replays a fuzzer's stored corpus: linked with the fuzzer's one function, named replay_NAME, it
 * feeds it every file of tests/fuzz/corpus/NAME. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);
    size_t size;

    if (!file || !data) {
        perror(path);
        exit(1);
    }
    size = fread(data, 1, 1 << 20, file);
    fclose(file);
    /* a copy of just that size, so that a sanitizer sees each byte beyond */
    data = realloc(data, size + !size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

int main(int count, char **arguments)
{
    const char *name = strstr(arguments[0], "replay_");
    char folder[1024], path[2048];
    struct dirent *entry;
    int files = 0;
    DIR *corpus;

    (void)count;
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", SOURCE_FOLDER,
             name ? name + strlen("replay_") : "");
    corpus = opendir(folder);
    while (corpus && (entry = readdir(corpus))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        replay(path);
        files++;
    }
    if (corpus)
        closedir(corpus);
    printf("%d files of %s\n", files, folder);
    return files == 0;
}
