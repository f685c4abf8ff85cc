import type { SessionView, SyncValidation } from '@vestibule/shared';

/** The request of a reader who confirms what the form shows. @param view response of `POST /sync` or `GET /session` */
export function validationOf(view: unknown, answers: object = {}): SyncValidation {
  const { sync } = view as Partial<SessionView>;
  if (!sync) throw new Error(`No sign-in is offered: ${JSON.stringify(view)}`);
  return { sync: sync.id, username: sync.user.username, answers: answers as SyncValidation['answers'] };
}
