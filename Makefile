# The few commands of Rill; everything else is CMake (see CONTRIBUTING.md).
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test setup configure clean

all: configure
	cmake --build build --parallel $(JOBS)

setup:
	@scripts/setup

configure: setup
	@cmake --preset release $(if $(CI),-DRILL_WERROR=ON) >/dev/null

demo: all
	build/bin/rill run spring -o build/demo
	@echo "Map pictures and a surface mesh are in build/demo/"

test: all
	scripts/test

clean:
	rm -rf build
