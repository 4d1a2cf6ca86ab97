// Test files that take less than half a second, touch no globals and load nothing by address share this page.
import './drawing-budget.test.js';
import './fields.test.js';
import './fold-text.test.js';
import './format.test.js';
import './matching.test.js';
import './prompt-arguments.test.js';
import './renderers/kinds.test.js';
import './resource-pages.test.js';
import './several-hands.test.js';
import './template-fields.test.js';
import './tokens.test.js';
import './truncate-text.test.js';
import './uri-template.test.js';
import './visible-text.test.js';
