/** Norsk: what a page means by `no` is bokmål. */

export * from './nb.ts';
