/** Mutations of the checks of requests: origin, media type, body, parameters, rate limits. */

import type { Mutation } from './mutation.ts';

const bff = 'packages/bff/src';
const crossSite = 'test/security/cross-site.test.ts';
const requests = 'test/security/hostile-requests.test.ts';
const rateLimits = 'test/security/rate-limits.test.ts';

export const requestMutations: readonly Mutation[] = [
  {
    name: 'a forged request: the origin is not checked',
    file: `${bff}/http/origin-check.ts`,
    find: 'if (!SAFE_METHODS.includes(req.method) && !isAllowed && !isSameOrigin(req, origin))',
    replace: 'if (false)',
    test: { file: crossSite, name: 'is refused at POST /posts from each of 24 look-alike origins' },
  },
  {
    name: 'a look-alike origin: prefixes match',
    file: `${bff}/http/origin-check.ts`,
    find: 'origin !== undefined && allowed.has(origin)',
    replace: 'origin !== undefined && origins.some((one) => origin.startsWith(one))',
    test: { file: crossSite, name: 'cannot read a response: CORS allows exactly the listed origins, with credentials' },
  },
  {
    name: 'a forged request: same-site passes as same-origin',
    file: `${bff}/http/origin-check.ts`,
    find: '=== \'same-origin\'',
    replace: '!== \'cross-site\'',
    test: { file: crossSite, name: 'is refused without Origin unless Sec-Fetch-Site is same-origin' },
  },
  {
    name: 'a form of another site: any media type passes as JSON',
    file: `${bff}/http/json-body.ts`,
    find: 'hasBody(req) && !JSON_IN_UTF8.test(contentType)',
    replace: 'false',
    test: { file: crossSite, name: 'is refused as a form or as text: only JSON is accepted' },
  },
  {
    name: 'clickjacking: the form page can be framed',
    file: `${bff}/sync/pages.ts`,
    find: '    `frame-ancestors \'none\'`,\n',
    replace: '',
    test: { file: crossSite, name: 'cannot frame the form page, which sends no referrer' },
  },
  {
    name: 'a repeated parameter: the first one counts',
    file: `${bff}/sync/sync-return.ts`,
    find: 'if (query.getAll(name).length > 1)',
    replace: 'if (false)',
    test: { file: requests, name: 'with repeated, nested or bracketed parameters is refused or parsed by the URL standard' },
  },
  {
    name: 'deeply nested JSON is parsed',
    file: `${bff}/http/json-body.ts`,
    find: 'isWithinJsonDepth(text) ? JSON.parse(text) : undefined',
    replace: 'JSON.parse(text)',
    test: { file: requests, name: 'with deeply nested JSON is refused before it is parsed' },
  },
  {
    name: 'bytes that are not UTF-8 are replaced',
    file: `${bff}/http/json-body.ts`,
    find: '{ fatal: true }',
    replace: '{ fatal: false }',
    test: { file: requests, name: 'with a body that is too large, not UTF-8, compressed, or in another charset is refused' },
  },
  {
    name: 'an unknown member is ignored',
    file: `${bff}/posts/new-post.ts`,
    find: 'z.strictObject',
    replace: 'z.object',
    test: { file: requests, name: 'with members of Object.prototype is refused' },
  },
  {
    name: 'a new rate limit for each cookie',
    file: `${bff}/http/rate-limit.ts`,
    find: 'const userId = kind === \'sync\' ? undefined : await userIdOf(req);',
    replace: 'const userId = req.headers.cookie ?? await userIdOf(req);',
    test: { file: rateLimits, name: 'security review 3: counts an address, with and without the cookies of its attempts' },
  },
  {
    name: 'a new rate limit for each address of an IPv6 network',
    file: `${bff}/http/rate-limit.ts`,
    find: 'const IPV6_PREFIX_BITS = 64;',
    replace: 'const IPV6_PREFIX_BITS = 128;',
    test: { file: `${bff}/http/rate-limit.test.ts`, name: 'counts all addresses of an IPv6 /64 together, and IPv4 addresses apart' },
  },
];
