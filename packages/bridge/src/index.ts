// The package is a command; these are the numbers that others need.
export { DEFAULT_HTTP_PORT, DEFAULT_PORT } from './command/ports.js';
