import type { Post } from '@vestibule/shared';

/** `vestibule-posted`: the service has created the post; `detail.post` is its own record of it. */
export class VestibulePostedEvent extends CustomEvent<{ readonly post: Post }> {
  static readonly type = 'vestibule-posted';

  constructor(post: Post) {
    super(VestibulePostedEvent.type, { bubbles: true, composed: true, detail: { post } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-posted': VestibulePostedEvent;
  }
}
