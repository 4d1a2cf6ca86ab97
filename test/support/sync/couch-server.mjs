// PouchDB Server, which speaks CouchDB's protocol, with LevelDB in a folder. A program of its own, so that
// a test may kill it: node couch-server.mjs PORT PASSWORD. It writes into the folder that it is started in.
import { createServer } from 'node:http';
import expressPouchdb from 'express-pouchdb';
import leveldb from 'pouchdb-adapter-leveldb';
import PouchDB from 'pouchdb-core';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';

const [port, password] = process.argv.slice(2);
const databases = PouchDB.plugin(leveldb).plugin(mapReduce).plugin(replication).defaults({
  prefix: './',
});
const serve = expressPouchdb(databases, { mode: 'minimumForPouchDB' });
/** @param {string} user */
const authorizationOf = (user) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
/** As in CouchDB, only an administrator makes and deletes databases: `user` does, `member` does not. */
const [administrator, member] = [authorizationOf('user'), authorizationOf('member')];

/** @param {import('node:http').IncomingMessage} request */
function mayAsk({ headers, method = '', url = '' }) {
  if (headers.authorization !== member) return headers.authorization === administrator;
  return !(['PUT', 'DELETE'].includes(method) && /^\/[^/?]*\/?(?:\?|$)/.test(url));
}

createServer((request, response) => {
  const { origin = '' } = request.headers;
  if (/^http:\/\/([\w-]+\.)?localhost:\d+$/.test(origin))
    response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('access-control-allow-methods', 'DELETE, GET, POST, PUT');
  response.setHeader('access-control-max-age', '600');
  if (request.method === 'OPTIONS') response.writeHead(204).end();
  else if (mayAsk(request)) serve(request, response);
  else
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorized"}');
}).listen(Number(port), '127.0.0.1');
