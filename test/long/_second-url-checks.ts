/** Which addresses are believed, decided anew: RFC 3986's own expression (appendix B) and comparisons of text, without the
 *  URL parser that the product uses. */

interface Parts {
  readonly scheme: string;
  /** Lower case, without the scheme's own port. */
  readonly authority: string;
  readonly path: string;
  readonly fragment: string | undefined;
}

const APPENDIX_B = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;

const PLAIN_AUTHORITY = /^([a-z\d.-]+)(?::(\d{0,5}))?$/i;

/** Whether a host stands there that every parser reads alike, after a scheme and two slashes. */
export function isPlain(text: string): boolean {
  const [, scheme, authority] = APPENDIX_B.exec(text) ?? [];
  return scheme !== undefined && authority !== undefined && PLAIN_AUTHORITY.test(authority);
}

/** Whether `text` is the service's completion endpoint, with a query at the most. */
export function isCompletionUri(serviceUrl: string, text: string): boolean {
  const given = split(text);
  const own = split(`${serviceUrl}/audiencesync/complete/`);
  if (!given || !own || hasUnseen(text) || text.includes('\\') || text.includes('#')) return false;
  return given.scheme === own.scheme && given.authority === own.authority && given.path === own.path;
}

/** Whether `text` is on one of the origins, which are in their normal form. */
export function isReturnUri(origins: readonly string[], text: string): boolean {
  const given = split(text);
  if (!given || hasUnseen(text) || text.includes('\\') || text.length > 4096) return false;
  return origins.includes(`${given.scheme}://${given.authority}`);
}

function split(text: string): Parts | undefined {
  const [, scheme = '', authority = '', path = '', , fragment] = APPENDIX_B.exec(text) ?? [];
  const [, host, port] = PLAIN_AUTHORITY.exec(authority) ?? [];
  const name = scheme.toLowerCase();
  if (host === undefined || (name !== 'http' && name !== 'https')) return undefined;
  const isOwnPort = port === undefined || port === '' || Number(port) === (name === 'https' ? 443 : 80);
  if (Number(port) > 65_535) return undefined;
  return { scheme: name, authority: host.toLowerCase() + (isOwnPort ? '' : `:${Number(port)}`), path, fragment };
}

/** White space, controls, and what is not seen. */
function hasUnseen(text: string): boolean {
  return [...text].some((character) => character <= ' ' || /[\p{Z}\p{Cc}\p{Cf}]/u.test(character));
}
