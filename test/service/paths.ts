/** Where the service answers, below `base_url`: section 4 of the interface. The entrance, the assets and the list of posts are no
 *  part of it. */

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
