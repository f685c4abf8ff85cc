/** What the benchmarks use of hawk, which has no types. */

declare module 'hawk' {
  export const client: {
    header(uri: URL | string, method: string, options: {
      credentials: { id: string; key: string; algorithm: 'sha1' | 'sha256' };
      payload?: string;
      contentType?: string;
    }): { header: string };
  };
}
