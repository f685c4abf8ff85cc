/** Loaded into the BFF's process (`--import`): at `SIGUSR2` it collects its garbage and says what is left. */

let asked = 0;

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  asked += 1;
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  process.stdout.write(`${JSON.stringify({ msg: `census ${asked}`, heapBytes: process.memoryUsage().heapUsed, sockets })}\n`);
});
