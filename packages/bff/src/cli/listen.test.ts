import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { CommandError, exitStatus } from './command.ts';
import { listen, listenError } from './listen.ts';

describe('listen', () => {
  it('gives the address that it got', async () => {
    await using server = createServer();
    const { address, port } = await listen(server, '127.0.0.1', 0);
    assert.equal(address, '127.0.0.1');
    assert.ok(port > 0);
  });

  it('says that a port is taken, and ends with what others may wait for', async () => {
    await using first = createServer();
    const { port } = await listen(first, '127.0.0.1', 0);
    await assert.rejects(listen(createServer(), '127.0.0.1', port), (error) => (
      error instanceof CommandError && error.exitStatus === exitStatus.unavailable && error.message.includes(`127.0.0.1:${port} is taken`)
    ));
  });

  it('says that an address is not this machine’s, without the port', async () => {
    await assert.rejects(listen(createServer(), '192.0.2.1', 8080), (error) => (
      error instanceof CommandError && error.exitStatus === exitStatus.config && error.message === 'HOST: this machine has no address 192.0.2.1.'
    ));
  });
});

describe('listenError', () => {
  it('says that a port needs rights', () => {
    const error = listenError(Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), '127.0.0.1:80');
    assert.ok(error instanceof CommandError);
    assert.equal(error.exitStatus, exitStatus.config);
    assert.match(error.message, /^127\.0\.0\.1:80 may not be used/);
  });

  it('passes on unknown errors', () => {
    for (const error of [Object.assign(new Error('listen'), { code: 'EMFILE' }), new Error('no code'), 'no error']) {
      assert.equal(listenError(error, '127.0.0.1:80'), error);
    }
  });
});
