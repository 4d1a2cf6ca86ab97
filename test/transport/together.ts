// Test files that take less than half a second and touch no globals share this page, which would take as long.
import './message-port-transport.test.js';
import './wasted-time.test.js';
