/** Chunks that load later. */

/** Requests at the same time the chunk `shared`, which the browser would find only in `chunk`. This module is its entry. */
export async function withShared<Module>(chunk: Promise<Module>): Promise<Module> {
  import('./client/client.ts').catch(() => {});
  return await chunk;
}

/** Registers `<vestibule-sync>`, unless the page has it. Rejects if its script cannot be loaded or evaluated. */
export async function loadSync(): Promise<void> {
  const { VestibuleSync } = await import('./sync/vestibule-sync.ts');
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
