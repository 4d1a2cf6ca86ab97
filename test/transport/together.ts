// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './message-port-transport.test.js';
import './wasted-time.test.js';
