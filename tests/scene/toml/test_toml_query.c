// SPDX-License-Identifier: MIT
// test_toml_query.c - reading a scene out of TOML: files, overrides, checked values, unknown keys,
// and what happens when memory runs out.
#include "scene/toml/toml.h"
#include "tests/kit/kit.h"

#include <limits.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NO_BOUND     ((double)INFINITY)

// ---- Helpers ---------------------------------------------------------------------------

static rl_toml_document *parsed(const char *text)
{
    rl_toml_document *document = NULL;
    if (rl_toml_parse(NULL, "s.toml", text, strlen(text), &document) != RILL_OK)
        fail_msg("refused: %s\n%s", rill_last_error(), text);
    return document;
}

static void expect_failure(rill_status status, const char *sentence)
{
    if (status != RILL_BAD_SCENE)
        fail_msg("status is %s, wanted: %s", rill_status_name(status), sentence);
    assert_string_equal(rill_last_error(), sentence);
}

static rl_toml_table table_of(rl_toml_document *document, const char *key)
{
    rl_toml_table table;
    assert_int_equal(rl_toml_get_table(rl_toml_root_table(document), key, &table), RILL_OK);
    return table;
}

// ---- Files -----------------------------------------------------------------------------

TEST(a_file_is_read_and_named_in_errors)
{
    static const char path[] = RL_TEST_TMP "/rill_test_toml.toml";
    rl_toml_document *document = NULL;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 3000; i++) // longer than one read
        fprintf(file, "key_%d = %d\n", i, i);
    fclose(file);
    assert_int_equal(rl_toml_read_file(NULL, path, &document), RILL_OK);
    assert_int_equal(rl_toml_size(document->root), 3000);
    assert_string_equal(document->file_name, path);
    rl_toml_destroy(&document);

    file = fopen(path, "ab");
    assert_non_null(file);
    fputs("oops", file);
    fclose(file);
    assert_int_equal(rl_toml_read_file(NULL, path, &document), RILL_BAD_SCENE);
    assert_null(document);
    assert_int_equal(strncmp(rill_last_error(), path, strlen(path)), 0);
    assert_non_null(strstr(rill_last_error(), ":3001:5: expected '='"));
    remove(path);

    assert_int_equal(rl_toml_read_file(NULL, path, &document), RILL_BAD_FILE);
    assert_null(document);
    assert_non_null(strstr(rill_last_error(), "rill_test_toml.toml: cannot open: "));
    assert_int_equal(rl_toml_read_file(NULL, RL_TEST_TMP, &document), RILL_BAD_FILE);
    assert_null(document);
}

// ---- Overrides -------------------------------------------------------------------------

TEST(an_override_creates_or_replaces_a_key)
{
    rl_toml_document *document = parsed("[pipes]\nfriction = 0.1\n[wind]\nv = {x = 1}\n");
    static const char *const assignments[] = {
        "pipes.friction=0.3",      "pipes.steps = 4 ",   "run.solver=pipes",
        "run.file=data/1-a=b.tif", "wind.v.x=2",         "title=\"a b\"",
        "color=#ff0000",           "a.b.c=[1, {d = 2}]", "run.when=2024-02-29 12:00:00",
    };
    for (size_t i = 0; i < COUNT(assignments); i++)
        assert_int_equal(rl_toml_override(document, assignments[i]), RILL_OK);

    const rl_toml_value *root = document->root;
    const rl_toml_value *pipes = rl_toml_find(root, "pipes"), *run = rl_toml_find(root, "run");
    assert_int_equal(rl_toml_size(root), 6);
    assert_int_equal(rl_toml_size(pipes), 2);
    assert_true(rl_toml_number(rl_toml_find(pipes, "friction")) == 0.3);
    assert_int_equal(rl_toml_find(pipes, "steps")->as.integer, 4);
    assert_string_equal(rl_toml_text(rl_toml_find(run, "solver")), "pipes");
    assert_string_equal(rl_toml_text(rl_toml_find(run, "file")), "data/1-a=b.tif");
    assert_int_equal(rl_toml_find(run, "when")->kind, RL_TOML_LOCAL_DATE_TIME);
    assert_string_equal(rl_toml_text(rl_toml_find(root, "title")), "a b");
    assert_string_equal(rl_toml_text(rl_toml_find(root, "color")), "#ff0000");
    const rl_toml_value *v = rl_toml_find(rl_toml_find(root, "wind"), "v");
    assert_int_equal(rl_toml_find(v, "x")->as.integer, 2);
    const rl_toml_value *c = rl_toml_find(rl_toml_find(rl_toml_find(root, "a"), "b"), "c");
    assert_int_equal(rl_toml_find(rl_toml_at(c, 1), "d")->as.integer, 2);
    rl_toml_destroy(&document);
}

TEST(a_value_from_an_override_names_the_assignment)
{
    rl_toml_document *document = parsed("[pipes]\nfriction = 0.1\n");
    double friction = 0.5;
    char where[64];
    assert_int_equal(rl_toml_override(document, "pipes.friction=3"), RILL_OK);
    const rl_toml_value *value = rl_toml_find(rl_toml_find(document->root, "pipes"), "friction");
    rl_toml_where(document, value, where, sizeof where);
    assert_string_equal(where, "--set pipes.friction=3");
    assert_int_equal((int)value->place.line, 0);
    expect_failure(rl_toml_get_double(table_of(document, "pipes"), "friction", 0.0, 1.0, &friction),
                   "--set pipes.friction=3: pipes.friction is 3, it must be between 0 and 1");
    rl_toml_destroy(&document);

    document = parsed("[pipes]\nfriction = 0.1\n");
    assert_int_equal(rl_toml_override(document, "pipes.fricton=3"), RILL_OK);
    rl_toml_get_double(table_of(document, "pipes"), "friction", 0.0, 1.0, &friction);
    expect_failure(rl_toml_check_all_used(document),
                   "--set pipes.fricton=3: unknown key 'fricton' in [pipes]; did you mean "
                   "'friction'?");
    rl_toml_destroy(&document);
}

TEST(a_bad_override_is_refused_and_changes_nothing)
{
    static const struct {
        const char *assignment, *error;
    } cases[] = {
        {"", "--set : expected a key, found the end"},
        {"pipes", "--set pipes: expected '=' after the key, found the end"},
        {"=3", "--set =3: expected a key, found '='"},
        {"a.=3", "--set a.=3: expected a key, found '='"},
        {"a= ", "--set a= : there is no value after '='"},
        {"a=b c", "--set a=b c: 'b' is not a value: a string needs quotes"},
        {"a=1 2", "--set a=1 2: expected the end after the value, found '2'"},
        {"a=\"b", "--set a=\"b: the string that starts here is not closed"},
        {"a=[1", "--set a=[1: expected ',' or ']' in the array, found the end"},
        {"a={b=1,b=2}", "--set a={b=1,b=2}: 'b' is already defined"},
        {"n.x=1", "--set n.x=1: 'n' is an integer, so nothing can be set inside it"},
        {"list.x=1", "--set list.x=1: 'list' is an array, so nothing can be set inside it"},
        {"a=\xff", "--set a=\\xff: the text is not valid UTF-8 (byte 0xff)"},
        {"a=\x01", "--set a=\\u0001: the control character U+0001 is not allowed"},
    };
    rl_toml_document *document = parsed("n = 1\n[[list]]\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        expect_failure(rl_toml_override(document, cases[i].assignment), cases[i].error);
        assert_int_equal(rl_toml_size(document->root), 2);
    }
    char deep[300] = "";
    for (int i = 0; i < 65; i++)
        strcat(deep, "a.");
    strcat(deep, "a=1");
    assert_int_equal(rl_toml_override(document, deep), RILL_BAD_SCENE);
    assert_int_equal(rl_toml_override(document, "n=2"), RILL_OK);
    assert_int_equal(rl_toml_find(document->root, "n")->as.integer, 2);
    rl_toml_destroy(&document);
}

// ---- Getters ---------------------------------------------------------------------------

TEST(getters_read_what_is_there_and_keep_defaults_otherwise)
{
    rl_toml_document *document =
        parsed("[a]\nd = 0.5\ni = -7\nb = true\ns = 'text'\nc = 'river'\nv = [1, 2.5]\n"
               "whole = 3\n[[a.list]]\nx = 1\n[[a.list]]\nx = 2\n[b]\nlist = [{x = 3}]\n");
    static const char *const solvers[] = {"pipes", "river", NULL};
    const rl_toml_table a = table_of(document, "a"), none = table_of(document, "none");
    double d = 9.0, absent = 9.0, vector[3] = {9.0, 9.0, 9.0};
    float f = 9.0f;
    int64_t i = 9;
    int n = 9, solver = 0;
    bool b = false;
    const char *s = NULL;
    size_t count = 0;
    rl_toml_get_double(a, "d", 0.0, 1.0, &d);
    rl_toml_get_double(a, "absent", 0.0, 1.0, &absent);
    rl_toml_get_double(none, "d", 0.0, 1.0, &absent);
    rl_toml_get_integer(a, "i", INT64_MIN, INT64_MAX, &i);
    rl_toml_get_int(a, "i", -10, 10, &n);
    rl_toml_get_float(a, "whole", 0.0, 5.0, &f);
    rl_toml_get_bool(a, "b", &b);
    rl_toml_get_string(a, "s", &s);
    rl_toml_get_choice(a, "c", solvers, &solver);
    rl_toml_get_doubles(a, "v", 1, 3, -NO_BOUND, NO_BOUND, vector, &count);
    assert_true(rl_toml_has(a, "v") && !rl_toml_has(a, "w") && !rl_toml_has(none, "v"));
    assert_non_null(rl_toml_get_value(a, "v"));
    assert_int_equal(rl_toml_require(a, "d"), RILL_OK);
    assert_true(d == 0.5 && absent == 9.0 && f == 3.0f && b);
    assert_true(i == -7 && n == -7 && solver == 1 && count == 2);
    assert_true(vector[0] == 1.0 && vector[1] == 2.5 && vector[2] == 9.0);
    assert_string_equal(s, "text");

    rl_toml_tables list, inlined;
    rl_toml_table element;
    assert_int_equal(rl_toml_get_tables(a, "list", 10, &list), RILL_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(rl_toml_table_at(&list, 1, &element), RILL_OK);
    assert_string_equal(element.path, "a.list[1]");
    rl_toml_get_int(element, "x", 0, 10, &n);
    assert_int_equal(n, 2);
    rl_toml_get_tables(table_of(document, "b"), "list", 10, &inlined);
    rl_toml_table_at(&inlined, 0, &element);
    rl_toml_get_int(element, "x", 0, 10, &n);
    assert_int_equal(n, 3);
    assert_int_equal(rl_toml_get_tables(none, "list", 10, &list), RILL_OK);
    assert_int_equal(list.count, 0);
    rl_toml_destroy(&document);
}

// One getter on one line of a table "t"; the sentence follows "s.toml:2:5: t.a ".
typedef struct refusal {
    const char *text;
    char getter; // d double, f float, i integer, n int, b bool, s string, c choice, v pair, t
                 // table, l list of tables
    double min, max;
    const char *error;
} refusal;

static rill_status call(char getter, rl_toml_table t, double min, double max)
{
    static const char *const names[] = {"pipes", "layers", "river", NULL};
    double d = 1.0, v[2] = {1.0, 1.0};
    float f = 1.0f;
    int64_t i = 1;
    int n = 1;
    bool b = true;
    const char *s = "kept";
    rl_toml_table table;
    rl_toml_tables list;
    rill_status status = RILL_BAD_ARGUMENT;
    switch (getter) {
    case 'd':
        status = rl_toml_get_double(t, "a", min, max, &d);
        break;
    case 'f':
        status = rl_toml_get_float(t, "a", min, max, &f);
        break;
    case 'i':
        status = rl_toml_get_integer(t, "a", (int64_t)min, INT64_MAX, &i);
        break;
    case 'n':
        status = rl_toml_get_int(t, "a", (int)min, (int)max, &n);
        break;
    case 'b':
        status = rl_toml_get_bool(t, "a", &b);
        break;
    case 's':
        status = rl_toml_get_string(t, "a", &s);
        break;
    case 'c':
        status = rl_toml_get_choice(t, "a", names, &n);
        break;
    case 'v':
        status = rl_toml_get_doubles(t, "a", 2, 2, min, max, v, NULL);
        break;
    case 't':
        status = rl_toml_get_table(t, "a", &table);
        assert_null(table.value);
        break;
    case 'l':
        status = rl_toml_get_tables(t, "a", 2, &list);
        assert_int_equal(list.count, 0);
        break;
    }
    assert_true(d == 1.0 && v[0] == 1.0 && f == 1.0f && i == 1 && n == 1 && b);
    assert_string_equal(s, "kept");
    return status;
}

TEST(wrong_types_and_ranges_are_refused)
{
    static const refusal cases[] = {
        {"'x'", 'd', 0, 1, "5: t.a must be a number, not a string"},
        {"3", 'd', 0, 1, "5: t.a is 3, it must be between 0 and 1"},
        {"-0.25", 'd', 0, 1, "5: t.a is -0.25, it must be between 0 and 1"},
        {"-1", 'd', 0, INFINITY, "5: t.a is -1, it must be at least 0"},
        {"0.1", 'd', -INFINITY, 0, "5: t.a is 0.1, it must be at most 0"},
        {"0", 'd', RL_TOML_POSITIVE, INFINITY, "5: t.a is 0, it must be positive"},
        {"9", 'd', RL_TOML_POSITIVE, 5, "5: t.a is 9, it must be positive and at most 5"},
        {"nan", 'd', -INFINITY, INFINITY, "5: t.a is nan, it must be a finite number"},
        {"-inf", 'd', -INFINITY, INFINITY, "5: t.a is -inf, it must be a finite number"},
        {"true", 'f', 0, 1, "5: t.a must be a number, not a boolean"},
        {"1e-60", 'f', RL_TOML_POSITIVE, INFINITY, "5: t.a is 1e-60, it must be positive"},
        {"1e60", 'f', 0, INFINITY, "5: t.a is too large for single precision"},
        {"1.0", 'i', 0, 0, "5: t.a must be an integer, not a float"},
        {"-5", 'i', 0, 0, "5: t.a is -5, it must be at least 0"},
        {"0", 'n', 1, INT_MAX, "5: t.a is 0, it must be at least 1"},
        {"9", 'n', INT_MIN, 8, "5: t.a is 9, it must be at most 8"},
        {"4294967297", 'n', 1, 8, "5: t.a is 4294967297, it must be between 1 and 8"},
        {"1", 'b', 0, 0, "5: t.a must be true or false, not an integer"},
        {"2024-01-01", 's', 0, 0, "5: t.a must be a string, not a date"},
        {"\"\\u0000\"", 's', 0, 0, "5: t.a must not contain a zero character"},
        {"'pips'", 'c', 0, 0,
         "5: t.a is 'pips', it must be one of 'pipes', 'layers', 'river'; did you mean 'pipes'?"},
        {"'x'", 'c', 0, 0, "5: t.a is 'x', it must be one of 'pipes', 'layers', 'river'"},
        {"[]", 'c', 0, 0, "5: t.a must be a string, not an array"},
        {"1", 'v', 0, 1, "5: t.a must be an array of numbers, not an integer"},
        {"[1]", 'v', 0, 1, "5: t.a must have 2 numbers, it has 1"},
        {"[0, 1, 0]", 'v', 0, 1, "5: t.a must have 2 numbers, it has 3"},
        {"[1, 'x']", 'v', 0, 1, "9: t.a[1] must be a number, not a string"},
        {"[1, 2]", 'v', 0, 1, "9: t.a[1] is 2, it must be between 0 and 1"},
        {"1", 't', 0, 0, "5: t.a must be a table, not an integer"},
        {"{}", 'l', 0, 0, "5: t.a must be an array of tables, not a table"},
        {"[{}, 1]", 'l', 0, 0, "10: t.a[1] must be a table, not an integer"},
        {"[{}, {}, {}]", 'l', 0, 0, "5: t.a has 3 tables, it may have at most 2"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[128], want[256];
        snprintf(text, sizeof text, "[t]\na = %s\n", cases[i].text);
        snprintf(want, sizeof want, "s.toml:2:%s", cases[i].error);
        rl_toml_document *document = parsed(text);
        const rl_toml_table t = table_of(document, "t");
        expect_failure(call(cases[i].getter, t, cases[i].min, cases[i].max), want);
        rl_toml_destroy(&document);
    }
}

TEST(a_missing_key_is_named_with_its_table)
{
    rl_toml_document *document = parsed("# scene\n");
    expect_failure(rl_toml_require(table_of(document, "terrain"), "file"),
                   "s.toml: [terrain] needs the key 'file'");
    rl_toml_destroy(&document);
    document = parsed("# scene\n");
    expect_failure(rl_toml_require(rl_toml_root_table(document), "title"),
                   "s.toml: the top level needs the key 'title'");
    rl_toml_destroy(&document);
    document = parsed("[water]\n[[water.springs]]\n[[water.springs]]\n");
    rl_toml_tables springs;
    rl_toml_table spring;
    rl_toml_get_tables(table_of(document, "water"), "springs", 9, &springs);
    rl_toml_table_at(&springs, 1, &spring);
    expect_failure(rl_toml_require(spring, "rate"),
                   "s.toml:3:1: water.springs[1] needs the key 'rate'");
    rl_toml_destroy(&document);
}

TEST(the_first_failure_sticks)
{
    rl_toml_document *document = parsed("a = 'x'\nb = 2\nc = 3\n");
    const rl_toml_table root = rl_toml_root_table(document);
    rl_toml_table sub;
    double b = 1.0;
    static const char sentence[] = "s.toml:2:5: b must not be used here, 7 is enough";
    expect_failure(rl_toml_refuse(root, "b", "must not be used here, %d is enough", 7), sentence);
    expect_failure(rl_toml_get_double(root, "a", 0.0, 1.0, &b), sentence);
    expect_failure(rl_toml_get_double(root, "b", 0.0, 9.0, &b), sentence);
    expect_failure(rl_toml_refuse(root, "c", "is wrong as well"), sentence);
    expect_failure(rl_toml_require(root, "missing"), sentence);
    expect_failure(rl_toml_get_table(root, "c", &sub), sentence);
    expect_failure(rl_toml_check_all_used(document), sentence);
    assert_true(b == 1.0 && sub.value == NULL);
    rl_toml_destroy(&document);
}

// ---- Unknown keys ----------------------------------------------------------------------

// A loader that knows [pipes] friction, drag; [[water.springs]] rate; and a title.
static rill_status load(rl_toml_document *document)
{
    double number = 0.0;
    const char *title = "";
    const rl_toml_table root = rl_toml_root_table(document);
    rl_toml_table pipes, water, spring;
    rl_toml_tables springs;
    rl_toml_get_string(root, "title", &title);
    rl_toml_get_table(root, "pipes", &pipes);
    rl_toml_get_double(pipes, "friction", 0.0, 1.0, &number);
    rl_toml_get_double(pipes, "drag", 0.0, 1.0, &number);
    rl_toml_get_table(root, "water", &water);
    rl_toml_get_tables(water, "springs", 100, &springs);
    for (size_t i = 0; i < springs.count; i++) {
        rl_toml_table_at(&springs, i, &spring);
        rl_toml_get_double(spring, "rate", 0.0, 9.0, &number);
    }
    return rl_toml_check_all_used(document);
}

TEST(an_unknown_key_is_refused_with_the_nearest_known_one)
{
    static const struct {
        const char *text, *error; // NULL: no error
    } cases[] = {
        {"title = 'x'\n[pipes]\nfriction = 1\n[water]\n[[water.springs]]\nrate = 1\n", NULL},
        {"[water]\nsprings = [{rate = 1}, {rate = 2}]\n", NULL},
        {"[pipes]\n\nfricton = 1\n",
         "s.toml:3:1: unknown key 'fricton' in [pipes]; did you mean 'friction'?"},
        {"[pipes]\nfriction = 1\ngradd = 1\n",
         "s.toml:3:1: unknown key 'gradd' in [pipes]; the known keys are 'drag', 'friction'"},
        {"titel = 'x'\n",
         "s.toml:1:1: unknown key 'titel' at the top level; did you mean 'title'?"},
        {"[pips]\nfriction = 1\n",
         "s.toml:1:2: unknown table 'pips' at the top level; did you mean 'pipes'?"},
        {"[[water.springs]]\nrate = 1\n[[water.springs]]\n rtae = 1\n",
         "s.toml:4:2: unknown key 'rtae' in water.springs[1]; did you mean 'rate'?"},
        {"[water]\nsprings = [{rate = 1, color = 1}]\n",
         "s.toml:2:23: unknown key 'color' in water.springs[0]; the known keys are 'rate'"},
        {"[pipes]\n\"a\\nb\" = 1\n",
         "s.toml:2:1: unknown key 'a\\u000ab' in [pipes]; the known keys are 'drag', 'friction'"},
        {"[pipes.friction]\n", "s.toml:1:1: pipes.friction must be a number, not a table"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        rl_toml_document *document = parsed(cases[i].text);
        const rill_status status = load(document);
        if (cases[i].error == NULL)
            assert_int_equal(status, RILL_OK);
        else
            expect_failure(status, cases[i].error);
        rl_toml_destroy(&document);
    }
}

TEST(more_than_twelve_known_keys_are_not_listed)
{
    for (int known = 12; known <= 13; known++) {
        rl_toml_document *document = parsed("strange = 1\n");
        for (int i = 0; i < known; i++) {
            const char name[] = {'k', (char)('a' + i), '\0'};
            assert_false(rl_toml_has(rl_toml_root_table(document), name));
        }
        assert_int_equal(rl_toml_check_all_used(document), RILL_BAD_SCENE);
        assert_int_equal(strstr(rill_last_error(), "the known keys are 'ka', 'kb'") != NULL,
                         known == 12);
        rl_toml_destroy(&document);
    }
}

TEST(a_long_key_is_cut_in_the_sentence)
{
    char text[600] = "";
    for (int i = 0; i < 200; i++)
        strcat(text, "x");
    strcat(text, " = 1\n");
    rl_toml_document *document = parsed(text);
    assert_int_equal(load(document), RILL_BAD_SCENE);
    assert_non_null(strstr(rill_last_error(), "xxx...' at the top level"));
    assert_true(strlen(rill_last_error()) < 250);
    rl_toml_destroy(&document);
}

// ---- Memory ----------------------------------------------------------------------------

typedef struct meter {
    size_t requests_left, bytes_in_use;
} meter;

static void *metered_allocate(void *user, size_t bytes, size_t alignment)
{
    meter *m = user;
    if (m->requests_left == 0)
        return NULL;
    m->requests_left--;
    m->bytes_in_use += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void metered_release(void *user, void *memory, size_t bytes)
{
    meter *m = user;
    m->bytes_in_use -= bytes;
    free(memory);
}

TEST(running_out_of_memory_is_told_and_leaks_nothing)
{
    char text[9000] = "[pipes]\nfriction = 0.5\n[[water.springs]]\n# \"";
    memset(text + strlen(text), 'y', 4000);
    strcat(text, "\"\ntext = \"");
    memset(text + strlen(text), 'x', 4000);
    strcat(text, "\"\n");
    bool succeeded = false;
    size_t requests = 0;
    for (; !succeeded && requests < 100; requests++) {
        meter m = {.requests_left = requests};
        const rill_allocator allocator = {&m, metered_allocate, metered_release};
        rl_toml_document *document = NULL;
        rill_status status = rl_toml_parse(&allocator, "s.toml", text, strlen(text), &document);
        assert_int_equal(status == RILL_OK, document != NULL);
        for (int i = 0; i < 100 && status == RILL_OK; i++) // until another block is needed
            status = rl_toml_override(document, "pipes.friction=0.25");
        if (status == RILL_OK)
            assert_int_equal(load(document), RILL_BAD_SCENE); // for the key `text`
        else
            assert_int_equal(status, RILL_NO_MEMORY);
        succeeded = status == RILL_OK;
        rl_toml_destroy(&document);
        assert_int_equal(m.bytes_in_use, 0);
    }
    assert_true(succeeded && requests > 4);
}
