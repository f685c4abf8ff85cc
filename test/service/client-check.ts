/** Checks that the authorize page and the embedded entrance share: the client and its redirect URI. A fault of either is shown
 *  and never redirected (RFC 6749, 4.1.2.1). */

import type { ServiceContext } from './context.ts';
import type { Display, Reader } from './grants.ts';
import { ParamsError } from './params.ts';

export interface Client {
  readonly client_id: string;
  readonly redirect_uri: string;
}

export function checkClient(context: ServiceContext, { client_id, redirect_uri }: Client): void {
  if (client_id !== context.publicKey) throw new ParamsError('client_id is not known here');
  if (!context.redirectUris.has(redirect_uri)) throw new ParamsError('redirect_uri is not registered');
}

export function readReader(context: ServiceContext, userId: string): Reader {
  const reader = context.readers.find(({ user_id }) => user_id === userId);
  if (!reader) throw new ParamsError('reader is not one of the choices');
  return reader;
}

export function readDecision(decision: string): 'accept' | 'deny' {
  if (decision !== 'accept' && decision !== 'deny') throw new ParamsError('decision is neither accept nor deny');
  return decision;
}

export function readDisplay(display: string | undefined): Display | undefined {
  if (display !== undefined && display !== 'popup' && display !== 'page') throw new ParamsError('display is neither popup nor page');
  return display;
}
