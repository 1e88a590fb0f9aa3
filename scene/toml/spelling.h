// SPDX-License-Identifier: MIT
// spelling.h - finding the word that somebody meant.
#pragma once

// Number of edits (insert, delete, replace, swap neighbours) between two words, or INT_MAX when
// they are too far apart, or too long, for one to be taken for the other.
int rl_misspelling(const char *word, const char *name);
