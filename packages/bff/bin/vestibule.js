#!/usr/bin/env node
/** The command `vestibule`. Plain JavaScript, so that a Node.js which is too old for the rest can say so. Nothing is awaited at
 *  the top level: process managers may load it with `require()`. */

// The default action opens the debugger: a program of this machine could then read the secret key.
process.on('SIGUSR1', () => undefined);

/** `EX_CONFIG`, as for wrong settings: the unit of systemd does not start the command again. */
const CANNOT_RUN = 78;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (process.versions.bun) {
  process.stderr.write('vestibule needs Node.js 24.15 or newer; this is Bun.\n');
  process.exitCode = CANNOT_RUN;
} else if (major > 24 || (major === 24 && minor >= 15)) {
  if (process.env.npm_command === 'exec') endWithParent();
  import('../dist/main.js').catch((error) => { setImmediate(() => { throw error; }); });
} else {
  process.stderr.write(`vestibule needs Node.js 24.15 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = CANNOT_RUN;
}

/** Between `npx` and this process stands a shell that ends on a signal and passes none on. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
