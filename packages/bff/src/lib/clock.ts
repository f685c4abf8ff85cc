/** Milliseconds since the UNIX epoch. An argument wherever time matters, `Date.now` at the edge. */
export type Clock = () => number;
