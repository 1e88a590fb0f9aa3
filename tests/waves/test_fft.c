// SPDX-License-Identifier: MIT
// The Fourier transform against the sum that it stands for, and its bits on every instruction set
// and number of threads.
#include "core/numbers.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "waves/fft.h"

#include <float.h>

#define TURN     6.283185307179586
#define MAX_SIZE 256

typedef struct square {
    int size;
    size_t count, bytes;
    float *re, *im;
} square;

static square make_square(int size)
{
    square s = {.size = size, .count = (size_t)size * (size_t)size};
    s.bytes = s.count * sizeof(float);
    s.re = rill_alloc(NULL, s.bytes);
    s.im = rill_alloc(NULL, s.bytes);
    assert_true(s.re != NULL && s.im != NULL);
    return s;
}

static void square_destroy(square *s)
{
    rill_free(NULL, s->re, s->bytes);
    rill_free(NULL, s->im, s->bytes);
}

static void fill_random(square *s, uint64_t seed)
{
    for (size_t n = 0; n < s->count; n++) {
        s->re[n] = 2.0f * rl_random_unit(seed, 0, n) - 1.0f;
        s->im[n] = 2.0f * rl_random_unit(seed, 1, n) - 1.0f;
    }
}

static void inverse(square *s, rl_isa isa, rl_jobs *jobs)
{
    rl_fft *fft = rl_fft_create(NULL, s->size, isa);
    assert_non_null(fft);
    rl_fft_inverse(fft, jobs, s->re, s->im);
    rl_fft_destroy(&fft);
    assert_null(fft);
}

// Rounding of a transform of n points in all: a few units in the last place per level of the
// butterflies, on values whose root mean square is `scale`. Ten times the expected error.
static double bound(size_t count, double scale)
{
    return 10.0 * (double)FLT_EPSILON * log2((double)count) * scale;
}

// Lines along y, then along x: a direct sum too, in double, but of n^3 terms and not n^4.
static void direct_lines(double *re, double *im, int size, int stride, int step)
{
    double out_re[MAX_SIZE], out_im[MAX_SIZE], c[MAX_SIZE], s[MAX_SIZE];
    for (int k = 0; k < size; k++) {
        c[k] = cos(TURN * k / size);
        s[k] = sin(TURN * k / size);
    }
    for (int line = 0; line < size; line++) {
        double *a = re + line * step, *b = im + line * step;
        for (int x = 0; x < size; x++) {
            out_re[x] = out_im[x] = 0;
            for (int k = 0; k < size; k++) {
                const int turn = k * x % size;
                out_re[x] += a[k * stride] * c[turn] - b[k * stride] * s[turn];
                out_im[x] += a[k * stride] * s[turn] + b[k * stride] * c[turn];
            }
        }
        for (int x = 0; x < size; x++) {
            a[x * stride] = out_re[x];
            b[x * stride] = out_im[x];
        }
    }
}

TEST(a_transform_is_the_sum_it_stands_for)
{
    for (int size = 2; size <= MAX_SIZE; size *= 2) {
        SCOPED(square) s = make_square(size);
        FREED(double) *re = calloc(s.count, sizeof *re), *im = calloc(s.count, sizeof *im);
        assert_true(re != NULL && im != NULL);
        FOR_EACH_ISA (isa) {
            fill_random(&s, 7);
            for (size_t i = 0; i < s.count; i++) {
                re[i] = (double)s.re[i];
                im[i] = (double)s.im[i];
            }
            direct_lines(re, im, size, size, 1);
            direct_lines(re, im, size, 1, size);
            inverse(&s, isa, NULL);
            // Each output is a sum of size^2 values with a variance of 2/3.
            const double worst = bound(s.count, size * sqrt(2.0 / 3.0));
            for (size_t i = 0; i < s.count; i++) {
                assert_true(fabs((double)s.re[i] - re[i]) < worst);
                assert_true(fabs((double)s.im[i] - im[i]) < worst);
            }
        }
    }
}

TEST(one_mode_gives_one_wave_that_runs_the_right_way)
{
    const int size = 64, kx = 5, ky = 61; // ky = -3
    SCOPED(square) s = make_square(size);
    s.re[ky * size + kx] = 1.5f;
    s.im[ky * size + kx] = -0.5f;
    inverse(&s, RL_ISA_PLAIN, NULL);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            const double angle = TURN * (5.0 * x - 3.0 * y) / size;
            const double re = 1.5 * cos(angle) + 0.5 * sin(angle);
            const double im = 1.5 * sin(angle) - 0.5 * cos(angle);
            assert_true(fabs((double)s.re[y * size + x] - re) < bound(s.count, 1.6));
            assert_true(fabs((double)s.im[y * size + x] - im) < bound(s.count, 1.6));
        }
}

// in(-k) = conj(in(k)) gives a real square, and what is packed into the imaginary part stays apart:
// this is how two real fields share one transform.
TEST(two_real_fields_share_one_transform)
{
    const int size = 128;
    SCOPED(square) s = make_square(size);
    for (int field = 0; field < 2; field++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                const int my = (size - y) % size, mx = (size - x) % size;
                const size_t at = (size_t)(y * size + x), mirror = (size_t)(my * size + mx);
                if (mirror < at)
                    continue;
                float a = rl_random_unit(3, (uint64_t)field, at);
                float b = mirror == at ? 0.0f : rl_random_unit(4, (uint64_t)field, at);
                // field 0: F(k) = a + ib; field 1: i F(k).
                s.re[at] += field == 0 ? a : -b;
                s.im[at] += field == 0 ? b : a;
                if (mirror != at) {
                    s.re[mirror] += field == 0 ? a : b;
                    s.im[mirror] += field == 0 ? -b : a;
                }
            }
    SCOPED(square) first = make_square(size);
    for (size_t n = 0; n < s.count; n++) {
        // (F(k) + conj(F(-k))) / 2 is the spectrum of the real part alone.
        const size_t y = n / (size_t)size, x = n % (size_t)size, z = (size_t)size;
        const size_t mirror = (z - y) % z * z + (z - x) % z;
        first.re[n] = 0.5f * (s.re[n] + s.re[mirror]);
        first.im[n] = 0.5f * (s.im[n] - s.im[mirror]);
    }
    inverse(&s, RL_ISA_PLAIN, NULL);
    inverse(&first, RL_ISA_PLAIN, NULL);
    const double worst = bound(s.count, 2.0 * size);
    double largest = 0;
    for (size_t n = 0; n < s.count; n++) {
        assert_true(fabs((double)first.im[n]) < worst);
        assert_true(fabs((double)(s.re[n] - first.re[n])) < worst);
        largest = fmax(largest, fabs((double)s.im[n]));
    }
    assert_true(largest > 100 * worst);
}

TEST(it_is_linear_and_keeps_the_sum_of_squares)
{
    const int size = 256;
    SCOPED(square) a = make_square(size), b = make_square(size), c = make_square(size);
    fill_random(&a, 1);
    fill_random(&b, 2);
    double before = 0, after = 0;
    for (size_t n = 0; n < a.count; n++) {
        c.re[n] = 2.0f * a.re[n] - b.re[n];
        c.im[n] = 2.0f * a.im[n] - b.im[n];
        before += (double)(a.re[n] * a.re[n]) + (double)(a.im[n] * a.im[n]);
    }
    inverse(&a, RL_ISA_PLAIN, NULL);
    inverse(&b, RL_ISA_PLAIN, NULL);
    inverse(&c, RL_ISA_PLAIN, NULL);
    for (size_t n = 0; n < a.count; n++) {
        const double worst = bound(a.count, 5.0 * size);
        assert_true(fabs((double)(c.re[n] - (2.0f * a.re[n] - b.re[n]))) < worst);
        assert_true(fabs((double)(c.im[n] - (2.0f * a.im[n] - b.im[n]))) < worst);
        after += (double)(a.re[n] * a.re[n]) + (double)(a.im[n] * a.im[n]);
    }
    assert_true(fabs(after / (before * (double)a.count) - 1.0) < 1e-5);
}

TEST(the_bits_depend_neither_on_threads_nor_on_the_instruction_set)
{
    for (int size = 16; size <= 512; size *= 2) {
        SCOPED(square) want = make_square(size), got = make_square(size);
        fill_random(&want, 11);
        inverse(&want, RL_ISA_PLAIN, NULL);
        FOR_EACH_ISA (isa)
            for (int workers = 1; workers <= 3; workers++) {
                SCOPED(rl_jobs) *jobs = make_jobs(workers);
                fill_random(&got, 11);
                inverse(&got, isa, jobs);
                assert_memory_equal(want.re, got.re, want.bytes);
                assert_memory_equal(want.im, got.im, want.bytes);
            }
    }
}

TEST(it_takes_memory_only_at_creation_and_gives_it_back)
{
    for (int fail_at = 0; fail_at <= 4; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rl_fft *fft = rl_fft_create(&host.allocator, 64, RL_ISA_PLAIN);
        assert_int_equal(fft == NULL, fail_at > 0);
        if (fft != NULL) {
            const int calls = count.calls;
            assert_int_equal(count.bytes, rl_fft_memory(fft));
            square s = make_square(64);
            rl_fft_inverse(fft, NULL, s.re, s.im);
            square_destroy(&s);
            assert_int_equal(count.calls, calls);
            rl_fft_destroy(&fft);
        }
        assert_int_equal(count.bytes, 0);
    }
    assert_int_equal(rl_fft_memory(NULL), 0);
}
