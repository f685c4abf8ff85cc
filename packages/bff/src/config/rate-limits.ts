/** Requests a minute by kind of request: `posts`, `sync`, and `other`. `off` lets everything through. */

import * as z from 'zod';

const DEFAULT_RATE_LIMITS = { posts: 20, sync: 30, other: 600 } as const;

const perMinute = z.number().int().positive('must be a whole number above 0');

export const rateLimitsSchema = z.union([
  z.literal('off'),
  z.strictObject({
    /** `POST /posts`. */
    posts: perMinute.default(DEFAULT_RATE_LIMITS.posts),
    /** `POST /sync` and what follows it. */
    sync: perMinute.default(DEFAULT_RATE_LIMITS.sync),
    /** Everything else that asks about a session. */
    other: perMinute.default(DEFAULT_RATE_LIMITS.other),
  }),
], 'must be off, or name posts, sync and other as requests a minute, such as posts=20,sync=30,other=600')
  .default({ ...DEFAULT_RATE_LIMITS });

export type RateLimits = z.output<typeof rateLimitsSchema>;
