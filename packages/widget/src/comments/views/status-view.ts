/** Text of the status region: progress and outcomes. */

import { html, nothing } from 'lit';
import { readerName } from '../../lib/reader-name.ts';
import { fill, plural } from '../../locales/phrase.ts';
import { referenceView } from '../../lib/reference-view.ts';
import type { CommentsView } from '../comments-view.ts';
import type { Words } from './words.ts';

export function statusView({ status, account }: CommentsView, { strings, problems, tag, textIsKept }: Words): unknown {
  switch (status?.kind) {
    case 'status': {
      const text = strings.status[status.phrase];
      // The main button shows it as well.
      if (status.phrase === 'posting') return html`<span class="visually-hidden">${text}</span>`;
      return status.phrase === 'offline' ? `${text} ${textIsKept}` : text;
    }
    case 'unavailable': return `${strings.status.unavailable} ${textIsKept}`;
    case 'retrying': return plural(tag, strings.status.retrying, status.seconds);
    case 'notice': return [strings.serverNotices[status.notice], referenceView(status, problems.reference)];
    case 'message': {
      const text = fill(strings.messages[status.message], account?.user ? { name: readerName(account.user) } : {});
      return status.message === 'signInFirst' || status.message === 'stopped' ? [text, ' ', textIsKept] : text;
    }
    case undefined: return nothing;
  }
}
