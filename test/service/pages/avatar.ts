/** A reader's initial on a color that depends on the user id. */

import type { Reader } from '../grants.ts';
import { html, type Html } from '../html.ts';

const COLOURS = 6;

export function avatar({ user_id, username }: Reader): Html {
  const colour = [...user_id].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % COLOURS;
  const initial = [...username.trim()][0] ?? '?';
  return html`<span class="avatar avatar-${colour}" aria-hidden="true">${initial.toUpperCase()}</span>`;
}
