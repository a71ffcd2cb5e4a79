# The laboratory: guests with several NUMA nodes, slow memory and persistent memory.
# `make lab` builds its programs and runs the suite; LAB_FLAGS="--cxl" adds a CXL device.
LAB_BUILD ?= build/lab
LAB_TESTS ?= test_platform test_placement test_store
LAB_FLAGS ?=

.PHONY: lab
lab: $(VENV)/ready
	@for tool in qemu-system-x86_64 busybox ndctl depmod mkfs.ext4; do command -v $$tool >/dev/null || { \
	  echo "make lab needs $$tool: apt install qemu-system-x86 busybox-static ndctl kmod e2fsprogs zstd"; exit 1; }; done
	cmake -S . -B $(LAB_BUILD) -G Ninja -DRIZOMA_TESTS=ON -DRIZOMA_LAB=ON
	cmake --build $(LAB_BUILD) --target lab_programs $(LAB_TESTS)
	PYTHONPATH=tools/lab python3 -m vmlab.suite --build $(LAB_BUILD) \
	  $(addprefix --program $(LAB_BUILD)/,$(LAB_TESTS)) $(LAB_FLAGS)
