// SPDX-License-Identifier: MIT
// parameters.h - every number, word and switch that can be set, as one table: its name, where it is
// kept, its unit, default and range, and one sentence about it. The defaults of the definitions,
// the checks of rill_world_create, the keys of scene files, their documentation and the sliders of
// the window come from it, and bindings and programs of your own can build on it:
//
//     int count;
//     const rill_parameter *p = rill_parameters(&count);
//     for (int n = 0; n < count; n++)
//         printf("%s: %s\n", p[n].name, p[n].help);
//
//     rill_world_def def = rill_default_world_def();
//     rill_parameter_set(&def, rill_parameter_find("swe.manning"), 0, 0.03);
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a value is kept.
typedef enum rill_parameter_type {
    RILL_PARAMETER_FLAG,   ///< int, 0 or 1; true or false in a scene.
    RILL_PARAMETER_INT,    ///< int.
    RILL_PARAMETER_FLOAT,  ///< float.
    RILL_PARAMETER_DOUBLE, ///< double.
    RILL_PARAMETER_ENUM,   ///< An enum, or an int that counts `words`.
    RILL_PARAMETER_SEED,   ///< uint64_t; exact up to 2^53 when read or set as a double.
} rill_parameter_type;

/// The struct that a parameter is a field of.
typedef enum rill_definition {
    RILL_DEFINITION_WORLD,   ///< rill_world_def.
    RILL_DEFINITION_BODY,    ///< rill_body_def.
    RILL_DEFINITION_EMITTER, ///< rill_emitter_def.
    RILL_DEFINITION_SOURCE,  ///< rill_source_def: a [[spring]], or a [[drain]] of the same rate.
    RILL_DEFINITION_VIEW,    ///< rill_view (rill/view.h).
} rill_definition;

enum {
    RILL_PARAMETER_ABOVE = 1,        ///< The low end of the range is not part of it.
    RILL_PARAMETER_POWER_OF_TWO = 2, ///< Only powers of two are possible.
    RILL_PARAMETER_HOST = 4,         ///< Said by the host and not by a scene.
};

/// One row of the table.
typedef struct rill_parameter {
    const char *name; ///< As in a scene, "swe.manning": also the field of the definition, but that
                      ///< "world." is the rill_world_def itself.
    rill_definition definition;
    rill_parameter_type type;
    int count;     ///< Components: 1, or 2 or 3 of a vector.
    size_t offset; ///< Of the first component in the definition, bytes.

    const char *unit;  ///< "m/s"; empty for a bare number.
    double initial[3]; ///< Default of each component.
    double low, high;  ///< Range, with its ends (but see RILL_PARAMETER_ABOVE).
    const char *help;  ///< What it is, a sentence without a capital and a full stop.

    unsigned solvers; ///< A bit 1 << rill_solver for each that has it; 0: all have.
    unsigned flags;   ///< RILL_PARAMETER_ bits.
    double least;     ///< Smallest value besides 0; 0: there is none.
    /// What stands in for a default that lies outside the range, as "an eighth of a cell"; such a
    /// default may also be set. NULL: the default is a number like others.
    const char *automatic;
    const char *const *words; ///< Of an enum, in its order, NULL at the end; else NULL.
    const char *const
        *old_words;    ///< Words that scenes may use as well, for value 0, 1, …; or NULL.
    const char *alias; ///< Older name that scenes may use as well; NULL: none.
    /// What a scene has that says nothing, where that is not the default: "needed", "those of the
    /// scene". NULL: it is the default.
    const char *in_scenes;
} rill_parameter;

/// The parameters of worlds, bodies, emitters and sources. Those of one definition stand together,
/// and so do those of one table of a scene.
RILL_API const rill_parameter *rill_parameters(int *count);

/// The parameter of that name, or of that older name; NULL when there is none.
RILL_API const rill_parameter *rill_parameter_find(const char *name);

/// A component of a parameter in `def`, which must be of the type that `definition` says. NAN for
/// NULL and for a component that does not exist.
RILL_API double rill_parameter_get(const void *def, const rill_parameter *parameter, int component);

/// Sets one. A value that is out of range is RILL_BAD_DEF with a sentence, and `def` is then as it
/// was.
RILL_API rill_status rill_parameter_set(void *def, const rill_parameter *parameter, int component,
                                        double value);

#ifdef __cplusplus
}
#endif
