/**
 * The script tag's entry: loads the comment box, and the validation form if the page has one. If that fails (network, a
 * deployment, a policy of the page), shows a fallback in their place, fires `vestibule-error`, and tries again when the
 * browser is online or a reader turns to an element.
 */

async function load(): Promise<void> {
  try {
    await (await import('./core.ts')).start();
  } catch (error) {
    reportError(error);
    const pending = document.querySelectorAll<HTMLElement>(':is(vestibule-comments,vestibule-sync):not(:defined)');
    const retry = new AbortController();
    const again = (): void => {
      retry.abort();
      void load();
    };
    addEventListener('online', again, retry);
    const fallback = await import('./load-fallback.ts').catch(() => undefined);
    for (const element of pending) {
      fallback?.showFallback(element, again, retry, error);
      element.addEventListener('pointerenter', again, retry);
      const problem = { type: 'urn:vestibule:network', title: 'Failed loading', status: 0, detail: String(error), retryable: true };
      element.dispatchEvent(new CustomEvent('vestibule-error', { bubbles: true, composed: true, detail: { problem } }));
    }
  }
}

// A script with `async` may run before the page's elements are there.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void load());
else void load();
