# The few commands of Rill; everything else is CMake (see CONTRIBUTING.md).
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: all demo test setup configure clean

all: configure
	cmake --build build --parallel $(JOBS)

setup:
	@scripts/setup

configure: setup
	@cmake --preset release $(if $(CI),-DRILL_WERROR=ON) >/dev/null

# Two minutes of `spring` in twenty seconds of film, its best moment as a picture, maps and meshes;
# then the window, where there is a display.
demo: all
	build/bin/rill run spring -o build/demo
	build/bin/rill render spring -o build/demo/demo.png --time 66
	build/bin/rill render spring -o build/demo/demo.mp4 --speed 6 --fps 25 --size 960x540
	@echo "demo.mp4, demo.png, map pictures and a surface mesh are in build/demo/"
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then build/bin/rill view spring; fi

test: all
	scripts/test

clean:
	rm -rf build
