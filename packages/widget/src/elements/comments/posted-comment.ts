import type { User } from '@vestibule/shared';

/** A comment that this reader has just posted, as they wrote it. */
export interface PostedComment {
  readonly user: User | undefined;
  readonly message: string;
  readonly at: Date;
}
