# The few commands of Rill; everything else is CMake (see CONTRIBUTING.md).
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test setup clean

all: setup
	@cmake --preset release >/dev/null
	cmake --build --preset release --parallel $(JOBS)

setup:
	@scripts/setup

# Two minutes of `spring`: its best moment as a picture, a short film, maps and meshes; then the
# window, where there is a display. Builds the command alone.
demo:
	@scripts/demo

# The whole suite in a release build with assertions. ALL=1 adds the sanitizer builds, and the tests
# that need packages of hundreds of megabytes.
test:
	@scripts/test $(if $(ALL),all)

clean:
	rm -rf build build-*
