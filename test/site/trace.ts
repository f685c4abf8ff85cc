/** The last sign-in, the last post, and the last edit, removal or like as requests between browser, BFF and service. Codes,
 *  tokens and keys are shortened. */

import type { RequestHandler } from 'express';
import type { DestinationStream } from 'pino';
import { expectedMac, type EmulatedService, type ReceivedRequest } from '../service/index.ts';

interface Step {
  readonly way: 'Browser → server' | 'Browser → service' | 'server → service' | 'Log of the server';
  readonly purpose: string;
  /** Request line, headers that matter and body. */
  text: string;
  /** Absent while the request is in progress, and for a line of the log. */
  status?: number;
}

interface Story {
  readonly title: 'Sign-in' | 'Post' | 'Edit, delete, like';
  /** `Idempotency-Key` of a post: a repetition belongs to the same story. */
  readonly key: string | undefined;
  readonly steps: Step[];
}

/** By method and path below the BFF, or by method and endpoint of the service. Other requests are not shown. */
const purposes: Readonly<Record<string, string>> = {
  'GET /sync/authorize': 'The window asks for a sign-in. The server binds it to this browser and redirects to the service.',
  'GET authorize': 'The service asks the reader for an account and for access.',
  'POST authorize': 'The reader decides. The service redirects back, with a code if access is allowed.',
  'GET entrance': 'The service’s own way in asks the reader for an account.',
  'POST entrance': 'The reader decides. The service redirects back, with a code if access is allowed.',
  'GET /sync/return': 'The browser delivers the result. The user in it is only claimed: nothing is exchanged yet.',
  'POST /sync': 'The reader confirms a sign-in that this browser had not begun.',
  'POST /sync/validation': 'The reader answers the publisher’s questions. The server checks the answers.',
  'POST /sync/cancel': 'The reader cancels.',
  'POST token': 'The server exchanges the code, once, with the secret key. The response proves who the user is.',
  'GET complete': 'The window tells the service whether the publisher accepted the reader.',
  'POST /posts': 'The page sends the text and a session cookie that no script can read. It has no key and no token.',
  'POST posts': 'The server signs the post with the secret key, in the reader’s name.',
  'PATCH /posts/{id}': 'The page sends the new text. The server asks the service in the reader’s name.',
  'DELETE /posts/{id}': 'The page asks to remove the comment. The server asks the service in the reader’s name.',
  'PUT /posts/{id}/like': 'The page sends whether the reader likes the comment. The server asks the service in the reader’s name.',
  'POST postUpdate': 'The server calls the service as the reader. The service knows whose comment it is.',
  'POST postRemove': 'The server calls the service as the reader. The service knows whose comment it is.',
  'POST postVote': 'The server calls the service as the reader, so that it counts each reader once.',
};

/** Endpoints of the service that the BFF calls with a signature. */
const SIGNED: Readonly<Record<string, Story['title']>> = {
  posts: 'Post', postUpdate: 'Edit, delete, like', postRemove: 'Edit, delete, like', postVote: 'Edit, delete, like',
};

const MAX_LENGTH = 1_500;

export class Trace {
  /** The newest first, one of each title. */
  stories: Story[] = [];

  /** Comes before the BFF's router. */
  readonly fromBrowser: RequestHandler = (req, res, next) => {
    const { method, path, originalUrl, headers } = req;
    const pattern = path.replace(/^(\/posts)\/(?!counts$)[^/]+/, '$1/{id}');
    const purpose = purposes[`${method} ${pattern}`];
    if (purpose !== undefined) {
      const key = headers['idempotency-key'];
      const cookies = headers.cookie?.match(/(?<=^|; )vestibule[^=]*/g)?.map((name) => `${name}=…`);
      const head = [
        `${method} ${shorten(originalUrl)}`,
        cookies && `Cookie: ${cookies.join('; ')}`,
        typeof key === 'string' && `Idempotency-Key: ${shortened(key)}`,
      ].filter(Boolean).join('\n');
      const step: Step = { way: 'Browser → server', purpose, text: head };
      const isAction = pattern !== path;
      const isNew = path === '/sync/authorize' || path === '/posts' || isAction;
      const title = isAction ? 'Edit, delete, like' : path === '/posts' ? 'Post' : 'Sign-in';
      this.#storyOf(title, isNew, path === '/posts' ? String(key) : undefined).steps.push(step);
      res.once('close', () => {
        step.status = res.statusCode;
        if (req.body !== undefined) step.text = `${head}\n\n${shortenJson(req.body)}`;
      });
    }
    next();
  };

  /** A response of the service has been sent. */
  toService(service: EmulatedService, { endpoint, method, path, headers, body }: ReceivedRequest, status: number): void {
    const purpose = purposes[`${method} ${endpoint}`];
    if (purpose === undefined) return;
    const title = SIGNED[endpoint!];
    const isSigned = title !== undefined;
    const signature = headers['authorization']?.[0];
    const text = [
      `${method} ${shorten(path)}`,
      signature !== undefined && `Authorization: ${shorten(signature)}`,
      body.length > 0 && `\n${shorten(body.toString())}`,
      isSigned && signature !== undefined && `\nSigned with HMAC-SHA-1 and the secret key:\n${baseString(service, path, signature, body)}`,
    ].filter((line) => line !== false).join('\n');
    const way = isSigned || endpoint === 'token' ? 'server → service' : 'Browser → service';
    this.#storyOf(title ?? 'Sign-in').steps.push({ way, purpose, text, status });
  }

  /** Lines of the BFF's log that belong to a request in progress. */
  readonly log: DestinationStream = {
    write: (line: string) => {
      const [story] = this.stories;
      if (!story?.steps.some(({ way, status }) => way === 'Browser → server' && status === undefined)) return;
      const { msg, level: _, time: __, err: ___, ...members } = JSON.parse(line) as Record<string, unknown>;
      story.steps.push({ way: 'Log of the server', purpose: String(msg), text: JSON.stringify(members) });
    },
  };

  #storyOf(title: Story['title'], isNew = false, key?: string): Story {
    let story = this.stories.find((one) => one.title === title);
    if (!story || (isNew && !(key !== undefined && story.key === key))) story = { title, key, steps: [] };
    this.stories = [story, ...this.stories.filter((one) => one.title !== title)];
    return story;
  }
}

/** What the MAC of a post is computed from (interface 5.1, step 4); the ends of lines are part of it. */
function baseString({ url }: EmulatedService, path: string, signature: string, body: Buffer): string {
  const { hostname: host, port } = new URL(url);
  const nonce = /nonce="([^"]*)"/.exec(signature)?.[1] ?? '';
  const params = [...new URLSearchParams(body.toString())];
  return expectedMac({ method: 'POST', path, host, port, nonce, params, key: '' }).requestString.replaceAll('\n', '\\n\n').trimEnd();
}

/** Members of a JSON body. */
const SECRETS = ['code', 'sync'];

function shorten(text: string): string {
  const short = text.replace(/((?:^|[?&, ])(?:code|access_token|client_secret|client_id|id)="?[^&"]{4})[^&"]+/g, '$1…');
  return short.length > MAX_LENGTH ? `${short.slice(0, MAX_LENGTH)}…` : short;
}

function shortenJson(body: unknown): string {
  return shorten(JSON.stringify(body, (name, value: unknown) => (SECRETS.includes(name) ? shortened(String(value)) : value)));
}

function shortened(text: string): string {
  return text.length > 4 ? `${text.slice(0, 4)}…` : text;
}
