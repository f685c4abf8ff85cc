import { expect, waitUntil } from '@open-wc/testing';
import { BffClient } from '../../client/bff-client.ts';
import { ScriptedBff } from './_scripted-bff.ts';
import { SyncController } from './sync-controller.ts';

describe('SyncController', () => {
  it('calls a request slow after a while', async () => {
    const bff = new ScriptedBff();
    await bff.script({ answers: { 'GET /session': [{ hold: 'answer' }] } });
    const client = new BffClient(new URL(bff.url));
    const nothing = () => {};
    const updateComplete = Promise.resolve(true);
    const host = { isConnected: true, addController: nothing, removeController: nothing, requestUpdate: nothing, updateComplete };
    const controller = new SyncController(host, {
      client: () => client, forum: () => 'news', onState: nothing, onProblem: nothing, onOver: nothing, onFocus: nothing,
      onCompleted: () => false, closeWindow: () => false, isPopup: () => false,
    }, 20);

    controller.begin(undefined);
    expect(controller.state.request?.isSlow).to.equal(false);
    await waitUntil(() => controller.state.request?.isSlow, 'the wait is slow', { interval: 5 });
    expect(controller.state.request?.kind).to.equal('asking');
    await bff.release('answer');
    await waitUntil(() => controller.state.request === undefined, 'the wait is over', { interval: 5 });
  });
});
