/** The way in by the service's own embedded widget, which a real page would carry beside the comment box. */

import type { SiteOptions } from './options.ts';

export type EntranceOptions = Pick<SiteOptions, 'serviceUrl' | 'publicKey' | 'forum' | 'redirectUri'>;

export function entranceUrl({ serviceUrl, publicKey, forum, redirectUri }: EntranceOptions, display: 'popup' | 'page'): string {
  const params = new URLSearchParams({ client_id: publicKey, forum_id: forum, redirect_uri: redirectUri, display });
  return `${serviceUrl}/embedded/entrance?${params}`;
}
