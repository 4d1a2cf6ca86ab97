/**
 * Keeps zod from compiling its parsers with `new Function`: it would try once, and under a content
 * security policy the attempt alone is reported as a violation. It has to be loaded before anything
 * that makes a schema, the SDK included: schemas decide when they are made.
 */
import * as z from 'zod';

z.config({ jitless: true });
