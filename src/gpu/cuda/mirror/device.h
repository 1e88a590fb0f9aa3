// SPDX-License-Identifier: MIT
// device.h - the interface of the CUDA device for C. Functions return 0 or an error whose message
// rl_device_text() returns.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Finds a device that this build's kernels can run on.
int rl_device_find(void);
const char *rl_device_text(int error);

int rl_device_name(char *name, size_t size);
// Measures the bytes a second of a large copy within the device's memory, read and written both
// counted.
int rl_device_copy_speed(double *bytes_per_second);

// Allocates host memory that the device can read while the host continues.
int rl_device_pin(size_t bytes, void **memory);
void rl_device_unpin(void *memory);

#ifdef __cplusplus
}
#endif
