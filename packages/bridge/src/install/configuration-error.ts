/** The configuration cannot be changed; the message says why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
