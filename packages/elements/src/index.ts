// Importing this module defines the elements that nearly every page has, and each other element when the
// document first contains it. A page that sets an object as a property of such an element, or calls it,
// imports the module that defines it.
import './define/mcp-provider.js';
import './define/mcp-resource-list.js';
import './define/mcp-resource-view.js';
import './autoload.js';

// The list of the names is in that module.
export * from './classes.js';
export { reloadPage } from './base/look/reload-page.js';
