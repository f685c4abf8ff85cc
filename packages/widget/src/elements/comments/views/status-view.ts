/** What is under way, and what came of it, in one line beside the main button. */

import { html, nothing } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { fill, plural } from '../../../locales/phrase.ts';
import type { Engine } from '../engine.ts';
import { link } from './link.ts';

export function statusView(engine: Engine): unknown {
  const { poster: { posting }, session, way, note, strings: { status, notes, notices } } = engine;
  if (posting.step === 'sending') return status.posting;
  if (posting.step === 'waiting') {
    return html`${plural(engine.host.localizer.tag, status.retrying, posting.seconds)} ${link(status.stop, () => engine.stopTrying())}`;
  }
  if (engine.isWaitingForSession) return status.oneMoment;
  if (note) return fill(notes[note], session.user ? { name: readerName(session.user) } : {});
  if (session.notice) return notices[session.notice];
  if (way.isBlocked) return html`${status.popupBlocked} ${way.isLeaving ? link(status.goOnHere, () => way.leave()) : nothing}`;
  if (way.isWaiting) return html`${status.waiting} ${link(status.reopen, () => way.start())}`;
  if (!navigator.onLine) return status.offline;
  return session.failure && session.state !== 'signed-in' ? status.unavailable : nothing;
}
