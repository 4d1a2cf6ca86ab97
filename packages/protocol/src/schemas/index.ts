export { asJson } from './as-json.js';
export { canonicalText } from './canonical-text.js';
export { References } from './references.js';
export { mapSubschemas, subschemas } from './subschemas.js';
export { inputSchema, outputSchema } from './tool-schema.js';
export { issuesText } from './issues-text.js';
export type { InputOf, OutputOf } from './infer.js';
export type { Checked, JsonSchema, Schema, SchemaSource, StandardSchema } from './types.js';
