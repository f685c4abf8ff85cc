/** JSON in and out: bodies in UTF-8, bounded in size and depth, not compressed; also bodies that a host application parsed. */

import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { PROBLEM_MEDIA_TYPE } from '@vestibule/shared';
import { isWithinJsonDepth } from '../lib/json.ts';
import { ProblemError } from './problem-error.ts';

/** Refuses clients that accept neither JSON nor problem details: `not-acceptable`. */
export const acceptsJson: RequestHandler = (req, _res, next) => {
  if (!req.accepts(['application/json', PROBLEM_MEDIA_TYPE])) throw new ProblemError('not-acceptable');
  next();
};

/** A code point takes at most two escapes of six bytes each. */
const BYTES_PER_CODE_POINT = 12;

/** For the members other than the message. */
const OVERHEAD_BYTES = 64 * 1024;

export function jsonBody(messageMaxLength: number): RequestHandler[] {
  const limit = messageMaxLength * BYTES_PER_CODE_POINT + OVERHEAD_BYTES;
  return [requireJson, express.raw({ limit, inflate: false, type: () => true }), parse];
}

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset="?utf-8"?[ \t]*)?)?$/i;

const requireJson: RequestHandler = (req, _res, next) => {
  const contentType = req.get('Content-Type') ?? '';
  if (hasBody(req) && !JSON_IN_UTF8.test(contentType)) throw new ProblemError('unsupported-media-type');
  next();
};

/** RFC 9112, 6. Clients send `Content-Length: 0` with a `POST` that has no body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** `req.body` holds bytes, or what a host application's parser left there. */
const parse: RequestHandler = (req, _res, next) => {
  const body: unknown = req.body;
  if (hasBody(req) && body !== undefined) {
    req.body = parsed(body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  }
  next();
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Uint8Array): object {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = isWithinJsonDepth(text) ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new ProblemError('invalid-request');
}
