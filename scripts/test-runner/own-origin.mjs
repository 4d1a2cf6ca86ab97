// Gives each test file an origin of its own, as `http://<uuid>.localhost:8000`: locks, channels and
// above all the storage of an origin are shared by all its pages, and the browser does the work of
// one storage one after the other.
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
