// A static host with a content security policy, which receives a report of every violation: of
// documents, and of workers, whose violations no script of the page can see.
import { otherPolicy } from '../../demo/content-security-policy.mjs';
import { serveFolder } from './static-server.mjs';

/**
 * The report of a browser about a violation (CSP Level 3, section 5.3, `report-uri`).
 * @typedef {{ 'document-uri': string, 'violated-directive': string, 'blocked-uri': string }} Report
 */

/** The path below which the folder is served. */
export const basePath = '/some/sub-path/';

/**
 * Serves a folder below a sub-path, with the policy on every response: a worker has the policy of its own
 * script, and documents with another purpose have other policies. `reports` grows while it runs; `onReport`
 * receives each.
 * @param {string} root
 * @param {{ policy: string, onReport?: (report: Report) => void }} options
 */
export async function servePolicy(root, { policy, onReport }) {
  /** @type {Report[]} */
  const reports = [];
  const server = await serveFolder(root, {
    basePath,
    headers: (path) => {
      // The frame of apps gets its policy from the page that shows an app.
      if (/\/mcp-app-frame(-[\w-]+)?\.htm$/.test(path)) return {};
      const own = otherPolicy(path.slice(1)) ?? policy;
      return { 'content-security-policy': `${own}; report-uri ${basePath}reports` };
    },
    onPost: (body) => {
      const report = /** @type {{ 'csp-report': Report }} */ (JSON.parse(body))['csp-report'];
      reports.push(report);
      onReport?.(report);
    },
  });
  return { ...server, reports };
}
