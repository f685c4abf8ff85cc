/** The script tag's entry: registers the comment box, and the validation form once the page has one, whose parameters
 *  leave the page's address before its script has come. A second copy of the script does nothing. */

import { VestibuleComments } from './elements/comments/vestibule-comments.ts';
import { canRender } from './lib/can-render.ts';
import { defineSync } from './lib/define-sync.ts';
import { holdSyncReturn } from './lib/held-return.ts';

if (!customElements.get('vestibule-comments')) {
  if (canRender()) {
    customElements.define('vestibule-comments', VestibuleComments);

    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(look);
    });
    observer.observe(document, { childList: true, subtree: true });
    look(document);

    function look(node: Node): void {
      if (node.nodeName !== 'VESTIBULE-SYNC' && !(node as Partial<ParentNode>).querySelector?.('vestibule-sync')) return;
      observer.disconnect();
      holdSyncReturn();
      void defineSync();
    }
  } else {
    void import('./elements/notice/notice.ts').then(({ defineNotices }) => defineNotices());
  }
}
