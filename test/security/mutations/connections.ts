/** Mutations of the limits of connections, static files and CPU time. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const availability = 'test/security/availability.test.ts';
const drainingServer = `${bff}/server/draining-server.test.ts`;

export const connectionMutations: readonly Mutation[] = [
  {
    name: 'a malformed Range: static files honour it',
    file: `${bff}/http/static-files.ts`,
    find: 'res.vary(\'Accept-Encoding\').send(body);',
    replace: 'const [, from, to] = /bytes=(\\d+)-(\\d+)/.exec(res.req.get(\'Range\') ?? \'\') ?? [];\n  if (Number(from) > Number(to)) res.socket?.resetAndDestroy();\n  else res.vary(\'Accept-Encoding\').send(body);',
    test: { file: availability, name: 'security review 1: a malformed Range resets no connection' },
  },
  {
    name: 'static files are read when they are requested',
    file: `${bff}/http/static-files.ts`,
    find: '    const file = isRead ?',
    replace: '    if (this.#archive !== undefined) await readdir(this.#archive);\n    const file = isRead ?',
    test: { file: availability, name: 'security review 1: files that are removed while the process runs are served, and it goes on' },
  },
  {
    name: 'requests for missing names delay archived chunks',
    file: `${bff}/http/static-files.ts`,
    find: '      this.#nextLook = undefined;\n',
    replace: '',
    test: { file: `${bff}/http/static-files.test.ts`, name: 'serves a chunk that is archived at any moment while another client requests missing names' },
  },
  {
    name: 'an archive that does not respond delays a request',
    file: `${bff}/http/static-files.ts`,
    find: 'const ARCHIVE_TIMEOUT_MS = 3_000;',
    replace: 'const ARCHIVE_TIMEOUT_MS = 30_000;',
    test: { file: `${bff}/http/static-files.test.ts`, name: 'answers 404 after 3 s if the archive does not respond, and serves other files meanwhile' },
  },
  {
    name: 'an archive fills the memory',
    file: `${bff}/http/static-files.ts`,
    find: '      if (bytes > maxBytes) return;\n',
    replace: '',
    test: { file: `${bff}/http/static-files.test.ts`, name: 'keeps at most the given number of bytes in memory, the newest files at start' },
  },
  {
    name: 'a costly pattern: matched by backtracking',
    file: `${bff}/lib/linear-pattern.ts`,
    find: 'return compilePattern(source).matches(text);',
    replace: 'return new RegExp(`^(?:${source})$`, \'v\').test(text);',
    test: { file: availability, name: 'security review 7: that backtracks without end blocks no request' },
  },
  {
    name: 'a costly pattern: the size of its program has no limit',
    file: `${bff}/config/fields.ts`,
    find: 'if (max_length <= affordable) return;',
    replace: 'return;',
    test: { file: `${bff}/config/fields.test.ts`, name: 'refuses a pattern that takes long for the longest answer' },
  },
  {
    name: 'unread responses: pipelining has no limit',
    file: `${bff}/server/draining-server.ts`,
    find: '    if (connection.open >= MAX_PIPELINED_REQUESTS) connection.destroy();\n',
    replace: '',
    test: { file: availability, name: 'security review 8: is disconnected while it pipelines GET healthz' },
  },
  {
    name: 'unread responses: stalled connections stay open',
    file: `${bff}/server/connection.ts`,
    find: 'return now - this.#sentAt >= timeoutMs;',
    replace: 'return false;',
    test: { file: drainingServer, name: 'closes a connection whose client stops reading' },
  },
  {
    name: 'unread responses: the system keeps those of a closed connection',
    file: `${bff}/server/connection.ts`,
    find: 'if (this.tcp.writableLength > 0) this.tcp.resetAndDestroy();\n    else this.tcp.destroy();',
    replace: 'this.tcp.destroy();',
    test: { file: drainingServer, name: 'frees the unread bytes of a connection that it closes' },
  },
  {
    name: 'one connection occupies the event loop: a read is parsed to its end',
    file: `${bff}/server/connection.ts`,
    find: 'const CHUNK_BYTES = 1_024;',
    replace: 'const CHUNK_BYTES = 65_536;',
    test: { file: drainingServer, name: 'parses less than 50 of 1,000 pipelined requests, and closes the connection' },
  },
  {
    name: 'one address occupies the event loop: connections are read as they come',
    file: `${bff}/server/connection.ts`,
    find: '      await nextTurn();\n',
    replace: '',
    test: { file: `${bff}/server/connection.test.ts`, name: 'passes on one read of each client address per turn of the event loop' },
  },
  {
    name: 'one address delays the connections of others: each turn of the event loop has a read',
    file: `${bff}/server/connection.ts`,
    find: 'const REST_PER_READ = 3;',
    replace: 'const REST_PER_READ = 0;',
    test: { file: `${bff}/server/connection.test.ts`, name: 'calls the next read after a rest three times as long as the read before, while other addresses are connected' },
  },
  {
    name: 'pipelining has no limit for expectations',
    file: `${bff}/server/draining-server.ts`,
    find: 'if (this.#follow(req, res)) res.writeHead(417)',
    replace: 'res.writeHead(417)',
    test: { file: drainingServer, name: 'parses less than 50 of 1,000 pipelined expectations, and closes the connection' },
  },
  {
    name: 'a connection without end: requests per connection have no limit',
    file: `${bff}/server/draining-server.ts`,
    find: 'connection.requests === MAX_REQUESTS_PER_CONNECTION',
    replace: 'false',
    test: { file: drainingServer, name: 'closes a connection after a thousand requests, also when the client sends more and reads nothing' },
  },
  {
    name: 'one address takes all connections',
    file: `${bff}/server/draining-server.ts`,
    find: 'address.connections >= maxPerAddress',
    replace: 'false',
    test: { file: drainingServer, name: 'closes connections of one address beyond its limit, and accepts more when others close' },
  },
  {
    name: 'one address delays the connections of others: it opens any number a second',
    file: `${bff}/server/draining-server.ts`,
    find: 'address.opened < maxPerAddress',
    replace: 'true',
    test: { file: drainingServer, name: 'lets new connections of one address beyond its limit wait for the next second' },
  },
];
