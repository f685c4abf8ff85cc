/** A field takes at most 40 % of what the keyboard on the screen leaves of it: `dvh` does not know the keyboard. */
export function limitHeight(field: HTMLElement, signal: AbortSignal): void {
  const { visualViewport } = window;
  visualViewport?.addEventListener('resize', () => {
    field.style.maxBlockSize = visualViewport.scale === 1 ? `${visualViewport.height * 0.4}px` : '';
  }, { signal });
}
