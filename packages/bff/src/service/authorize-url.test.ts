import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizeUrl } from './sign-in-urls.ts';

describe('authorizeUrl', () => {
  it('carries exactly the four parameters, the redirect URI as registered', () => {
    const redirectUri = 'https://www.example.com/return?verify=1&x=%7E+ü';
    const url = new URL(authorizeUrl('https://comments.example/base', { clientId: 'key', forum: 'news', redirectUri }));
    assert.equal(url.origin + url.pathname, 'https://comments.example/base/api/oauth/2.0/authorize/');
    assert.deepEqual([...url.searchParams], [
      ['client_id', 'key'], ['response_type', 'audiencesync'], ['forum_id', 'news'], ['redirect_uri', redirectUri],
    ]);
  });
});
