/** A name that somebody else has chosen: text, its writing direction kept to itself. One that shows nothing gives way to
 *  the user's id. */

import { html, type TemplateResult } from 'lit';
import { isBlank, type User } from '@vestibule/shared';

export function readerName({ username, user_id }: User): TemplateResult {
  return html`<bdi class="name">${isBlank(username) ? user_id : username}</bdi>`;
}
