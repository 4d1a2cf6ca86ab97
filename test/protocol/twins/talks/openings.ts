import { MODERN_META } from '../../../support/raw-client.js';
import type { Members } from '../outline.js';
import { bare, FIELD, modern, posts, raw, type Talk } from './talk.js';

const initialize = (protocolVersion: unknown, more: Members = {}): Members => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
  ...more,
});

/** How connections are opened: the same, whichever revision comes next. */
export const OPENINGS: { [name: string]: Talk['say'] } = {
  'initialize with a revision that never was': posts(
    bare(1, 'initialize', initialize('1999-01-01')),
    bare(2, 'tools/call', { name: 'link' }),
  ),
  'initialize with the modern revision': posts(bare(1, 'initialize', initialize('2026-07-28'))),
  'initialize with an empty revision': posts(bare(1, 'initialize', initialize(''))),
  'initialize without params': posts(raw(1, 'initialize'), bare(2, 'ping')),
  'initialize with wrong params': posts(
    bare(1, 'initialize', {}),
    bare(2, 'initialize', initialize(5)),
    bare(3, 'initialize', initialize('2025-11-25', { capabilities: 'all' })),
    bare(4, 'initialize', initialize('2025-11-25', { capabilities: undefined })),
    bare(5, 'initialize', initialize('2025-11-25', { clientInfo: undefined })),
    bare(6, 'initialize', initialize('2025-11-25', { clientInfo: { name: 'no version' } })),
    bare(7, 'initialize', initialize('2025-11-25', { clientInfo: 'somebody' })),
    bare(8, 'initialize', initialize('2025-11-25')),
    bare(9, 'tools/call', { name: 'nothing' }),
  ),
  'initialize twice': posts(
    bare(1, 'initialize', initialize('2025-03-26')),
    bare(2, 'initialize', initialize('2025-11-25')),
    bare(3, 'ping'),
  ),
  'initialize with the _meta of the modern era': posts(
    modern(1, 'initialize', initialize('2025-11-25')),
    modern(2, 'tools/call', { name: 'nothing' }),
  ),
  'requests before initialize': posts(
    bare(1, 'ping'),
    bare(2, 'tools/call', { name: 'nothing' }),
    bare(3, 'no/such/method'),
    bare(4, 'initialize', initialize('2025-06-18')),
    bare(5, 'resources/read', { uri: 'twin:/text' }),
  ),
  'requests before notifications/initialized': posts(
    bare(1, 'initialize', initialize('2025-11-25')),
    bare(2, 'tools/call', { name: 'nothing' }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    bare(3, 'tools/call', { name: 'nothing' }),
  ),
  'a request without params first': posts(raw(1, 'tools/call'), bare(2, 'ping')),
  'a legacy request, then modern ones': posts(
    bare(1, 'initialize', initialize('2025-11-25')),
    modern(2, 'server/discover'),
    modern(3, 'tools/call', { name: 'nothing' }),
    modern(4, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    bare(5, 'ping'),
  ),
  'modern requests, then legacy ones': posts(
    modern(1, 'tools/call', { name: 'nothing' }),
    bare(2, 'tools/call', { name: 'nothing' }),
    bare(3, 'ping'),
    raw(4, 'prompts/list'),
    bare(5, 'initialize', initialize('2025-11-25')),
    bare(6, 'initialize', {}),
    modern(7, 'tools/call', { name: 'nothing' }),
  ),
  'server/discover, then the modern era': posts(
    modern(1, 'server/discover'),
    modern(2, 'server/discover'),
    modern(3, 'tools/call', { name: 'nothing' }),
    modern(4, 'server/discover'),
  ),
  'server/discover, then the legacy era': posts(
    modern(1, 'server/discover'),
    bare(2, 'initialize', initialize('2025-11-25')),
    bare(3, 'ping'),
    modern(4, 'server/discover'),
  ),
  'server/discover, then a request without a word about its era': posts(
    modern(1, 'server/discover'),
    bare(2, 'tools/call', { name: 'nothing' }),
    bare(3, 'ping'),
  ),
  'server/discover without params': posts(raw(1, 'server/discover'), bare(2, 'ping')),
  'wrong modern requests first': posts(
    bare(1, 'tools/list', { _meta: { [`${FIELD}/protocolVersion`]: '2026-07-28' } }),
    bare(2, 'tools/list', {
      _meta: { ...MODERN_META, [`${FIELD}/protocolVersion`]: '2027-01-01' },
    }),
    bare(3, 'server/discover', {
      _meta: { ...MODERN_META, [`${FIELD}/protocolVersion`]: '2027-01-01' },
    }),
    bare(4, 'tools/list', { _meta: { ...MODERN_META, [`${FIELD}/protocolVersion`]: 5 } }),
    bare(5, 'tools/list', { _meta: { ...MODERN_META, [`${FIELD}/clientInfo`]: 'me' } }),
    bare(6, 'initialize', initialize('2025-11-25')),
    bare(7, 'ping'),
  ),
  'notifications first, then the modern era': posts(
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    modern(1, 'tools/call', { name: 'nothing' }),
    modern(2, 'server/discover'),
  ),
  'answers first, then the legacy era': posts(
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'none' } },
    { jsonrpc: '2.0', error: { code: 1, message: 'none' } },
    bare(1, 'initialize', initialize('2025-11-25')),
  ),
};
