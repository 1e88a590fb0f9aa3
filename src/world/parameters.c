// SPDX-License-Identifier: MIT
// parameters.c - what is done with the table of parameters (parameters_table.c): values are read,
// set and checked, and definitions filled with their defaults. The functions of rill/parameters.h
// take any table of such rows, also one that another library keeps for a struct of its own.
#include "world/world_internal.h"

#include <stdio.h>
#include <string.h>

const rill_parameter *rill_parameters(int *count)
{
    if (count != NULL)
        *count = rl_parameter_count;
    return rl_parameter_rows;
}

const rill_parameter *rill_parameter_find(const char *name)
{
    for (int n = 0; name != NULL && n < rl_parameter_count; n++) {
        const rill_parameter *row = &rl_parameter_rows[n];
        if (strcmp(row->name, name) == 0 || (row->alias != NULL && strcmp(row->alias, name) == 0))
            return row;
    }
    return NULL;
}

// ---- Values ----------------------------------------------------------------------------

double rill_parameter_get(const void *def, const rill_parameter *p, int component)
{
    if (def == NULL || p == NULL || component < 0 || component >= p->count)
        return (double)NAN;
    const void *at = (const char *)def + p->offset;
    switch (p->type) {
    case RILL_PARAMETER_FLOAT:
        return (double)((const float *)at)[component];
    case RILL_PARAMETER_DOUBLE:
        return ((const double *)at)[component];
    case RILL_PARAMETER_SEED:
        return (double)((const uint64_t *)at)[component];
    default:
        return ((const int *)at)[component];
    }
}

static void put(void *def, const rill_parameter *p, int component, double value)
{
    void *at = (char *)def + p->offset;
    switch (p->type) {
    case RILL_PARAMETER_FLOAT:
        ((float *)at)[component] = (float)value;
        break;
    case RILL_PARAMETER_DOUBLE:
        ((double *)at)[component] = value;
        break;
    case RILL_PARAMETER_SEED:
        ((uint64_t *)at)[component] = (uint64_t)value;
        break;
    default:
        ((int *)at)[component] = (int)value;
    }
}

// ---- Ranges ----------------------------------------------------------------------------

// An end of the range as a field of this type has it.
static double as_stored(const rill_parameter *p, double number)
{
    return p->type == RILL_PARAMETER_FLOAT ? (double)(float)number : number;
}

static bool is_power_of_two(double number)
{
    return number >= 1.0 && number < 1e9 && ((int)number & ((int)number - 1)) == 0;
}

static bool fits(const rill_parameter *p, int component, double value)
{
    const double stored = as_stored(p, value), usual = as_stored(p, p->initial[component]);
    if (p->automatic != NULL && (stored == usual || (isnan(stored) && isnan(usual))))
        return true;
    if (!(stored >= as_stored(p, p->low) && stored <= as_stored(p, p->high)))
        return false;
    const bool whole = p->type != RILL_PARAMETER_FLOAT && p->type != RILL_PARAMETER_DOUBLE;
    return !((p->flags & RILL_PARAMETER_ABOVE) != 0 && stored == as_stored(p, p->low)) &&
           !((p->flags & RILL_PARAMETER_POWER_OF_TWO) != 0 && !is_power_of_two(stored)) &&
           !(whole && stored != floor(stored)) &&
           !(stored != 0.0 && fabs(stored) < as_stored(p, p->least));
}

static rill_status refuse(const rill_parameter *p, int component, double value)
{
    char name[64], range[160] = "one of ";
    snprintf(name, sizeof name, p->count > 1 ? "%s[%d]" : "%s", p->name, component);
    size_t used = strlen(range);
    for (int n = 0; p->words != NULL && p->words[n] != NULL && used < sizeof range; n++)
        used += (size_t)snprintf(range + used, sizeof range - used, "%s%d ('%s')",
                                 n > 0 ? ", " : "", n, p->words[n]);
    if (p->words == NULL)
        snprintf(range, sizeof range, "%s%s%g%s to %g",
                 p->least > 0.0                                  ? "0 or "
                 : (p->flags & RILL_PARAMETER_POWER_OF_TWO) != 0 ? "a power of two "
                                                                 : "",
                 (p->flags & RILL_PARAMETER_ABOVE) != 0 ? "above " : "from ",
                 p->least > 0.0 ? p->least : p->low,
                 (p->flags & RILL_PARAMETER_ABOVE) != 0 ? "," : "", p->high);
    return rill_fail(RILL_BAD_DEF, "%s is %g, it must be %s", name, value, range);
}

rill_status rill_parameter_set(void *def, const rill_parameter *p, int component, double value)
{
    if (def == NULL || p == NULL || component < 0 || component >= p->count)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a parameter cannot be set: its definition or its row is NULL, or it has "
                         "no component %d",
                         component);
    if (!fits(p, component, value))
        return refuse(p, component, value);
    put(def, p, component, value);
    return RILL_OK;
}

// ---- Definitions -----------------------------------------------------------------------

void rl_parameters_fill(rill_definition definition, void *def)
{
    for (int n = 0; n < rl_parameter_count; n++) {
        const rill_parameter *row = &rl_parameter_rows[n];
        for (int k = 0; row->definition == definition && k < row->count; k++)
            put(def, row, k, row->initial[k]);
    }
}

rill_status rl_parameters_check(rill_definition definition, const void *def)
{
    RL_ASSERT(def != NULL);
    for (int n = 0; n < rl_parameter_count; n++) {
        const rill_parameter *row = &rl_parameter_rows[n];
        for (int k = 0; row->definition == definition && k < row->count; k++) {
            const double value = rill_parameter_get(def, row, k);
            if (!fits(row, k, value))
                return refuse(row, k, value);
        }
    }
    return RILL_OK;
}
