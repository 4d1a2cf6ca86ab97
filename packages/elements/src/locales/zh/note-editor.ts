import type { Texts } from '../texts.js';

export const texts: Texts = {};
