// Takes the place of `@modelcontextprotocol/server/_shims` in the bundled worker. The original
// brings in @cfworker/json-schema, which builds a URL from `self.location` when it is loaded and
// throws in a worker started from a `blob:` URL. Our server declares its schemas with zod, so no
// JSON Schema is ever validated in it. Remove this once the SDK loads its validator lazily.

/** Refuses to validate: an app that needs JSON Schema passes the SDK a validator of its own. */
export class DefaultJsonSchemaValidator {
  /** @returns {never} */
  getValidator() {
    throw new Error('The bundled worker has no JSON Schema validator: describe inputs with zod.');
  }
}

/** The only part of Node's `process` that the SDK's stdio entry touches in a browser. */
export const process = {
  get stdin() {
    return unavailable('stdin');
  },
  get stdout() {
    return unavailable('stdout');
  },
};

/**
 * @param {string} name
 * @returns {never}
 */
function unavailable(name) {
  throw new Error(`process.${name} does not exist in a worker: pass a transport instead.`);
}
