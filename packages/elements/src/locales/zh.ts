import texts from './zh.json' with { type: 'json' };
import { templatesOf, type Templates } from './templates-of.js';

/** The texts of all elements in simplified Chinese, for `@lit/localize`. */
export const templates: Templates = templatesOf(texts);
