/** Addresses of single comments: that of the article, with a fragment. */

const PREFIX = 'vestibule-comment-';

/** Id of the element of a comment in the thread. */
export const elementId = (id: string): string => PREFIX + id;

/** Ids of a list may have lone surrogates, which no URL can contain. */
const encode = (id: string): string => encodeURIComponent(id.toWellFormed());

export const fragmentOf = (id: string): string => `#${PREFIX}${encode(id)}`;

/** Id of the comment that the page's address names. */
export function linkedId(): string | undefined {
  const { hash } = location;
  if (!hash.startsWith(`#${PREFIX}`)) return undefined;
  try {
    return decodeURIComponent(hash.slice(PREFIX.length + 1));
  } catch {
    return undefined;
  }
}

/** Where the comment `id` can be reported: `{id}` may stand in the path and the query of `template`. */
export function reportLink(template: string | null, id: string): string | undefined {
  const url = template ? URL.parse(template) : null;
  return url?.protocol.startsWith('http') && !url.host.includes('{') ? template!.replaceAll('{id}', encode(id)) : undefined;
}
