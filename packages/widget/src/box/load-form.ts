/** Registers `<vestibule-sync>`, unless the page has it. Rejects if its script cannot be loaded or evaluated. */
export async function loadSync(): Promise<void> {
  const { VestibuleSync } = await import('./form-in-box.ts');
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
