/** Preloaded before every script (`node --import`): reports a Node.js that is too old, before it fails at the first `.ts` with
 *  ERR_UNKNOWN_FILE_EXTENSION. Plain JavaScript, which every Node.js runs. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `This needs Node.js 24.15 or newer and was started with ${process.versions.node}.\n`
    + 'The repository carries its own: run `npm ci` (install scripts allowed), then start it by `npm run …` or `npx …`.',
  );
  process.exit(1);
}
