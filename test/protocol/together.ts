// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './outputs.test.js';
import './resource-template.test.js';
import './schemas-outputs.test.js';
import './schemas-types.test.js';
import './sdk-server.test.js';
