/** A started post as the store keeps it: in the clear, which spares each post a sealing. Nothing there tells anything: the
 *  body's fingerprint covers the reader's key too, which is kept nowhere, so that no guessed text can be compared. */

import type { InTheClear } from '../store/records.ts';
import type { IdempotencyRecord } from './idempotency.ts';

const STARTED = /^started (\d{1,16}) ([\w-]{1,64})$/;

export const intentText: InTheClear<IdempotencyRecord> = {
  write: (record) => (record.state === 'started' ? `started ${record.startedAt} ${record.body}` : undefined),
  read(text) {
    const [, startedAt, body] = STARTED.exec(text) ?? [];
    return body === undefined ? undefined : { state: 'started', body, startedAt: Number(startedAt) };
  },
};
