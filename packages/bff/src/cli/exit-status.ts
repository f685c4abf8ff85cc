/** Exit statuses (sysexits.h). After a second signal: 128 plus the signal's number. */
export const exitStatus = {
  ok: 0,
  /** A check failed, or the process crashed. */
  failure: 1,
  /** The command line is wrong. */
  usage: 64,
  /** The port is in use. */
  unavailable: 69,
  /** The configuration is wrong, or its store cannot be opened. */
  config: 78,
} as const;
