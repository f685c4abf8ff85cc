/** Resolves to the module of a later chunk. Requests at the same time the chunk that it shares with others, which the browser
 *  would find only in the first one. */
export async function withShared<Module>(chunk: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([chunk, import('../client/client.ts')]);
  return module;
}
