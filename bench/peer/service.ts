/** The peer's client of the service: undici and the signature of interface 5, in the documented order. */

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

export interface Grant {
  readonly access_token: string;
  readonly user_id: string;
  readonly username: string;
}

export class Service {
  readonly origin: string;
  readonly publicKey: string;
  readonly #secretKey: string;
  readonly #url: URL;
  readonly #pool: Pool;

  constructor({ url, publicKey, secretKey }: { readonly url: string; readonly publicKey: string; readonly secretKey: string }) {
    this.#url = new URL(url);
    this.origin = this.#url.origin;
    this.publicKey = publicKey;
    this.#secretKey = secretKey;
    this.#pool = new Pool(this.origin, { connections: 256, headersTimeout: 10_000, bodyTimeout: 10_000 });
  }

  async createPost(params: Readonly<Record<string, string>>, accessToken: string): Promise<unknown> {
    const path = '/api/3.0/posts/create.json';
    const body = Object.entries(params).map(([name, value]) => `${name}=${value}`).sort()
      .map((pair) => pair.split(/=(.*)/s).map(percentEncode).slice(0, 2).join('=')).join('&');
    const { code, response } = await this.#send(path, body, { authorization: this.#sign('POST', path, body, accessToken) }) as {
      code: number; response: unknown;
    };
    if (code !== 0) throw new Error(`The service answered with code ${code}.`);
    return response;
  }

  async exchangeCode(code: string): Promise<Grant> {
    const body = new URLSearchParams({
      grant_type: 'audiencesync', client_id: this.publicKey, client_secret: this.#secretKey,
      redirect_uri: 'https://www.example.com/vestibule/sync/return', code,
    }).toString();
    const grant = await this.#send('/api/oauth/2.0/access_token/', body) as Partial<Grant>;
    if (!grant.access_token || !grant.user_id || !grant.username) throw new Error('The service refused the code.');
    return grant as Grant;
  }

  async #send(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const response = await this.#pool.request({
      method: 'POST', path, body,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    if (response.statusCode >= 400) throw new Error(`The service answered with ${response.statusCode}.`);
    return await response.body.json();
  }

  #sign(method: string, path: string, body: string, accessToken: string): string {
    const nonce = `${Date.now() / 1000}:${randomBytes(12).toString('hex')}`;
    const bodyHash = createHash('sha1').update(body).digest('base64');
    const port = this.#url.port || (this.#url.protocol === 'https:' ? '443' : '80');
    const text = `${[nonce, method, path, this.#url.hostname, port, bodyHash, ''].join('\n')}\n`;
    const mac = createHmac('sha1', this.#secretKey).update(text).digest('base64');
    return `MAC id="${this.publicKey}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}", access_token="${accessToken}"`;
  }
}

function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
