/** A user name as text with isolated direction; the user's id if the name is blank. */

import { html, type TemplateResult } from 'lit';
import { isBlank, type User } from '@vestibule/shared';

export function readerName({ username, user_id }: User): TemplateResult {
  return html`<bdi class="name">${isBlank(username) ? user_id : username}</bdi>`;
}
