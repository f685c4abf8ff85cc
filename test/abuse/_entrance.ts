/** Port that clients connect to, and its certificate if it uses TLS. Serializable. */

export const HOST = 'www.example.com';
export const ORIGIN = `https://${HOST}`;
export const PATH = '/vestibule';
export const PUBLIC_URL = `${ORIGIN}${PATH}`;

export interface Entrance {
  readonly port: number;
  /** PEM. Plain TCP without one. */
  readonly certificate?: string;
}
