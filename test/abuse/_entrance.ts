/** Where clients connect to: host and port, and the certificate where TLS ends there. Serializable. */

export const HOST = 'www.example.com';
export const ORIGIN = `https://${HOST}`;
export const PATH = '/vestibule';
export const PUBLIC_URL = `${ORIGIN}${PATH}`;

export interface Entrance {
  readonly port: number;
  /** PEM. Plain TCP without one. */
  readonly certificate?: string;
}
