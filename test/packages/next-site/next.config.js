/** Next.js as `docs/extend.md` sets it: a rewrite passes the BFF's path on. */

export default {
  devIndicators: false,
  rewrites: async () => [{ source: '/vestibule/:path*', destination: `${process.env.BFF_ORIGIN}/vestibule/:path*` }],
};
