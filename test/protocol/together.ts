// Test files that take less than half a second and touch no globals share this page, which would take as long.
import './outputs.test.js';
import './resource-template.test.js';
import './schemas-types.test.js';
import './sdk-server.test.js';
