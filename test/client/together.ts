// Test files that take less than half a second and touch no globals share this page, which would take as long.
import './each-page.test.js';
import './elicitation.test.js';
import './mcp-client.test.js';
import './protocol-types.test.js';
import './reconnecting-to-real-server.test.js';
