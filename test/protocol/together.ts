// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './apps.test.js';
import './asking-limits.test.js';
import './logging.test.js';
import './outputs.test.js';
import './resource-template.test.js';
import './schemas-keywords.test.js';
import './schemas-outputs.test.js';
import './schemas-types.test.js';
import './sdk-server.test.js';
import './wrong-values.test.js';
