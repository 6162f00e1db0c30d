"""Our own Neo Geo cartridge: its build, its rules, its system ROM."""
