// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './call-safely.test.js';
import './export-roots.test.js';
import './folded-text.test.js';
import './key-range-page.test.js';
import './lone-surrogates.test.js';
import './migrations/first-line-of-version-2.test.js';
import './quota-words.test.js';
import './search-yielder.test.js';
import './words.test.js';
