/** Where the service answers, below `base_url`. The entrance, the assets and the list of posts are not part of the interface, the rest is its
 *  section 4. */

import type { EndpointName } from './request.ts';

export const paths = {
  authorize: '/api/oauth/2.0/authorize/',
  token: '/api/oauth/2.0/access_token/',
  complete: '/audiencesync/complete/',
  posts: '/api/3.0/posts/create.json',
  postList: '/api/3.0/posts/list.json',
  entrance: '/embedded/entrance',
  stylesheet: '/assets/service.css',
  completionScript: '/assets/complete.js',
} as const;

const endpointNames: readonly EndpointName[] = ['authorize', 'token', 'complete', 'posts', 'postList', 'entrance'];

export function endpointAt(path: string): EndpointName | undefined {
  return endpointNames.find((name) => paths[name] === path);
}
