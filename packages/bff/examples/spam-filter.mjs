/** A spam filter. `client` is personal data: name the filter in your privacy notice. Call it in `edit` too. */

import { defineConfig } from '@vestibule/bff';

export default defineConfig({
  posts: {
    async prepare({ message, user, page, client, signal }) {
      const body = JSON.stringify({ text: message, author: user.username, page, ip: client.address, agent: client.userAgent });
      const response = await fetch('https://spam.example.com/check', { method: 'POST', body, signal });
      const { isSpam } = await response.json();
      return isSpam ? { ok: false, reason: { en: 'This looks like advertising.', de: 'Das sieht nach Werbung aus.' } } : { ok: true };
    },
  },
});
