// Importing this module defines every element at once.
import './define/mcp-activity.js';
import './define/mcp-app.js';
import './define/mcp-connection.js';
import './define/mcp-consent.js';
import './define/mcp-file-drop.js';
import './define/mcp-note-editor.js';
import './define/mcp-prompt-menu.js';
import './define/mcp-provider.js';
import './define/mcp-resource-list.js';
import './define/mcp-resource-picker.js';
import './define/mcp-resource-view.js';
import './define/mcp-storage.js';
import './define/mcp-sync.js';
import './define/mcp-template-form.js';
import './define/mcp-tool-form.js';
import './define/mcp-wire.js';
