/** What stands in the elements' place where the page's `trusted-types` list keeps Lit from drawing them: words, and a link
 *  to a page of the BFF's where the same can be done. Made of elements and text alone, which no policy forbids. */

import type { endpoints } from '@vestibule/shared';
import { bffAddress } from '../../api/bff-address.ts';
import { hasSyncReturn, takeSyncReturn } from '../../lib/sync-return.ts';
import { noticeStrings } from '../../locales/en-notice.ts';
import { languages } from '../../locales/language.ts';
import { findLanguage } from '../../locales/localizer.ts';

/** By themselves: a chunk that shares the list with others would become two. */
const paths = {
  syncReturn: '/sync/return', syncForm: '/sync/form', comments: '/comments',
} as const satisfies { [Name in keyof typeof endpoints]?: (typeof endpoints)[Name]['path'] };

type Words = Record<'text' | 'link', keyof typeof noticeStrings>;

class Notice extends HTMLElement {
  connectedCallback(): void {
    if (this.shadowRoot) return;
    const { search } = location;
    const path = this.isReturn() ? paths.syncReturn + search : this.path();
    if (this.isReturn()) takeSyncReturn(location, history);
    void this.#show(new URL(path.slice(1), bffAddress(this.getAttribute('bff'))).href);
  }

  protected readonly words: Words = { text: 'comments', link: 'openComments' };

  protected isReturn(): boolean {
    return hasSyncReturn(location);
  }

  protected path(): string {
    const query = new URLSearchParams();
    for (const name of ['forum', 'lang']) {
      const value = this.getAttribute(name);
      if (value) query.set(name, value);
    }
    return `${paths.comments}?${query}`;
  }

  async #show(href: string): Promise<void> {
    const tag = findLanguage(this);
    const language = await languages[tag]?.().catch(() => undefined);
    const strings = language?.notice ?? noticeStrings;
    const paragraph = document.createElement('p');
    const link = document.createElement('a');
    paragraph.lang = language?.notice ? tag : 'en';
    paragraph.dir = (language?.notice && language.direction) ?? 'ltr';
    paragraph.part.add('notice');
    link.part.add('link');
    link.href = href;
    link.rel = 'noreferrer';
    link.target = '_top';
    link.textContent = strings[this.words.link];
    paragraph.append(strings[this.words.text], ' ', link);
    this.attachShadow({ mode: 'open' }).append(paragraph);
  }
}

class SyncNotice extends Notice {
  protected override readonly words: Words = { text: 'sync', link: 'openSync' };

  protected override isReturn(): boolean {
    return /[?&](?:code|error|success)=/.test(location.search);
  }

  protected override path(): string {
    return paths.syncForm;
  }
}

/** Registers the notices under the elements' names. */
export function defineNotices(): void {
  for (const [name, notice] of [['vestibule-comments', Notice], ['vestibule-sync', SyncNotice]] as const) {
    if (!customElements.get(name)) customElements.define(name, notice);
  }
}
