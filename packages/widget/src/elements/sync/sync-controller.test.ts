import { expect, waitUntil } from '@open-wc/testing';
import { BffClient } from '../../api/bff-client.ts';
import { ScriptedBff } from './_scripted-bff.ts';
import { SyncController } from './sync-controller.ts';

describe('SyncController', () => {
  it('calls a wait slow after a while, and no longer once it is over', async () => {
    const bff = new ScriptedBff();
    await bff.script({ answers: { 'GET /session': [{ hold: 'answer' }] } });
    const client = new BffClient(new URL(bff.url));
    const nothing = () => {};
    const updateComplete = Promise.resolve(true);
    const host = { isConnected: true, addController: nothing, removeController: nothing, requestUpdate: nothing, updateComplete };
    const controller = new SyncController(host, {
      client: () => client, forum: () => 'news', onState: nothing, onProblem: nothing, onOver: nothing, onCompleted: nothing,
    }, 20);

    controller.begin(undefined);
    expect(controller.slow).to.equal(false);
    await waitUntil(() => controller.slow, 'the wait is slow', { interval: 5 });
    expect(controller.wait).to.equal('asking');
    await bff.release('answer');
    await waitUntil(() => controller.wait === undefined, 'the wait is over', { interval: 5 });
    expect(controller.slow).to.equal(false);
  });
});
