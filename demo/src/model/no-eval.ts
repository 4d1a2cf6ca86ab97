// The policy of this document allows no eval. zod would try it once, and the browser would report this. The
// module must run before the first schema is made, so it is the first import of the script.
import { config } from 'zod';

config({ jitless: true });
