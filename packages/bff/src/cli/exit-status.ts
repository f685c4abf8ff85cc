/** What the command ends with (sysexits.h). After a second signal it is 128 and the signal's number. */
export const exitStatus = {
  ok: 0,
  /** A check failed, or the process crashed. */
  failure: 1,
  /** The command line is not understood. */
  usage: 64,
  /** Something that is needed cannot be had at present: the port. */
  unavailable: 69,
  /** The configuration is not usable. */
  config: 78,
} as const;
