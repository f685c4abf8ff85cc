/** What names a draft, and other records of a reader at an article. */

import { articleKey } from '@vestibule/shared';

export interface DraftKey {
  /** Public URL of the BFF. */
  readonly bff: string;
  readonly forum: string;
  /** Identity of the page. */
  readonly page: string;
  /** `user_id`; empty while signed out. */
  readonly account: string;
  /** Id of the comment that the text replies to; empty: the text is about the article. */
  readonly parent: string;
}

/** `parseStorageKey` of `reader-records.ts` reads it. Only the forum and the ids may contain spaces: the others are URLs. */
export function draftStorageKey({ bff, account, forum, page, parent }: DraftKey): string {
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(encodeURIComponent);
  return ['vestibule:draft', bff, ofAccount, ofForum, articleKey(page), ...(ofParent ? [ofParent] : [])].join(' ');
}
