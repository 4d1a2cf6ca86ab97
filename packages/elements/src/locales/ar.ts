import texts from './ar.json' with { type: 'json' };
import { templatesOf, type Templates } from './templates-of.js';

/** The texts of all elements in Arabic, for `@lit/localize`. */
export const templates: Templates = templatesOf(texts);
