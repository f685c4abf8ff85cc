/** A protection to remove, and the test that must fail without it. */

export interface Mutation {
  /** The attack that is let in. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly test: { readonly file: string; readonly name: string };
}
