// SPDX-License-Identifier: MIT
// test_toml.c - the TOML language: what every text means, and where and why a text is refused.
#include "scene/toml/toml.h"
#include "tests/kit/kit.h"

#include <inttypes.h>
#include <locale.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Helpers ---------------------------------------------------------------------------

typedef struct printer {
    char text[1024];
    size_t used;
} printer;

static void print(printer *p, const char *format, ...) RILL_PRINTF(2, 3);

static void print(printer *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p->used += (size_t)vsnprintf(p->text + p->used, sizeof p->text - p->used, format, arguments);
    va_end(arguments);
    assert_true(p->used < sizeof p->text);
}

static void print_text(printer *p, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            print(p, "<%02x>", (unsigned)text[i]);
        else
            print(p, "%c", text[i]);
}

// A value in one line: integers bare, floats after ~, strings in quotes, dates after the letters
// of their kind.
static void print_value(printer *p, const rl_toml_value *value)
{
    static const char *const dates[] = {"odt ", "ldt ", "ld ", "lt "};
    const rl_toml_kind kind = (rl_toml_kind)value->kind;
    const char *text = rl_toml_text(value);
    switch (kind) {
    case RL_TOML_TABLE:
        print(p, "{");
        for (const rl_toml_entry *e = value->as.keys->first; e != NULL; e = e->next) {
            print(p, "%s", e == value->as.keys->first ? "" : ",");
            print_text(p, e->key.text, e->key.bytes);
            print(p, ":");
            print_value(p, e->value);
        }
        print(p, "}");
        break;
    case RL_TOML_ARRAY:
        print(p, "[");
        for (size_t i = 0; i < rl_toml_size(value); i++) {
            print(p, "%s", i == 0 ? "" : ",");
            print_value(p, rl_toml_at(value, i));
        }
        print(p, "]");
        break;
    case RL_TOML_STRING:
        print(p, "'");
        print_text(p, text, value->as.string.bytes);
        print(p, "'");
        break;
    case RL_TOML_INTEGER:
        print(p, "%" PRId64, value->as.integer);
        break;
    case RL_TOML_FLOAT:
        print(p, "~%.15g", rl_toml_number(value));
        break;
    case RL_TOML_BOOL:
        print(p, "%s", value->as.boolean ? "true" : "false");
        break;
    default:
        print(p, "%s%s", dates[kind - RL_TOML_OFFSET_DATE_TIME], text);
    }
}

static rill_status parse(const char *text, size_t bytes, rl_toml_document **out)
{
    return rl_toml_parse(NULL, "t.toml", text, bytes, out);
}

static rl_toml_document *parsed(const char *text)
{
    rl_toml_document *document = NULL;
    if (parse(text, strlen(text), &document) != RILL_OK)
        fail_msg("refused: %s\n%s", rill_last_error(), text);
    return document;
}

static void expect_error(const char *text, size_t bytes, const char *want)
{
    rl_toml_document *document = NULL;
    const rill_status status = parse(text, bytes, &document);
    if (status != RILL_BAD_SCENE || strncmp(rill_last_error(), want, strlen(want)) != 0)
        fail_msg("\n  text: %.200s\n  want: %s\n  got:  %s", text, want,
                 status == RILL_OK ? "no error" : rill_last_error());
    assert_null(document);
}

// ---- What is accepted, and what it means -------------------------------------------------

typedef struct meaning {
    const char *text, *value;
} meaning;

static void expect_meanings(const meaning *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rl_toml_document *document = parsed(cases[i].text);
        printer p = {.used = 0};
        print_value(&p, document->root);
        if (strcmp(p.text, cases[i].value) != 0)
            fail_msg("\n  text: %s\n  want: %s\n  got:  %s", cases[i].text, cases[i].value, p.text);
        rl_toml_destroy(&document);
        assert_null(document);
    }
}

TEST(keys_and_comments_mean_what_the_specification_says)
{
    static const meaning cases[] = {
        {"", "{}"},
        {"\n\n  \t\n# only a comment", "{}"},
        {"# full line\nkey = \"value\"  # end of line\nother = \"# not a comment\"",
         "{key:'value',other:'# not a comment'}"},
        {"a = 1\r\nb = 2\r\n", "{a:1,b:2}"},
        {"\xef\xbb\xbf"
         "a = 1",
         "{a:1}"},
        {"# \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\ta\n", "{}"},
        {"bare_key = 1\nbare-key = 2\n1234 = 3\n-_- = 4", "{bare_key:1,bare-key:2,1234:3,-_-:4}"},
        {"\"127.0.0.1\" = 1\n'quoted \"value\"' = 2\n\"\xca\x8e\" = 3",
         "{127.0.0.1:1,quoted \"value\":2,\xca\x8e:3}"},
        {"\"\" = 1", "{:1}"},
        {"'' = 1\n'a' = 2\n\"b\" = 3", "{:1,a:2,b:3}"},
        {"physical.color = 'orange'\nphysical.shape = 'round'\nsite.\"google.com\" = true",
         "{physical:{color:'orange',shape:'round'},site:{google.com:true}}"},
        {"fruit . flavor = 1\nfruit\t.\t'name' = 2", "{fruit:{flavor:1,name:2}}"},
        {"apple.type = 1\norange.type = 2\napple.skin = 3",
         "{apple:{type:1,skin:3},orange:{type:2}}"},
        {"3.14159 = 'pi'", "{3:{14159:'pi'}}"},
        {"true = 1\ninf = 2\n2024-01-01 = 3", "{true:1,inf:2,2024-01-01:3}"},
        {"\"a\\u0000b\" = 1\na = 2\n\"a\\u0000\" = 3", "{a<00>b:1,a:2,a<00>:3}"},
        {"  [ a ]\n\tb=1\n  [ a . 'c' ]# comment", "{a:{b:1,c:{}}}"},
    };
    expect_meanings(cases, COUNT(cases));
}

TEST(strings_mean_what_the_specification_says)
{
    static const meaning cases[] = {
        {"a = \"I'm a string. \\\"Quoted\\\". N\\u00e9\\tL\"",
         "{a:'I'm a string. \"Quoted\". N\xc3\xa9<09>L'}"},
        {"a = \"\\b\\t\\n\\f\\r\\\\\"", "{a:'<08><09><0a><0c><0d>\\'}"},
        {"a = \"\\u007F\\u0080\\u07ff\\u0800\\U0001F600\\U0010FFFF\"",
         "{a:'<7f>\xc2\x80\xdf\xbf\xe0\xa0\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf'}"},
        {"a = \"\"\nb = ''\nc = \"\"\"\"\"\"\nd = ''''''", "{a:'',b:'',c:'',d:''}"},
        {"a = \"x\ty\"", "{a:'x<09>y'}"},
        {"a = \"\"\"\nRoses\nViolets\"\"\"", "{a:'Roses<0a>Violets'}"},
        {"a = \"\"\"\r\nRoses\r\nViolets\"\"\"", "{a:'Roses<0a>Violets'}"},
        {"a = \"\"\"\nThe quick \\\n\n\n  fox \\  \t\n jumps.\\\r\n\"\"\"",
         "{a:'The quick fox jumps.'}"},
        {"a = \"\"\"Two \"\" quotes\"\"\"\nb = \"\"\"\"One\"\"\"\"",
         "{a:'Two \"\" quotes',b:'\"One\"'}"},
        {"a = \"\"\"\"\"two\"\"\"\"\"", "{a:'\"\"two\"\"'}"},
        {"a = \"\"\"\\\"\"\"\\\"\"\"\"", "{a:'\"\"\"\"'}"},
        {"a = 'C:\\Users\\n'\nb = '<\\i\\c*\\s*>'", "{a:'C:\\Users\\n',b:'<\\i\\c*\\s*>'}"},
        {"a = '''\nI [dw]on't\n'''", "{a:'I [dw]on't<0a>'}"},
        {"a = ''''That,' she said, ''no.'''''", "{a:''That,' she said, ''no.'''}"},
        {"a = '''x\\\ny'''", "{a:'x\\<0a>y'}"},
        {"a = '\xe6\xb0\xb4'", "{a:'\xe6\xb0\xb4'}"},
        {"a = \"zero \\u0000 inside\"", "{a:'zero <00> inside'}"},
    };
    expect_meanings(cases, COUNT(cases));
}

TEST(numbers_dates_and_booleans_mean_what_the_specification_says)
{
    static const meaning cases[] = {
        {"a = [+99, 42, 0, -17, +0, -0]", "{a:[99,42,0,-17,0,0]}"},
        {"a = [1_000, 5_349_221, 1_2_3_4_5]", "{a:[1000,5349221,12345]}"},
        {"a = [0xDEADBEEF, 0xdead_beef, 0o01234567, 0o755, 0b1101_0110, 0x00]",
         "{a:[3735928559,3735928559,342391,493,214,0]}"},
        {"a = [9223372036854775807, -9223372036854775808, 0x7fffffffffffffff]",
         "{a:[9223372036854775807,-9223372036854775808,9223372036854775807]}"},
        {"a = [+1.0, 3.1415, -0.01, 5e+22, 1e06, -2E-2, 6.626e-34]",
         "{a:[~1,~3.1415,~-0.01,~5e+22,~1000000,~-0.02,~6.626e-34]}"},
        {"a = [224_617.445_991_228, 1e1_0, 0.0, -0.0, 0e0, 1_0.0]",
         "{a:[~224617.445991228,~10000000000,~0,~-0,~0,~10]}"},
        {"a = [inf, +inf, -inf, nan, +nan]", "{a:[~inf,~inf,~-inf,~nan,~nan]}"},
        {"a = [1e-400, 1.7976931348623157e308]", "{a:[~0,~1.79769313486232e+308]}"},
        {"a = true\nb = false", "{a:true,b:false}"},
        {"a = 1979-05-27T07:32:00Z\nb = 1979-05-27t00:32:00.999999-07:00",
         "{a:odt 1979-05-27T07:32:00Z,b:odt 1979-05-27t00:32:00.999999-07:00}"},
        {"a = 1979-05-27 07:32:00z", "{a:odt 1979-05-27 07:32:00z}"},
        {"a = 1979-05-27T07:32:00\nb = 1979-05-27 00:32:00.5 # c",
         "{a:ldt 1979-05-27T07:32:00,b:ldt 1979-05-27 00:32:00.5}"},
        {"a = 1979-05-27 # day\nb = [2000-02-29, 2024-02-29,1999-12-31]",
         "{a:ld 1979-05-27,b:[ld 2000-02-29,ld 2024-02-29,ld 1999-12-31]}"},
        {"a = 07:32:00\nb = 23:59:60.123456789", "{a:lt 07:32:00,b:lt 23:59:60.123456789}"},
    };
    expect_meanings(cases, COUNT(cases));
}

TEST(arrays_and_tables_mean_what_the_specification_says)
{
    static const meaning cases[] = {
        {"a = []\nb = [ ]\nc = [[]]\nd = [\n]", "{a:[],b:[],c:[[]],d:[]}"},
        {"a = [ 1, 2, ]", "{a:[1,2]}"},
        {"a = [ # one\n 1, # two\n\n 2 # three\n , # four\n]", "{a:[1,2]}"},
        {"a = [ [ 1, 2 ], [\"a\", 'b', \"\"\"c\"\"\"], 0.5, {x=1}, true ]",
         "{a:[[1,2],['a','b','c'],~0.5,{x:1},true]}"},
        {"a = {}\nb = { x = 1, y = { z = [ 1,\n 2 ] } }\nc={d.e=1,d.f=2}",
         "{a:{},b:{x:1,y:{z:[1,2]}},c:{d:{e:1,f:2}}}"},
        {"a = { 'b c' = 1, \"\" = 2 }", "{a:{b c:1,:2}}"},
        {"[a]\n[b]\nx=1\n[c.d.e]\n[c]\ny=2", "{a:{},b:{x:1},c:{d:{e:{}},y:2}}"},
        {"[ d.e.f ]\n[ g .  h  . i ]\n[ j . \"\xca\x9e\" . 'l' ]",
         "{d:{e:{f:{}}},g:{h:{i:{}}},j:{\xca\x9e:{l:{}}}}"},
        {"[fruit.apple]\n[animal]\n[fruit.orange]", "{fruit:{apple:{},orange:{}},animal:{}}"},
        {"top = 1\n[a]\nb.c = 1\nb.d = 2\n[a.b.e]\nf = 3", "{top:1,a:{b:{c:1,d:2,e:{f:3}}}}"},
        {"a.b.c = 1\n[a.b.d]\n[a.x]", "{a:{b:{c:1,d:{}},x:{}}}"},
        {"[a.b.c]\nx=1\n[a]\nb.y=2", "{a:{b:{c:{x:1},y:2}}}"},
        {"[[p]]\nname='H'\n[[p]]\n[[p]]\nname='N'", "{p:[{name:'H'},{},{name:'N'}]}"},
        {"[[f]]\n[f.p]\nc=1\n[[f.v]]\nn=1\n[[f.v]]\nn=2\n[[f]]\n[[f.v]]\nn=3\n[f.p]",
         "{f:[{p:{c:1},v:[{n:1},{n:2}]},{v:[{n:3}],p:{}}]}"},
        {"[[a.b]]\nx=1\n[a]\ny=2", "{a:{b:[{x:1}],y:2}}"},
        {"[a]\n[[a.b]]\n[[a.b.c]]\nd=1", "{a:{b:[{c:[{d:1}]}]}}"},
    };
    expect_meanings(cases, COUNT(cases));
}

// ---- What is refused -------------------------------------------------------------------

typedef struct mistake {
    const char *text, *error; // the beginning of the sentence, without the file name
} mistake;

static void expect_mistakes(const mistake *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char want[256];
        snprintf(want, sizeof want, "t.toml:%s", cases[i].error);
        expect_error(cases[i].text, strlen(cases[i].text), want);
    }
}

TEST(mistakes_in_keys_and_lines_are_told_with_their_place)
{
    static const mistake cases[] = {
        {"key", "1:4: expected '=' after the key, found the end of the file"},
        {"key = # INVALID", "1:7: expected a value, found '#'"},
        {"key =\n1", "1:6: expected a value, found the end of the line"},
        {"= 1", "1:1: expected a key, found '='"},
        {"a = 1 b = 2", "1:7: expected the end of the line, found 'b'"},
        {"a = 1\nb = 2 \xc3\xa9", "2:7: expected the end of the line, found '\xc3\xa9'"},
        {"\xc3\xa9 = 1", "1:1: expected a key, found '\xc3\xa9'"},
        {"a b = 1", "1:3: expected '=' after the key, found 'b'"},
        {"a. = 1", "1:4: expected a key, found '='"},
        {"a..b = 1", "1:3: expected a key, found '.'"},
        {".a = 1", "1:1: expected a key, found '.'"},
        {"\"\"\"a\"\"\" = 1", "1:3: expected '='"},
        {"'a\nb' = 1", "1:1: the string that starts here is not closed"},
        {"a = 1\n\ta = 2", "2:2: 'a' is already defined (line 1)"},
        {"a = 1\n'a' = 2", "2:1: 'a' is already defined"},
        {"'' = 1\n\"\" = 2", "2:1: '' is already defined"},
        {"a = 1\na.b = 2", "2:1: 'a' is already a key and not a table (line 1)"},
        {"a.b = 1\na.b.c = 2", "2:3: 'b' is already a key"},
        {"a.b = 1\na = 2", "2:1: 'a' is already defined"},
        {"[a", "1:3: expected ']' after the name of a table, found the end of the file"},
        {"[a]b", "1:4: expected the end of the line, found 'b'"},
        {"[]", "1:2: expected a key, found ']'"},
        {"[a.]", "1:4: expected a key, found ']'"},
        {"[a b]", "1:4: expected ']'"},
        {"[a\n]", "1:3: expected ']' after the name of a table, found the end of the line"},
        {"[[a]", "1:4: expected ']]'"},
        {"[[a] ]", "1:4: expected ']]'"},
        {"[ [a]]", "1:3: expected a key, found '['"},
        {"a = 1 [b]", "1:7: expected the end of the line"},
    };
    expect_mistakes(cases, COUNT(cases));
}

TEST(mistakes_in_values_are_told_with_their_place)
{
    static const mistake cases[] = {
        {"a = \"x", "1:5: the string that starts here is not closed"},
        {"a = \"x\ny\"", "1:5: the string that starts here is not closed"},
        {"a = \"\"\"x\n\"\"", "1:5: the string that starts here is not closed"},
        {"a = 'x", "1:5: the string"},
        {"a = '''x''", "1:5: the string"},
        {"a = \"\\q\"", "1:6: unknown escape in a string"},
        {"a = \"\\", "1:6: unknown escape"},
        {"a = \"\\ \n\"", "1:6: unknown escape"},
        {"a = \"\"\"x\\ y\"\"\"", "1:9: unknown escape"},
        {"a = \"\\x41\"", "1:6: unknown escape"},
        {"a = \"\\u12\"", "1:6: the escape \\u needs 4 hexadecimal digits"},
        {"a = \"\\U0001F60\"", "1:6: the escape \\U needs 8 hexadecimal digits"},
        {"a = \"\\ud800\"", "1:6: U+D800 is not a Unicode character"},
        {"a = \"\\U00110000\"", "1:6: U+110000 is not a Unicode character"},
        {"a = \"\"\"x\"\"\"\"\"\"", "1:14: expected the end of the line, found '\"'"},
        {"a = '''x''''''", "1:14: expected the end of the line"},
        {"a = tru", "1:5: 'tru' is not a value: a string needs quotes"},
        {"a = True", "1:5: 'True' is not a value"},
        {"a = 01", "1:5: '01' is not a value: a number does not start with 0 and another digit"},
        {"a = -01", "1:5: '-01' is not a value: a number does not start with 0"},
        {"a = 03.14", "1:5: '03.14' is not a value: a number does not start with 0"},
        {"a = 1__0", "1:5: '1__0' is not a value: a number is written as in"},
        {"a = _1", "1:5: '_1' is not a value"},
        {"a = 1_", "1:5: '1_' is not a value"},
        {"a = 0x", "1:5: '0x' is not a value"},
        {"a = 0x_1", "1:5: '0x_1' is not a value"},
        {"a = +0x1", "1:5: '+0x1' is not a value"},
        {"a = 0XFF", "1:5: '0XFF' is not a value"},
        {"a = 0o8", "1:5: '0o8' is not a value"},
        {"a = 0b2", "1:5: '0b2' is not a value"},
        {"a = 9223372036854775808", "1:5: '9223372036854775808' is not a value: the integer does"},
        {"a = -9223372036854775809", "1:5: '-9223372036854775809' is not a value: the integer do"},
        {"a = 0xffffffffffffffff", "1:5: '0xffffffffffffffff' is not a value: the integer does"},
        {"a = .7", "1:5: '.7' is not a value: a number is written"},
        {"a = 7.", "1:5: '7.' is not a value: a number is written"},
        {"a = 3.e+20", "1:5: '3.e+20' is not a value"},
        {"a = 1e", "1:5: '1e' is not a value"},
        {"a = 1e+-2", "1:5: '1e+-2' is not a value"},
        {"a = 1._5", "1:5: '1._5' is not a value"},
        {"a = 1.5_", "1:5: '1.5_' is not a value"},
        {"a = 1e400", "1:5: '1e400' is not a value: the number is too large for a double"},
        {"a = ++1", "1:5: '++1' is not a value"},
        {"a = Inf", "1:5: 'Inf' is not a value"},
        {"a = 2023-02-29", "1:5: '2023-02-29' is not a value: there is no such day"},
        {"a = 1900-02-29", "1:5: '1900-02-29' is not a value: there is no such day"},
        {"a = 2024-13-01", "1:5: '2024-13-01' is not a value: there is no such day"},
        {"a = 2024-04-31", "1:5: '2024-04-31' is not a value: there is no such day"},
        {"a = 2024-00-10", "1:5: '2024-00-10' is not a value: there is no such day"},
        {"a = 2024-1-01", "1:5: '2024-1-01' is not a value: a date or time is written"},
        {"a = 24:00:00", "1:5: '24:00:00' is not a value: there is no such time of day"},
        {"a = 12:60:00", "1:5: '12:60:00' is not a value: there is no such time of day"},
        {"a = 12:00", "1:5: '12:00' is not a value: a date or time is written"},
        {"a = 12:00:00.", "1:5: '12:00:00.' is not a value: a date or time is written"},
        {"a = 12:00:00Z", "1:5: '12:00:00Z' is not a value: a date or time is written"},
        {"a = 2024-01-01T00:00:00+24:00", "1:5: '2024-01-01T00:00:00+24:00' is not a value: ther"},
        {"a = 2024-01-01T00:00:00+1", "1:5: '2024-01-01T00:00:00+1' is not a value: a date"},
        {"a = 2024-01-01T", "1:5: '2024-01-01T' is not a value: a date or time"},
        {"a = 2024-01-01  00:00:00", "1:17: expected the end of the line, found '0'"},
        {"a = [1 2]", "1:8: expected ',' or ']' in the array, found '2'"},
        {"a = [1,,2]", "1:8: expected a value, found ','"},
        {"a = [,]", "1:6: expected a value, found ','"},
        {"a = [1,\n  2", "2:4: expected ',' or ']' in the array, found the end of the file"},
        {"a = [1]]", "1:8: expected the end of the line, found ']'"},
        {"a = {b = 1,}", "1:12: an inline table must not end with a comma"},
        {"a = {b = 1\n}", "1:11: expected ',' or '}' in the inline table, found the end of the li"},
        {"a = {b = 1 c = 2}", "1:12: expected ',' or '}' in the inline table, found 'c'"},
        {"a = {b}", "1:7: expected '=' after the key, found '}'"},
        {"a = {b = 1, b = 2}", "1:13: 'b' is already defined"},
        {"a = {b = {c = 1}, b.d = 2}", "1:19: 'b' is an inline table"},
        {"a = {b.c = 1, b = 2}", "1:15: 'b' is already defined"},
        {"a = }", "1:5: expected a value, found '}'"},
    };
    expect_mistakes(cases, COUNT(cases));
}

TEST(tables_cannot_be_defined_twice)
{
    static const mistake cases[] = {
        {"[a]\n[a]", "2:2: 'a' is already defined as a table (line 1)"},
        {"[a]\nb = 1\n[a.b]", "3:4: 'b' is already a key and not a table (line 2)"},
        {"[a]\nb = 1\n[a.b.c]", "3:4: 'b' is already a key and not a table"},
        {"a = 1\n[a]", "2:2: 'a' is already a key and not a table"},
        {"[a.b]\n[a]\n[a]", "3:2: 'a' is already defined as a table"},
        {"[fruit]\napple.color = 1\n[fruit.apple]", "3:8: 'apple' is already defined as a table"},
        {"[fruit]\napple.taste.sweet = 1\n[fruit.apple.taste]", "3:14: 'taste' is already defin"},
        {"a.b = 1\n[a]", "2:2: 'a' is already defined as a table"},
        {"[a.b.c]\nz = 9\n[a]\nb.c.t = 1", "4:3: 'c' is already a table with a header, which dot"},
        {"[a.b.c]\n[a]\nb.x = 1\n[a.b]", "4:4: 'b' is already defined as a table"},
        {"[a]\n[a.b]\n[a]", "3:2: 'a' is already"},
        {"a = {}\n[a.b]", "2:2: 'a' is a value in brackets, which no header can add to"},
        {"a = {}\n[a]", "2:2: 'a' is already defined as a table"},
        {"a = {b = 1}\na.c = 2", "2:1: 'a' is an inline table, which nothing can be added to"},
        {"a.b = {c = 1}\na.b.d = 2", "2:3: 'b' is an inline table"},
        {"a = [{b = 1}]\n[a.c]", "2:2: 'a' is a value in brackets"},
        {"a = []\n[[a]]", "2:3: 'a' is an array in brackets, which cannot grow"},
        {"[a]\n[[a]]", "2:3: 'a' is already defined and no array of tables"},
        {"[a.b]\n[[a]]", "2:3: 'a' is already defined and no array of tables"},
        {"[[a]]\n[a]", "2:2: 'a' is already an array of tables"},
        {"[[a.b]]\n[a.b]", "2:4: 'b' is already an array of tables"},
        {"[[a.b]]\n[a]\nb.y = 2", "3:1: 'b' is already a key and not a table"},
        {"[[f]]\n[f.v]\n[[f.v]]", "3:5: 'v' is already defined and no array of tables"},
        {"a = 1\n[[a]]", "2:3: 'a' is already defined and no array of tables"},
        {"[[a]]\n[a.b]\n[a.b]", "3:4: 'b' is already defined as a table"},
    };
    expect_mistakes(cases, COUNT(cases));
}

TEST(bytes_that_are_no_text_are_refused)
{
    static const mistake cases[] = {
        {"# \x80", "1:3: the text is not valid UTF-8 (byte 0x80)"},
        {"a = '\xc0\xaf'", "1:6: the text is not valid UTF-8"},
        {"a = '\xed\xa0\x80'", "1:6: the text is not valid UTF-8"},
        {"a = '\xf4\x90\x80\x80'", "1:6: the text is not valid UTF-8"},
        {"a = '\xe0\x80\x80'", "1:6: the text is not valid UTF-8"},
        {"# \xc3\xa9\xc3\xa9 \xe2\x82", "1:6: the text is not valid UTF-8"},
        {"a = '\xff'", "1:6: the text is not valid UTF-8"},
        {"a = '\x7f'", "1:6: the control character U+007F is not allowed"},
        {"# a\x01", "1:4: the control character U+0001 is not allowed"},
        {"a = \"\"\"\x1f\"\"\"", "1:8: the control character U+001F is not allowed"},
        {"a = 1\rb = 2", "1:6: a carriage return without a line feed"},
        {"a = '''\n\r'''", "2:1: a carriage return"},
        {"a = 1\r", "1:6: a carriage return"},
        {"a = 1\f", "1:6: the control character U+000C"},
        {"a = 1\n\xef\xbb\xbf", "2:1: expected a key"},
    };
    expect_mistakes(cases, COUNT(cases));
    expect_error("a = '\0'", 8, "t.toml:1:6: the control character U+0000 is not allowed");
}

// ---- Places ----------------------------------------------------------------------------

TEST(every_value_knows_its_line_and_column)
{
    // Columns count code points, of which "\xc3\xa9" is one and a tab another.
    rl_toml_document *document = parsed("\xef\xbb\xbf"
                                        "a = 1\r\n'\xc3\xa9\xc3\xa9' =\t[ 'x',\r\n  {b = 2} ]\r\n"
                                        "[c.d]\n [[e]]\nf.g = '''\n\n'''\nh = 3\n");
    const rl_toml_value *root = document->root;
    const rl_toml_value *list = rl_toml_find(root, "\xc3\xa9\xc3\xa9");
    const rl_toml_value *element = rl_toml_at(rl_toml_find(root, "e"), 0);
    const rl_toml_value *c = rl_toml_find(root, "c"), *f = rl_toml_find(element, "f");
    const struct {
        const rl_toml_value *value;
        int line, column;
    } places[] = {
        {rl_toml_find(root, "a"), 1, 5},
        {list, 2, 8},
        {rl_toml_at(list, 0), 2, 10},
        {rl_toml_at(list, 1), 3, 3},
        {rl_toml_find(rl_toml_at(list, 1), "b"), 3, 8},
        {c, 4, 2},
        {rl_toml_find(c, "d"), 4, 1},
        {element, 5, 2},
        {f, 6, 1},
        {rl_toml_find(f, "g"), 6, 7},
        {rl_toml_find(element, "h"), 9, 5},
    };
    for (size_t i = 0; i < COUNT(places); i++) {
        assert_non_null(places[i].value);
        assert_int_equal((int)places[i].value->place.line, places[i].line);
        assert_int_equal((int)places[i].value->place.column, places[i].column);
    }
    char where[64];
    rl_toml_where(document, rl_toml_find(element, "h"), where, sizeof where);
    assert_string_equal(where, "t.toml:9:5");
    assert_string_equal(document->file_name, "t.toml");
    rl_toml_destroy(&document);
}

// ---- Numbers to the last bit -------------------------------------------------------------

TEST(floats_are_rounded_correctly_in_every_locale)
{
    setlocale(LC_NUMERIC, "de_DE.UTF-8"); // a decimal comma, where the machine has it
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"a = 0.1", 0.1},
        {"a = 2.2250738585072014e-308", 0x1p-1022},
        {"a = 4.9406564584124654e-324", 0x1p-1074},
        {"a = 9007199254740993.0", 9007199254740992.0},
        {"a = 9007199254740993.000000000000000000000000000000000001", 9007199254740994.0},
        {"a = 1_000.5e-0_3", 1.0005},
        {"a = 123456789012345678901234567890.0", 123456789012345678901234567890.0},
        {"a = 0.000_000_1e7", 1.0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        rl_toml_document *document = parsed(cases[i].text);
        const double got = rl_toml_number(rl_toml_find(document->root, "a"));
        rl_toml_destroy(&document);
        if (memcmp(&got, &cases[i].value, sizeof got) != 0)
            fail_msg("%s became %a, not %a", cases[i].text, got, cases[i].value);
    }
    setlocale(LC_NUMERIC, "C");

    // Half-way between two doubles up to the last of two thousand digits, which decides.
    char text[2100] = "a = 9007199254740993.";
    memset(text + strlen(text), '0', 2000);
    strcat(text, "1");
    rl_toml_document *document = parsed(text);
    const double got = rl_toml_number(rl_toml_find(document->root, "a"));
    assert_true(got == 9007199254740994.0);
    rl_toml_destroy(&document);
}

// ---- Bounds ----------------------------------------------------------------------------

// `count` times `piece` between two ends; the caller frees it.
static char *repeat(const char *start, const char *piece, size_t count, const char *end)
{
    const size_t step = strlen(piece), length = strlen(start) + step * count + strlen(end);
    char *text = malloc(length + 1);
    assert_non_null(text);
    strcpy(text, start);
    char *at = text + strlen(start);
    for (size_t i = 0; i < count; i++, at += step)
        memcpy(at, piece, step);
    strcpy(at, end);
    return text;
}

static void expect_repeated(const char *start, const char *piece, size_t count, const char *end,
                            const char *error)
{
    char *text = repeat(start, piece, count, end);
    if (error == NULL) {
        rl_toml_document *document = parsed(text);
        rl_toml_destroy(&document);
    } else {
        expect_error(text, strlen(text), error);
    }
    free(text);
}

TEST(nesting_deeper_than_64_is_refused)
{
    static const char deep[] = "t.toml:1:69: tables and arrays are nested more than 64 deep";
    char *brackets = repeat("", "]", 64, "");
    expect_repeated("a = ", "[", 64, brackets, NULL);
    free(brackets);
    expect_repeated("a = ", "[", 100000, "", deep);
    expect_repeated("a = ", "{a=", 100000, "", "t.toml:1:197: tables and arrays are nested");
    expect_repeated("", "a.", 64, "a = 1", NULL);
    expect_repeated("", "a.", 65, "a = 1", "t.toml:1:129: tables and arrays are nested");
    expect_repeated("[", "a.", 63, "a]", NULL);
    expect_repeated("[", "a.", 100000, "a]", "t.toml:1:130: tables and arrays are nested");
    expect_repeated("[[", "a.", 63, "a]]", "t.toml:1:1: tables and arrays are nested");
}

TEST(more_than_a_million_values_are_refused)
{
    // The root and the array count too.
    char *text = repeat("a = [", "1,", RL_TOML_MAX_VALUES - 3, "]");
    rl_toml_document *document = parsed(text);
    free(text);
    assert_int_equal(rl_toml_override(document, "b=[1, 2]"), RILL_BAD_SCENE);
    assert_int_equal(rl_toml_override(document, "b=1"), RILL_OK);
    assert_int_equal(rl_toml_override(document, "c=1"), RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(), "--set c=1: the document has more than 1000000 values");
    rl_toml_destroy(&document);
    expect_repeated("a = [", "1,", RL_TOML_MAX_VALUES - 1, "]",
                    "t.toml:1:2000002: the document has more than 1000000 values");
}

TEST(a_text_of_more_than_16_mib_is_refused)
{
    expect_repeated("", "\n", RL_TOML_MAX_BYTES, "", NULL);
    expect_repeated("", "\n", RL_TOML_MAX_BYTES, "\n", "t.toml: the text is longer than 16777216");
}

TEST(a_table_finds_each_of_many_keys)
{
    enum { KEYS = 20000 };
    char *text = malloc((size_t)KEYS * 32);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < KEYS; i++)
        used += (size_t)sprintf(text + used, "k%x = %d\n", (unsigned)i * 2654435761u, i);
    rl_toml_document *document = NULL;
    assert_int_equal(parse(text, used, &document), RILL_OK);
    const rl_toml_value *root = document->root;
    assert_int_equal(rl_toml_size(root), KEYS);
    int order = 0;
    for (const rl_toml_entry *e = root->as.keys->first; e != NULL; e = e->next, order++) {
        assert_int_equal(e->value->as.integer, order);
        assert_ptr_equal(rl_toml_find(root, e->key.text), e->value);
    }
    assert_null(rl_toml_find(root, "k"));
    assert_null(rl_toml_find(root, "k00"));
    assert_null(rl_toml_find(root, ""));
    rl_toml_destroy(&document);
    free(text);
}
