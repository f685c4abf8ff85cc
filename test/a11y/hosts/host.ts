/** A page of another publisher with the style sheet `assets/<name>.css`. */

import { html, type Html } from '../../service/html.ts';

export interface Host {
  /** Path segment. */
  readonly name: string;
  readonly title: string;
  readonly page: () => Html;
}

export interface HostPage {
  readonly name: string;
  readonly title: string;
  /** BCP 47 tag. Default `en`. */
  readonly lang?: string;
  readonly dir?: 'rtl';
  readonly body: Html;
}

/** A page whose style sheet and script create the box of `body`. */
export function hostPage({ name, title, lang = 'en', dir, body }: HostPage): Html {
  return html`<!doctype html>
<html lang="${lang}"${dir && html` dir="${dir}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/assets/${name}.css">
<script type="module" src="/vestibule/widget.js"></script>
<script type="module" src="/assets/gallery.js"></script>
</head>
<body>${body}</body>
</html>
`;
}

/** Placeholder of a box whose reader is signed in and has written `text`. */
export function box(text: string, username: string, shows: string): Html {
  const limits = { message_max_length: 10_000 };
  const state = {
    tag: 'vestibule-comments', shows, steps: [{ write: text }],
    bff: { session: { state: 'signed-in', user: { user_id: '42', username }, forum: 'news', limits } },
  };
  return html`<div class="comments" data-state="${JSON.stringify(state)}"></div>`;
}
