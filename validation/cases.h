// SPDX-License-Identifier: MIT
// cases.h - a case of the validation, and its results. A case runs once for each of its grids; one
// run may be judged by several figures, each a row of the table.
#pragma once

#include "rill/base.h"

#include <stdbool.h>

#define VALIDATION_MAX_FIGURES 3
#define VALIDATION_MAX_GRIDS   4
#define VALIDATION_MAX_CURVES  4
#define VALIDATION_MAX_MASS    1e-6 // largest error of the ledger in any run

typedef enum validation_curve_kind {
    VALIDATION_EXACT,    // a line
    VALIDATION_COMPUTED, // points
    VALIDATION_GROUND    // a line with the ground below it
} validation_curve_kind;

typedef struct validation_curve {
    validation_curve_kind kind;
    char label[48];
    int count;
    double *x, *y;
} validation_curve;

typedef struct validation_plot {
    const char *x_name, *y_name;
    validation_curve curves[VALIDATION_MAX_CURVES];
    int count;
} validation_plot;

// An error and its bound.
typedef struct validation_figure {
    double error, bound;
} validation_figure;

// Results of one run. The caller frees the plot (validation_free_plot).
typedef struct validation_result {
    double error_l1, error_linf; // mean and largest |computed - exact| of the whole profile
    double mass_error;           // of the ledger
    validation_figure figures[VALIDATION_MAX_FIGURES]; // in the order of the case's rows
    validation_plot plot;
} validation_result;

typedef struct validation_case validation_case;
struct validation_case {
    const char *solver;      // which solver
    const char *title;       // for the report
    const char *description; // one or two sentences: what runs, and what is exact about it
    const char *grid_name;   // what n counts
    struct {
        const char *name;
        const char *measure; // what is held against the bound
    } rows[VALIDATION_MAX_FIGURES];
    int row_count;
    int grids[VALIDATION_MAX_GRIDS]; // n of each run, coarse to fine
    int grid_count;
    bool converges;    // error_l1 falls with n, so that an order means something
    const void *setup; // what sets cases apart that share `run`
    rill_status (*run)(const validation_case *self, int n, validation_result *out);
};

// The cases of a topic.
typedef struct validation_topic {
    const validation_case *cases;
    int count;
} validation_topic;

validation_topic validation_lake_cases(void);
validation_topic validation_wave_cases(void);
validation_topic validation_dambreak_cases(void);
validation_topic validation_gate_cases(void);
validation_topic validation_film_cases(void);
validation_topic validation_huppert_cases(void);
validation_topic validation_lister_cases(void);
validation_topic validation_passage_cases(void);
validation_topic validation_swe_dam_cases(void);
validation_topic validation_swe_bore_cases(void);
validation_topic validation_swe_border_cases(void);
validation_topic validation_swe_channel_cases(void);
validation_topic validation_swe_eddy_cases(void);
validation_topic validation_swe_fall_cases(void);
validation_topic validation_swe_bowl_cases(void);
validation_topic validation_swe_steady_cases(void);
validation_topic validation_swe_wake_cases(void);
validation_topic validation_beach_cases(void);
validation_topic validation_karman_cases(void);
validation_topic validation_pml_cases(void);
validation_topic validation_body_cases(void);
validation_topic validation_river_cases(void);
validation_topic validation_frame_cases(void);
