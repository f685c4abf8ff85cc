/** Receives a request, records it, and responds by its endpoint or by its scripted fault. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Arrivals } from './arrivals.ts';
import { assetAt } from './assets.ts';
import { pathUnder, type ServiceContext } from './context.ts';
import { authorize } from './endpoints/authorize.ts';
import { complete } from './endpoints/complete.ts';
import { entrance } from './endpoints/entrance.ts';
import { listPosts } from './endpoints/post-list.ts';
import { createPost } from './endpoints/posts.ts';
import { exchangeCode } from './endpoints/token.ts';
import type { Faults } from './faults.ts';
import type { LateActions } from './late-actions.ts';
import { errorPage } from './pages/error-page.ts';
import { endpointAt } from './paths.ts';
import { pageReply, type Reply } from './reply.ts';
import { receiveBody, type EndpointName, type ReceivedRequest } from './request.ts';
import { sendFault } from './send-fault.ts';

export interface ServeDeps {
  readonly context: ServiceContext;
  readonly arrivals: Arrivals;
  readonly faults: Faults;
  readonly lateActions: LateActions;
  readonly openerPolicy: () => string | undefined;
  /** Stores changes of an endpoint. */
  readonly save: () => void;
}

type Handler = (context: ServiceContext, request: ReceivedRequest) => Reply;

const handlers: Readonly<Record<EndpointName, Handler>> = {
  authorize,
  entrance,
  token: exchangeCode,
  complete,
  posts: createPost,
  postList: listPosts,
};

export function createRequestListener(deps: ServeDeps): RequestListener {
  const { context, arrivals, faults, lateActions, openerPolicy, save } = deps;
  const basePath = pathUnder(context, '/');

  return (message, response) => {
    receiveBody(message, (body) => {
      if (body === undefined) return send(response, { status: 413, headers: { Connection: 'close' }, body: '' });
      const request = received(message, body);
      respond(request, response);
      arrivals.add(request);
    });
  };

  function received(message: IncomingMessage, body: Buffer): ReceivedRequest {
    const path = message.url ?? '';
    return {
      endpoint: endpointAt(placeOf(path)),
      method: message.method ?? '',
      path,
      headers: message.headersDistinct as Record<string, readonly string[]>,
      body,
      receivedAt: context.now(),
      remotePort: message.socket.remotePort ?? 0,
    };
  }

  function respond(request: ReceivedRequest, response: ServerResponse): void {
    const { endpoint } = request;
    if (endpoint === undefined || (endpoint === 'postList' && !context.threads)) return send(response, assetAt(placeOf(request.path)) ?? notFound());
    const commit = () => {
      if (!isAddressed(request)) return misdirected();
      const reply = handlers[endpoint](context, request);
      save();
      return reply;
    };
    const fault = faults.take(endpoint);
    if (!fault) return send(response, commit());
    const later = lateActions.add.bind(lateActions);
    sendFault(fault, { response, commit, send: (reply) => send(response, reply), headersOf, later });
  }

  function send(response: ServerResponse, reply: Reply): void {
    if (response.destroyed) return;
    response.writeHead(reply.status, { ...headersOf(reply), 'Content-Length': Buffer.byteLength(reply.body) }).end(reply.body);
  }

  function headersOf(reply: Reply): Record<string, string> {
    const policy = reply.headers['Content-Type']?.startsWith('text/html') ? openerPolicy() : undefined;
    return {
      Date: new Date(context.serviceNow()).toUTCString(),
      ...(policy === undefined ? {} : { 'Cross-Origin-Opener-Policy': policy }),
      ...reply.headers,
    };
  }

  /** The path below `base_url`, without the query. Empty where it is not below. */
  function placeOf(path: string): string {
    const [pathname = ''] = path.split('?', 1);
    return pathname.startsWith(basePath) ? pathname.slice(basePath.length - 1) : '';
  }

  function isAddressed({ headers: { host } }: ReceivedRequest): boolean {
    return host?.length === 1 && host[0] === context.url.host;
  }

  function notFound(): Reply {
    return pageReply(404, errorPage(context, 'there is nothing at this address'));
  }

  function misdirected(): Reply {
    return pageReply(421, errorPage(context, 'the service goes by another host'));
  }
}
