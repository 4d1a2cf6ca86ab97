import { icon } from '../../base/look/icons.js';

// Paths of Lucide 1.62 (ISC licence, lucide.dev).
export const fullscreenIcon = icon('M15 3h6v6M21 3l-7 7M3 21l7-7M9 21H3v-6');
export const inlineIcon = icon('M14 10l7-7M20 10h-6V4M3 21l7-7M4 14h6v6');
export const collapseIcon = icon('M18 15l-6-6-6 6');
export const expandIcon = icon('M6 9l6 6 6-6');
export const textIcon = icon('M15 12H3M17 18H3M21 6H3');
