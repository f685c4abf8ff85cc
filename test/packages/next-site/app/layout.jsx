/** The page around the elements. Its style is that of `docs/embed.md`, which reserves their place. */

const reserved = 'vestibule-comments { display: block; min-block-size: calc(6.5em + 6 * max(1em, 16px) + 88px); }';

export default function Layout({ children }) {
  return <html lang="en"><head><style>{reserved}</style></head><body><h1>An article</h1>{children}<p>After the box.</p></body></html>;
}
