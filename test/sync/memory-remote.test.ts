import { MemoryServer } from '../support/sync/memory-remote.js';
import { codeOf, remoteContract } from './remote-contract.js';
import { expect } from '@open-wc/testing';

describe('a remote in memory', () => {
  remoteContract(async () => {
    const server = new MemoryServer();
    return {
      connect: () => server.connect(),
      makeAnew: async () => server.makeAnew(),
      backUp: async () => server.backUp(),
      rollBack: async () => server.rollBack(),
      kill: async () => server.goDown(),
      start: async () => void (server.isDown = false),
    };
  });

  it('does a write whose answer is lost, and may be full', async () => {
    const { signal } = new AbortController();
    const server = new MemoryServer();
    const remote = server.connect();
    server.lostAnswers = 1;
    expect(await codeOf(remote.put('a', new Uint8Array(1), '', signal))).to.equal('unavailable');
    expect(await codeOf(remote.put('a', new Uint8Array(1), '', signal))).to.equal('conflict');
    server.isFull = true;
    expect(await codeOf(remote.put('b', new Uint8Array(1), '', signal))).to.equal('full');
  });
});
