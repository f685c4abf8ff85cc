/** URL of the authorization request (interface 4.2). */

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly forum: string;
  readonly redirectUri: string;
}

export function authorizeUrl(serviceUrl: string, { clientId, forum, redirectUri }: AuthorizationRequest): string {
  const url = new URL(`${serviceUrl}/api/oauth/2.0/authorize/`);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('response_type', 'audiencesync');
  url.searchParams.set('forum_id', forum);
  url.searchParams.set('redirect_uri', redirectUri);
  return url.href;
}
