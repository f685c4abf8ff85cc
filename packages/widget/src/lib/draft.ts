/** What the reader has written and not posted yet, kept in this browser by BFF, forum, page and account. Where storage
 *  is not to be had, a draft lives as long as its page. */

export class Draft {
  text = '';
  /** The `Idempotency-Key` of a request to post this draft whose end is not known for sure. */
  key: string | undefined;
  /** Of a draft that was left behind when a session ended: the account that `key` was used for. */
  owner: string | undefined;
  readonly #place: string;
  #account: string;

  /** `account` is the reader's `user_id`; empty while signed out. */
  constructor(bff: URL, forum: string, account = '') {
    this.#account = account;
    const page = new URL(document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href || location.href);
    this.#place = `vestibule:draft ${bff.href} ${forum} ${page.pathname}${page.search} `;
    this.read();
  }

  get account(): string {
    return this.#account;
  }

  /** Turns to the draft of another account and leaves this one in storage. */
  set account(account: string) {
    this.#account = account;
    this.read();
  }

  read(): void {
    this.text = '';
    this.key = this.owner = undefined;
    try {
      const { text, key, owner } = JSON.parse(localStorage.getItem(this.#place + this.#account) ?? '{}');
      if (typeof text === 'string') this.text = text;
      if (typeof key === 'string') this.key = key;
      if (typeof owner === 'string') this.owner = owner;
    } catch {}
  }

  save(): void {
    const { text, key, owner } = this;
    try {
      if (text) localStorage.setItem(this.#place + this.#account, JSON.stringify({ text, key, owner }));
      else localStorage.removeItem(this.#place + this.#account);
    } catch {}
  }
}
