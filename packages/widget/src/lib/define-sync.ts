/** The validation form, loaded when it is needed. */

/** Registers `<vestibule-sync>`, unless the page has it already. Rejects where its script cannot be loaded. */
export async function defineSync(): Promise<void> {
  const { VestibuleSync } = await import('../elements/sync/vestibule-sync.ts');
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
