/** Whether a URL that was parsed leads to the web: http or https. */
export function isWebUrl(url: URL | null): url is URL {
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
