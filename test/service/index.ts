/** The emulated hosted service. */

export { startEmulatedService, type EmulatedService } from './emulated-service.ts';
export type { StoredPost } from './context.ts';
export type { Fault } from './faults.ts';
export type { Reader } from './grants.ts';
export type { ServiceOptions } from './options.ts';
export type { ReceivedRequest } from './request.ts';
export { expectedMac, parseMacHeader } from './signature.ts';
