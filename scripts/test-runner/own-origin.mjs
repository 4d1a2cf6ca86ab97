// Gives each test file its own origin, such as `http://<uuid>.localhost:8000`. All pages of an origin share
// locks, channels and above all the storage, and the browser handles the requests of one storage one after
// the other.
import { randomUUID } from 'node:crypto';

/**
 * A middleware for @web/test-runner that sends test pages there.
 * @type {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]}
 */
export async function ownOrigin(context, next) {
  const isTestPage = context.path === '/' && context.query['wtr-session-id'] !== undefined;
  if (!isTestPage || context.hostname !== 'localhost') return await next();
  const [, port] = context.host.split(':');
  context.redirect(`http://${randomUUID()}.localhost:${port}${context.url}`);
}
