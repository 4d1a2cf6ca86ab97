// The policy of this document allows no eval. zod would try it once, and the browser would report that.
// This has to run before the first schema is made: it is the first import of the script.
import { config } from 'zod';

config({ jitless: true });
