"""The engine for the browser: compiles the kernels of Puyo Puyo to WebAssembly. docs/browser-engine.md explains it."""
