import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { serve, type Served } from '../http/_serve.ts';
import { Pages, sendProblemPage } from './pages.ts';

const PUBLIC_URL = 'https://www.example.com/a&b';
const settings = { publicUrl: PUBLIC_URL, origins: ['https://www.example.com', 'https://m.example.com'] };

const problem = {
  type: 'urn:vestibule:cross-site-request', title: 'Cross-site request', status: 403, detail: 'The origin "a" is not allowed.', retryable: false,
  instance: 'urn:vestibule:request:0b6c7bd4-54c2-4f0e-8a6a-2f1f0f3f8d11',
} as const;

const { instance: _, ...withoutInstance } = problem;

function servePages(): Promise<Served> {
  const pages = new Pages(settings);
  return serve((req, res, next) => {
    res.type('json'); // of a host application
    if (req.path === '/form') pages.sendForm(req, res);
    else if (req.path === '/box') pages.sendBox(req, res, 'a "forum"');
    else if (req.path === '/continue') pages.sendContinue(req, res, { forum: 'a&b', returnTo: 'https://m.example.com/?a=1', display: 'page' });
    else if (req.path === '/problem') sendProblemPage(res, PUBLIC_URL, 'Not <allowed>', problem, true);
    else if (req.path === '/quiet-problem') sendProblemPage(res, PUBLIC_URL, 'Not <allowed>', withoutInstance, false);
    else next();
  });
}

async function get(path: string, headers: Readonly<Record<string, string>> = { Accept: 'text/html' }) {
  await using served = await servePages();
  const { status, text, headers: received } = await served.request.get(path).set(headers);
  const fields = received as Readonly<Record<string, string>>;
  const [, main = ''] = /<main>\n([^]*)\n<\/main>/.exec(text) ?? [];
  const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
  return { status, text, main, style, headers: fields, policy: fields['content-security-policy'] };
}

const policyOf = (style: string, script = '') => `default-src 'none'; script-src https://www.example.com${script}; `
  + `style-src 'sha256-${hash('sha256', style, 'base64')}'; connect-src https://www.example.com; base-uri 'none'; form-action 'none'; `
  + `frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html`;

describe('a page', () => {
  it('is a complete HTML document that loads the widget only', async () => {
    const { status, text, style } = await get('/form');
    assert.equal(status, 200);
    assert.equal(text, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in to comment</title>
<style>${style}</style>
<script type="module" src="https://www.example.com/a&#38;b/widget.js"></script>
</head>
<body>
<main>
<vestibule-sync bff="https://www.example.com/a&#38;b" opener-origins="https://www.example.com https://m.example.com"></vestibule-sync>
<noscript>Signing in needs JavaScript. Turn it on and reload this page.</noscript>
</main>
</body>
</html>
`);
    assert.match(style, /color-scheme:light dark/);
  });

  it('has a strict policy, and passes on no address', async () => {
    const { headers, policy, style } = await get('/form');
    assert.equal(policy, policyOf(style));
    const { 'content-type': type, 'referrer-policy': referrer, 'x-frame-options': frames } = headers;
    assert.deepEqual([type, referrer, frames], ['text/html; charset=utf-8', 'no-referrer', 'DENY']);
  });

  it('is in the language of the request', async () => {
    assert.match((await get('/form', { Accept: 'text/html', 'Accept-Language': 'de, en;q=0.5' })).text, /<html lang="de">/);
  });

  it('is refused to a client that takes no HTML', async () => {
    const wanted = { Accept: 'application/json' };
    for (const [path, status, type] of [
      ['/form', 406, 'not-acceptable'], ['/box', 406, 'not-acceptable'], ['/continue', 403, 'cross-site-request'],
    ] as const) {
      const { status: received, text } = await get(path, wanted);
      assert.deepEqual([received, (JSON.parse(text) as { type: string }).type], [status, `urn:vestibule:${type}`]);
    }
  });
});

describe('the comment box', () => {
  it('is of one forum', async () => {
    const { status, text, main } = await get('/box');
    assert.equal(status, 200);
    assert.match(text, /<title>Comments<\/title>/);
    assert.equal(main, `<vestibule-comments bff="https://www.example.com/a&#38;b" forum="a &#34;forum&#34;"></vestibule-comments>
<noscript>Writing a comment needs JavaScript. Turn it on and reload this page.</noscript>`);
    assert.match(text, /<script type="module" src="https:\/\/www\.example\.com\/a&#38;b\/widget\.js"><\/script>\n<\/head>/);
  });
});

describe('the question before a sign-in that another site asked for', () => {
  it('names this site and continues by the reader’s click, without a script', async () => {
    const { status, text, main } = await get('/continue');
    assert.equal(status, 403);
    assert.match(text, /<title>Sign in to comment\?<\/title>/);
    assert.match(text, /<\/style>\n<\/head>/);
    assert.equal(main, `<h1>Sign in to comment?</h1>
<p>Another website asked to start a sign-in at www.example.com. Continue only if you wanted to sign in.</p>
<p><a href="https://www.example.com/a&#38;b/sync/authorize?forum=a%26b&#38;return_to=https%3A%2F%2Fm.example.com%2F%3Fa%3D1&#38;display=page">`
    + `Continue to sign in</a></p>`);
  });
});

describe('the page of a problem', () => {
  it('explains the problem and reports it to the page that opened the window', async () => {
    const { status, text, main, policy, style } = await get('/problem');
    assert.equal(status, 403);
    assert.match(text, /<html lang="en">/);
    assert.match(text, /<title>Not &#60;allowed&#62;<\/title>/);
    const script = `opener?.postMessage({ vestibule: JSON.parse(document.currentScript.dataset.problem) }, '*');`;
    const data = JSON.stringify(problem).replaceAll('"', '&#34;');
    assert.equal(main, `<h1>Not &#60;allowed&#62;</h1>
<p>The origin &#34;a&#34; is not allowed.</p>
<p>Close this window, or go back to the article, and try again from there.</p>
<p>Reference: <code>0b6c7bd4</code></p>
<script data-problem="${data}">${script}</script>`);
    assert.equal(policy, policyOf(style, ` 'sha256-${hash('sha256', script, 'base64')}'`));
  });

  it('reports nothing where no box can have opened it', async () => {
    const { main } = await get('/quiet-problem');
    assert.ok(main.endsWith('<p>Reference: <code></code></p>\n'));
  });
});
