/** Settings of the publisher's site. */

import type { PostList } from '@vestibule/shared';

export interface SiteOptions {
  /** `{bff}` as browsers see it: a path of this origin (`/vestibule`) or an absolute URL. */
  readonly vestibuleUrl: string;
  /** The forum of every box that names no other. */
  readonly forum: string;
  /** `base_url` of the service. */
  readonly serviceUrl: string;
  /** The publisher's `client_id`. */
  readonly publicKey: string;
  /** Where the service's own sign-in brings the reader: the one redirect URI of the BFF's settings. */
  readonly redirectUri: string;
  /** The posts of a page by its path. */
  readonly listPosts: (path: string) => Promise<PostList>;
}
