/** Requests of readers' browsers, as bytes. A scenario is the sequence of requests that one connection repeats. The pages are
 *  those of `https://www.example.com`, the BFF is at `/vestibule`. */

import { randomUUID } from 'node:crypto';

export type ScenarioName = 'posts' | 'session' | 'sync' | 'list';

export interface ScenarioOptions {
  /** `Cookie` headers of readers who are signed in. */
  readonly cookies: readonly string[];
  /** Bytes of a message. Default 200. */
  readonly messageBytes?: number;
  /** Base URL of the service. */
  readonly serviceUrl: string;
}

export interface Scenario {
  readonly expectedStatus: number;
  /** The next request of a connection, given the text of its last response. */
  readonly next: (lastResponse: string) => string;
}

const MESSAGE_BYTES = 200;

const WORDS = "That's the clearest account of it I've read so far (and there were many). And who pays for the harbour, though? ";

/** Of every request of the widget. */
const HEADERS = {
  Host: 'www.example.com',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: 'application/json, application/problem+json',
  'Accept-Language': 'en-GB,en;q=0.7',
  Origin: 'https://www.example.com',
} as const;

const BROWSER = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`).join('\r\n');

/** Create one for each connection. */
export function createScenario(name: ScenarioName, options: ScenarioOptions): Scenario {
  const creators = { posts: createPosts, session: createSession, sync: createSync, list: createList };
  return creators[name](options);
}

/** A comment of so many bytes. */
function messageOf(bytes: number): string {
  return WORDS.repeat(Math.ceil(bytes / WORDS.length)).slice(0, bytes);
}

function createPosts({ cookies, messageBytes = MESSAGE_BYTES }: ScenarioOptions): Scenario {
  const body = JSON.stringify({ forum: 'news', message: messageOf(messageBytes) });
  return {
    expectedStatus: 201,
    next: () => requestText('POST', '/vestibule/posts', `Cookie: ${anyOf(cookies)}\r\nIdempotency-Key: "${randomUUID()}"`, body),
  };
}

function createSession({ cookies }: ScenarioOptions): Scenario {
  return { expectedStatus: 200, next: () => requestText('GET', '/vestibule/session', `Cookie: ${anyOf(cookies)}`) };
}

/** The thread of one article. */
function createList(): Scenario {
  const query = new URLSearchParams({ forum: 'news', page: 'https://www.example.com/articles/lamplighter' });
  return { expectedStatus: 200, next: () => requestText('GET', `/vestibule/posts?${query}`) };
}

/** `POST /sync` of a browser without a cookie, then `POST /sync/validation` with the one that it was given. */
function createSync({ serviceUrl }: ScenarioOptions): Scenario {
  let isStarted = false;
  return {
    expectedStatus: 200,
    next: (lastResponse) => {
      isStarted = !isStarted;
      if (!isStarted) {
        const cookie = /^set-cookie: ([^;\r]+)/im.exec(lastResponse)?.[1] ?? '';
        const { sync } = JSON.parse(lastResponse.slice(lastResponse.indexOf('\r\n\r\n'))) as { sync: { id: string; user: { username: string } } };
        const validation = { sync: sync.id, username: sync.user.username, answers: {} };
        return requestText('POST', '/vestibule/sync/validation', `Cookie: ${cookie}`, JSON.stringify(validation));
      }
      const user_id = String(1 + Math.floor(Math.random() * 100_000));
      return requestText('POST', '/vestibule/sync', undefined, JSON.stringify({
        code: `${user_id}.${randomUUID()}`, username: `Reader ${user_id}`, user_id, audiencesync_uri: `${serviceUrl}/audiencesync/complete/`,
      }));
    },
  };
}

function requestText(method: string, path: string, more?: string, body?: string): string {
  const head = `${method} ${path} HTTP/1.1\r\n${BROWSER}${more === undefined ? '' : `\r\n${more}`}`;
  if (body === undefined) return `${head}\r\n\r\n`;
  return `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function anyOf(cookies: readonly string[]): string {
  return cookies[Math.floor(Math.random() * cookies.length)] ?? '';
}
