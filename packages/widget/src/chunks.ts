/** Chunks that load later. */

/** Requests at the same time the chunk that `chunk` shares with others, which the browser would find only in it. */
export async function withShared<Module>(chunk: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([chunk, import('./client/client.ts')]);
  return module;
}

/** Registers `<vestibule-sync>`, unless the page has it. Rejects if its script cannot be loaded or evaluated. */
export async function loadSync(): Promise<void> {
  const { VestibuleSync } = await import('./sync/vestibule-sync.ts');
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
