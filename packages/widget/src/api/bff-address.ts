/** The BFF's public URL as a page names it: by the `bff` attribute, else by the address of the script itself
 *  (contract, section 1). */

/** The base of every request, ending in `/`. A `bff` that is no URL counts as none. */
export function bffAddress(bff: string | null | undefined): URL {
  const named = bff ? URL.parse(bff, document.baseURI) : null;
  if (!named) return scriptAddress(import.meta.url);
  named.search = named.hash = '';
  if (!named.pathname.endsWith('/')) named.pathname += '/';
  return named;
}

/** The folder of `widget.js`, from the address of any file of the build: a chunk lies one folder deeper, in `assets/`. */
export function scriptAddress(file: string): URL {
  return new URL(/\/assets\/[^/]*$/.test(file) ? '..' : '.', file);
}
