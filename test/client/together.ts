// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './backoff.test.js';
import './checked-answers.test.js';
import './each-page.test.js';
import './elicitation.test.js';
import './mcp-client.test.js';
import './protocol-types.test.js';
import './reconnecting-to-real-server.test.js';
