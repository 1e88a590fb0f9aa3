// SPDX-License-Identifier: MIT
// cache_file.c - reads and writes cache files. The file, all numbers little endian:
//
//     "RILLKEEP"  8 bytes       version  u32          arrays, numbers  u32 each
//     key  u64
//     per array: length of its name u32, the name, width u64, rows u64
//     numbers  f64 each          values of the arrays, row by row, in runs: their number u32, with
//                                its highest bit set one f32 for all of them, else an f32 each
//     checksum  u64: FNV-1a of all bytes before it
//
// A reader first checks everything against what it expects and puts the values aside; only a whole
// file changes anything.
#include "scene/formats/formats.h"

#include "rill/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAGIC     "RILLKEEP"
#define VERSION   1u
#define FIRST_SUM 0xcbf29ce484222325u
#define CHUNK     4096        // values in a run of those that differ
#define SAME      0x80000000u // in the number of a run: one value for all of them
#define WORTH     4           // values alike that are worth a run of their own

// ---- Bytes -----------------------------------------------------------------------------

// A file that is being read or written; after the first error nothing more happens to it.
typedef struct stream {
    FILE *file;       // to read from
    rl_out_file *out; // to write to
    uint64_t sum;
    bool truncated; // bytes that should be there are not
} stream;

// Each byte changes the sum in a way that other bytes cannot undo but by chance.
static void add_to_sum(stream *s, const unsigned char *bytes, size_t count)
{
    uint64_t sum = s->sum;
    for (size_t n = 0; n < count; n++)
        sum = (sum ^ bytes[n]) * 0x100000001b3u;
    s->sum = sum;
}

static void put(stream *s, const void *bytes, size_t count)
{
    rl_out_bytes(s->out, bytes, count);
    add_to_sum(s, bytes, count);
}

static void get(stream *s, void *bytes, size_t count)
{
    memset(bytes, 0, count);
    if (s->truncated || count == 0)
        return;
    s->truncated = fread(bytes, 1, count, s->file) != count;
    add_to_sum(s, bytes, count);
}

static void put_number(stream *s, uint64_t value, int count)
{
    unsigned char bytes[8];
    for (int n = 0; n < count; n++)
        bytes[n] = (unsigned char)(value >> (8 * n));
    put(s, bytes, (size_t)count);
}

static uint64_t get_number(stream *s, int count)
{
    unsigned char bytes[8];
    uint64_t value = 0;
    get(s, bytes, (size_t)count);
    for (int n = 0; n < count; n++)
        value |= (uint64_t)bytes[n] << (8 * n);
    return value;
}

static uint32_t bits_of(const float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

// Counts the values from the first on that are alike to the last bit.
static size_t alike(const float *values, size_t count)
{
    size_t n = 1;
    while (n < count && bits_of(values + n) == bits_of(values))
        n++;
    return n;
}

static void put_each(stream *s, const float *values, size_t count)
{
    put_number(s, count, 4);
    for (size_t n = 0; n < count; n++)
        put_number(s, bits_of(values + n), 4);
}

// Most of a terrain is dry and holds the same everywhere.
static void put_floats(stream *s, const float *values, size_t count)
{
    size_t first = 0; // of the values that are not written yet
    for (size_t n = 0; n < count;) {
        const size_t same = alike(values + n, count - n < SAME ? count - n : SAME - 1);
        const size_t other = same >= WORTH ? n - first : n + same - first;
        if (other > 0 && (same >= WORTH || other + WORTH > CHUNK || n + same == count)) {
            put_each(s, values + first, other);
            first += other;
        }
        if (same >= WORTH) {
            put_number(s, SAME | same, 4);
            put_number(s, bits_of(values + n), 4);
            first = n + same;
        }
        n += same;
    }
}

static void get_floats(stream *s, float *values, size_t count)
{
    for (size_t done = 0; done < count && !s->truncated;) {
        const uint64_t head = get_number(s, 4), now = head & (SAME - 1);
        const bool same = (head & SAME) != 0;
        if (now == 0 || now > count - done) {
            s->truncated = true; // no writer leaves that: what comes after it is lost
            return;
        }
        uint32_t bits = 0;
        for (uint64_t n = 0; n < now; n++, done++) {
            if (n == 0 || !same)
                bits = (uint32_t)get_number(s, 4);
            memcpy(values + done, &bits, sizeof bits);
        }
    }
}

// ---- Reading ---------------------------------------------------------------------------

static rill_status fail_truncated(const char *path)
{
    return rill_fail(RILL_BAD_FILE, "%s: is cut short", path);
}

static rill_status check_head(stream *s, const char *path, uint64_t key, int count,
                              int number_count)
{
    char magic[sizeof MAGIC - 1];
    get(s, magic, sizeof magic);
    if (s->truncated || memcmp(magic, MAGIC, sizeof magic) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: is no cache file", path);
    const uint64_t version = get_number(s, 4), arrays = get_number(s, 4);
    const uint64_t numbers = get_number(s, 4), found = get_number(s, 8);
    if (s->truncated)
        return fail_truncated(path);
    if (version != VERSION)
        return rill_fail(RILL_BAD_FILE, "%s: is of version %llu, this reads version %u", path,
                         (unsigned long long)version, VERSION);
    if (found != key)
        return rill_fail(RILL_BAD_FILE,
                         "%s: was kept for something else (key %016llx, not %016llx)", path,
                         (unsigned long long)found, (unsigned long long)key);
    if (arrays != (uint64_t)count || numbers != (uint64_t)number_count)
        return rill_fail(RILL_BAD_FILE, "%s: has %llu arrays and %llu numbers, not %d and %d", path,
                         (unsigned long long)arrays, (unsigned long long)numbers, count,
                         number_count);
    return RILL_OK;
}

static rill_status check_array(stream *s, const char *path, const rill_state_array *array)
{
    char name[64];
    const uint64_t length = get_number(s, 4);
    if (s->truncated)
        return fail_truncated(path);
    if (length != strlen(array->name) || length >= sizeof name)
        return rill_fail(RILL_BAD_FILE, "%s: has another array in the place of %s", path,
                         array->name);
    get(s, name, (size_t)length);
    const uint64_t width = get_number(s, 8), rows = get_number(s, 8);
    if (s->truncated)
        return fail_truncated(path);
    if (memcmp(name, array->name, (size_t)length) != 0)
        return rill_fail(RILL_BAD_FILE, "%s: has another array in the place of %s", path,
                         array->name);
    if (width != array->width || rows != array->rows)
        return rill_fail(RILL_BAD_FILE, "%s: %s has %llu x %llu values, not %zu x %zu", path,
                         array->name, (unsigned long long)width, (unsigned long long)rows,
                         array->width, array->rows);
    return RILL_OK;
}

static size_t values_of(const rill_state_array *arrays, int count)
{
    size_t values = 0;
    for (int n = 0; n < count; n++)
        values += arrays[n].width * arrays[n].rows;
    return values;
}

// Reads what comes after the heads into memory of its own.
static rill_status read_values(stream *s, const char *path, float *values, size_t count,
                               double *numbers, int number_count)
{
    for (int n = 0; n < number_count; n++) {
        const uint64_t bits = get_number(s, 8);
        memcpy(&numbers[n], &bits, sizeof bits);
    }
    get_floats(s, values, count);
    const uint64_t sum = s->sum, stored = get_number(s, 8);
    if (s->truncated)
        return fail_truncated(path);
    if (sum != stored)
        return rill_fail(RILL_BAD_FILE, "%s: is damaged, its checksum does not hold", path);
    if (fgetc(s->file) != EOF)
        return rill_fail(RILL_BAD_FILE, "%s: is damaged, something follows its checksum", path);
    return RILL_OK;
}

static void hand_over(const rill_state_array *arrays, int count, const float *values)
{
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++) {
            memcpy(arrays[n].data + row * arrays[n].pitch, values,
                   arrays[n].width * sizeof *values);
            values += arrays[n].width;
        }
}

static rill_status read_stream(stream *s, const char *path, uint64_t key,
                               const rill_state_array *arrays, int count, double *numbers,
                               int number_count, const rill_allocator *allocator)
{
    RILL_TRY(check_head(s, path, key, count, number_count));
    for (int n = 0; n < count; n++)
        RILL_TRY(check_array(s, path, &arrays[n]));
    const size_t value_count = values_of(arrays, count);
    const size_t value_bytes = value_count * sizeof(float);
    const size_t number_bytes = (size_t)number_count * sizeof(double);
    double *aside = rill_alloc(allocator, number_bytes + value_bytes);
    if (aside == NULL && number_bytes + value_bytes > 0)
        return rill_fail(RILL_NO_MEMORY, "%s: no memory for its %zu values", path, value_count);
    float *values = (float *)(aside + number_count);
    const rill_status status = read_values(s, path, values, value_count, aside, number_count);
    if (status == RILL_OK) {
        hand_over(arrays, count, values);
        if (number_count > 0)
            memcpy(numbers, aside, number_bytes);
    }
    rill_free(allocator, aside, number_bytes + value_bytes);
    return status;
}

rill_status rl_cache_file_read(const char *path, uint64_t key, const rill_state_array *arrays,
                               int count, double *numbers, int number_count,
                               const rill_allocator *allocator)
{
    RL_ASSERT(count >= 0 && number_count >= 0);
    stream s = {.file = fopen(path, "rb"), .sum = FIRST_SUM};
    if (s.file == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const rill_status status =
        read_stream(&s, path, key, arrays, count, numbers, number_count, allocator);
    fclose(s.file);
    return status;
}

// ---- Writing ---------------------------------------------------------------------------

static void write_stream(stream *s, uint64_t key, const rill_state_array *arrays, int count,
                         const double *numbers, int number_count)
{
    put(s, MAGIC, sizeof MAGIC - 1);
    put_number(s, VERSION, 4);
    put_number(s, (uint64_t)count, 4);
    put_number(s, (uint64_t)number_count, 4);
    put_number(s, key, 8);
    for (int n = 0; n < count; n++) {
        const size_t length = strlen(arrays[n].name);
        put_number(s, length, 4);
        put(s, arrays[n].name, length);
        put_number(s, arrays[n].width, 8);
        put_number(s, arrays[n].rows, 8);
    }
    for (int n = 0; n < number_count; n++) {
        uint64_t bits;
        memcpy(&bits, &numbers[n], sizeof bits);
        put_number(s, bits, 8);
    }
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++)
            put_floats(s, arrays[n].data + row * arrays[n].pitch, arrays[n].width);
    put_number(s, s->sum, 8);
}

rill_status rl_cache_file_write(const char *path, uint64_t key, const rill_state_array *arrays,
                                int count, const double *numbers, int number_count)
{
    RL_ASSERT(count >= 0 && number_count >= 0);
    rl_out_file out;
    RILL_TRY(rl_out_open(&out, path));
    write_stream(&(stream){.out = &out, .sum = FIRST_SUM}, key, arrays, count, numbers,
                 number_count);
    return rl_out_close(&out);
}

// ---- The cache of a river (rill/files.h) -----------------------------------------------

static rill_status read_river(void *path, uint64_t key, const rill_state_array *arrays, int count,
                              double *seconds)
{
    return rl_cache_file_read(path, key, arrays, count, seconds, 1, NULL);
}

static rill_status write_river(void *path, uint64_t key, const rill_state_array *arrays, int count,
                               double seconds)
{
    return rl_cache_file_write(path, key, arrays, count, &seconds, 1);
}

rill_river_cache rill_river_cache_file(const char *path)
{
    if (path == NULL)
        return (rill_river_cache){0};
    return (rill_river_cache){(void *)(size_t)path, read_river, write_river};
}
