/**
 * The BFF that a publisher would otherwise write: Express 5 and the usual packages, each used as its documentation shows.
 * It offers the operations that the benchmark compares. What it lacks: CSRF protection, encryption at rest, recovery of a
 * sign-in, limits towards the service, problem details.
 */

import { randomUUID } from 'node:crypto';
import cookieParser from 'cookie-parser';
import express, { type ErrorRequestHandler, type Express } from 'express';
import rateLimit from 'express-rate-limit';
import session, { type Store } from 'express-session';
import { LRUCache } from 'lru-cache';
import { pinoHttp } from 'pino-http';
import { Histogram, Registry } from 'prom-client';
import type { PostRecords } from './post-records.ts';
import type { Service } from './service.ts';

declare module 'express-session' {
  interface SessionData {
    user: { user_id: string; username: string };
    accessToken: string;
    pending: { sync: string; code: string; username: string; user_id: string; completionUrl: string };
  }
}

export interface PeerDeps {
  readonly sessionStore: Store;
  readonly records: PostRecords;
  readonly service: Service;
  readonly secret: string;
  /** Posts of a page, from the publisher's own list. */
  readonly listPosts: (forum: string, page: string) => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const LIST_LIFETIME_MS = 15_000;
const MESSAGE_MAX_LENGTH = 10_000;
const FORUM = 'news';

export function createPeer({ sessionStore, records, service, secret, listPosts }: PeerDeps): Express {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'http_request_duration_seconds', help: 'Duration of requests', labelNames: ['method', 'route', 'status'], registers: [registry],
  });
  const lists = new LRUCache<string, object>({
    max: 500,
    ttl: LIST_LIFETIME_MS,
    fetchMethod: async (key) => {
      const [forum, page] = JSON.parse(key) as [string, string];
      return await listPosts(forum, page) as object;
    },
  });

  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(pinoHttp());
  app.use((req, res, next) => {
    const stop = duration.startTimer();
    res.on('finish', () => { stop({ method: req.method, route: String(req.route?.path ?? req.path), status: res.statusCode }); });
    next();
  });
  app.use(rateLimit({ windowMs: 60_000, limit: 100_000_000, standardHeaders: 'draft-8', legacyHeaders: false }));
  app.use(cookieParser(secret));
  app.use('/vestibule/posts', (req, res, next) => {
    if (req.method !== 'GET') return next();
    const { forum, page } = req.query;
    if (typeof forum !== 'string' || typeof page !== 'string') return res.status(400).json({ error: 'invalid request' });
    res.set('Cache-Control', 'public, max-age=15');
    return lists.fetch(JSON.stringify([forum, page])).then((list) => res.json(list), next);
  });
  app.use(session({
    store: sessionStore,
    secret,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'strict', maxAge: 14 * DAY_MS },
  }));
  app.use(express.json());

  app.get('/vestibule/session', (req, res) => {
    const { user } = req.session;
    const limits = { message_max_length: MESSAGE_MAX_LENGTH };
    res.set('Cache-Control', 'no-store').json(user ? { state: 'signed-in', user, forum: FORUM, limits } : { state: 'anonymous', limits });
  });

  app.post('/vestibule/sync', (req, res) => {
    const { code, username, user_id, audiencesync_uri } = req.body as Record<string, unknown>;
    if (![code, username, user_id, audiencesync_uri].every((text) => typeof text === 'string' && text !== '')) {
      return res.status(400).json({ error: 'invalid request' });
    }
    const completionUrl = new URL(audiencesync_uri as string);
    if (completionUrl.origin !== service.origin) return res.status(400).json({ error: 'invalid completion URL' });
    const sync = randomUUID();
    req.session.pending = { sync, code, username, user_id, completionUrl: completionUrl.href } as Required<typeof req.session>['pending'];
    return res.status(201).json({ state: 'validating', sync: { id: sync, user: { user_id, username }, forum: FORUM, form: { fields: [] } } });
  });

  app.post('/vestibule/sync/validation', async (req, res) => {
    const { pending } = req.session;
    const { sync, username: shown } = req.body as Record<string, unknown>;
    if (!pending || pending.sync !== sync || pending.username !== shown) return res.status(409).json({ error: 'no sign-in' });
    const { access_token, user_id, username } = await service.exchangeCode(pending.code);
    if (user_id !== pending.user_id || username !== pending.username) return res.status(409).json({ error: 'another user' });
    await new Promise<void>((resolve, reject) => {
      req.session.regenerate((error?: Error) => { if (error) reject(error); else resolve(); });
    });
    req.session.user = { user_id, username };
    req.session.accessToken = access_token;
    const url = new URL(pending.completionUrl);
    for (const [name, value] of Object.entries({ client_id: service.publicKey, user_id, access_token, success: '1' })) url.searchParams.set(name, value);
    return res.json({ outcome: 'accepted', completion_url: url.href });
  });

  app.post('/vestibule/posts', async (req, res) => {
    const { user, accessToken } = req.session;
    if (!user || accessToken === undefined) return res.status(401).json({ error: 'not signed in' });
    const { forum, message } = req.body as Record<string, unknown>;
    const key = req.get('Idempotency-Key');
    if (forum !== FORUM || typeof message !== 'string' || message.trim() === '' || message.length > MESSAGE_MAX_LENGTH || !key) {
      return res.status(400).json({ error: 'invalid request' });
    }
    const known = await records.begin(`${user.user_id}:${key}`);
    if (known === 'begun') return res.status(409).json({ error: 'in progress' });
    if (known !== undefined) return res.status(201).json(JSON.parse(known));
    const post = await service.createPost({ forum, message }, accessToken);
    const answer = { post };
    await records.finish(`${user.user_id}:${key}`, JSON.stringify(answer));
    return res.status(201).json(answer);
  });

  app.use(((error: Error, req, res, _next) => {
    req.log.error(error);
    res.status(500).json({ error: 'internal error' });
  }) satisfies ErrorRequestHandler);
  return app;
}
