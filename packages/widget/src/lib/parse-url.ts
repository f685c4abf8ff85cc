/** Addresses, by what each version of `URL` has: a page may have replaced it by an older one, without `URL.parse`. */

/** `undefined`: no URL. @param base URL of a relative one */
export function parseUrl(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {}
}
