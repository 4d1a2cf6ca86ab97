// When a page is taken for frozen, by a clock that the test holds. In a file of its own, without sockets: they
// would clear their timers with the mocked function, which does not know them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageLink } from '../../packages/bridge/dist/hub/page-link.js';
import { SessionRouter } from '../../packages/bridge/dist/hub/session-router.js';

/** A page that the hub pings. @param {import('node:test').TestContext} t @param {number} [answerMs] */
function startLink(t, answerMs) {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {any} */
  const socket = { bytesRead: 0, sent: [] };
  socket.send = (/** @type {any[]} */ ...frame) => socket.sent.push(frame);
  /** @type {boolean[]} */
  const changes = [];
  const onalive = (/** @type {boolean} */ isAlive) => void changes.push(isAlive);
  const link = new PageLink(
    socket,
    /** @type {any} */ ({}),
    /** @type {any} */ ({ onalive }),
    answerMs,
  );
  /** Time passes; timers that are due are late. @param {number} ms @param {number} [lateMs] */
  const tick = (ms, lateMs = 0) => {
    nowMs += ms + lateMs;
    t.mock.timers.tick(ms);
  };
  return { link, socket, changes, tick };
}

void test('a page in use may be busy for ten seconds, and serves again when it answers', (t) => {
  const { link, socket, changes, tick } = startLink(t);
  link.open(1, { name: 'host' });
  tick(1_000);
  assert.deepEqual(socket.sent.at(-1), ['ping', 1]);
  tick(9_999);
  assert.deepEqual(changes, []);
  tick(1);
  assert.deepEqual(changes, [false]);
  socket.onframe(['pong', 1]);
  assert.deepEqual(changes, [false, true]);
});

void test('a page without sessions is pinged every 15 seconds, and has as long to answer', (t) => {
  const { socket, changes, tick } = startLink(t);
  tick(14_999);
  assert.deepEqual(socket.sent, []);
  tick(1);
  assert.deepEqual(socket.sent, [['ping', 1]]);
  tick(9_999);
  assert.deepEqual(changes, []);
  tick(1);
  assert.deepEqual(changes, [false]);
});

void test('a page is alive whose long frame is still arriving, or whose answer may be unread', (t) => {
  const { socket, changes, tick } = startLink(t, 500);
  tick(15_000);
  socket.bytesRead = 1;
  tick(500);
  // This process was busy, too.
  tick(500, 501);
  assert.deepEqual(changes, []);
  tick(500);
  assert.deepEqual(changes, [false]);
});

void test('a host that comes while the page does not read is told so', () => {
  const router = new SessionRouter();
  /** @type {boolean[]} */
  const told = [];
  router.setPressure(true);
  const onpressure = (/** @type {boolean} */ isHigh) => void told.push(isHigh);
  router.enter({ name: 'host' }, /** @type {any} */ ({ onunserved() {}, onpressure }));
  assert.deepEqual(told, [true]);
  router.setPressure(false);
  assert.deepEqual(told, [true, false]);
});
