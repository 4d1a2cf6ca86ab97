// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './base64-decoding.test.js';
import './base64.test.js';
import './call-safely.test.js';
import './confirm-queue.test.js';
import './documented-examples.test.js';
import './file-search-tool.test.js';
import './heavy-requests.test.js';
import './message-batches.test.js';
import './request-journal.test.js';
import './resource-uris.test.js';
import './template-expansion.test.js';
import './tool-list.test.js';
import './who-is-asked.test.js';
import './wrong-shapes.test.js';
