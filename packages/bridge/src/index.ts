// The package is a command, so it exports only the numbers that other packages need.
export { DEFAULT_HTTP_PORT, DEFAULT_PORT } from './command/ports.js';
