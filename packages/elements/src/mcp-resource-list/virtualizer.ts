// dist/ has a bundle of this file with all that it imports, except Lit: @tanstack/virtual-core reads
// `process.env`, which does not exist in a page without a bundler (scripts/virtualizer-bundle.mjs).
export { VirtualizerController, type VirtualItem } from '@tanstack/lit-virtual';
