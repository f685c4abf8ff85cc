/** `npm run structure`: prints the size of the BFF's source and the source files that each request executes. */

import { measureRequests, measureSource } from './_structure.ts';

const { files, lines } = await measureSource();
console.log(`packages/bff/src: ${files} source files, ${lines} lines without tests`);
for (const [name, executed] of Object.entries(await measureRequests())) {
  console.log(`\n${name}: ${executed.length} files\n  ${executed.join('\n  ')}`);
}
