/** Key of an article, of which addresses have several spellings. */

/** `page` with percent-encodings in one form (RFC 3986, 6.2.2): unreserved characters decoded, other octets in upper case. Keys
 *  drafts and entries of the browser; requests, hooks and the caches of the BFF have the spelling of the page.
 *  @param page URL, as a URL parser writes it */
export function articleKey(page: string): string {
  return page.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
}
