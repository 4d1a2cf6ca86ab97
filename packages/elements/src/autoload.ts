// Importing this module defines each element when the document first contains it.
import { autoload } from './autoload/autoload.js';

export { autoload };

// The document does not exist where a server renders the page.
if (typeof document !== 'undefined') autoload(document);
