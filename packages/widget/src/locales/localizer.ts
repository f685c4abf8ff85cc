/**
 * Language of an element: the nearest `lang` of the page, else the browser's, else English. English is built in; for any
 * other language `negotiation.ts` is loaded, with the list of languages.
 */

import type { LitElement, ReactiveController } from 'lit';
import type { Registration } from './language.ts';
import type { FoundLanguage } from './negotiation.ts';
import type { OwnStrings } from './own-strings.ts';

/** BCP 47 tag of the nearest `lang`, across shadow roots as HTML inherits it; empty without one. */
export function languageAround(element: Element): string {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.closest('[lang]')?.getAttribute('lang')!.replaceAll('_', '-') ?? (host ? languageAround(host) : '');
}

/** Renders its element again when the language of the page has changed or another one has loaded. */
export class Localizer implements ReactiveController {
  /** Languages that the page has registered, the latest last. */
  static readonly registered: Registration[] = [];
  /** Of the language that is shown. `undefined` until the first one has loaded: the page's direction then applies, which is
   *  most likely the same, so that nothing moves. */
  direction: 'ltr' | 'rtl' | undefined;
  /** Language around the element, for texts that are not the widget's own: the nearest `lang`; empty without one. */
  around = '';
  /** `undefined`: none exists, or the first is loading. `null`: the last load has failed. */
  #found: FoundLanguage | null | undefined;
  #wanted = '';
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());
  readonly #host: LitElement;
  readonly #onLoadError: (() => void) | undefined;

  /** @param onLoadError called with each failed load, after which the element is in English until a `retry` succeeds */
  constructor(host: LitElement, onLoadError?: () => void) {
    this.#host = host;
    this.#onLoadError = onLoadError;
    host.addController(this);
  }

  /** BCP 47 tag of the language that is shown. */
  get tag(): string {
    return this.#found?.tag ?? 'en';
  }

  /** The strings of one stage; `english` if no other language is in use. */
  strings<S extends object>(stage: keyof OwnStrings, english: S): S {
    return (this.#found?.language?.[stage] as S | undefined) ?? english;
  }

  /** Loads the language again if that has failed. */
  retry(): void {
    if (this.#found === null) void this.#load(this.#wanted);
  }

  hostConnected(): void {
    this.#observer.observe(document, { attributeFilter: ['lang'], subtree: true });
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    this.around = languageAround(this.#host);
    const wanted = [Localizer.registered.length, this.around, ...navigator.languages].join();
    if (wanted !== this.#wanted) void this.#load(wanted);
  }

  async #load(wanted: string): Promise<void> {
    this.#found ??= undefined;
    this.#wanted = wanted;
    const isEnglish = /^0,en\b/i.test(wanted);
    const found = isEnglish ? undefined : await import('./negotiation.ts')
      .then(({ loadLanguage }) => loadLanguage(wanted.split(',').slice(1), Localizer.registered))
      .catch(() => null);
    if (wanted !== this.#wanted) return;
    this.#found = found;
    this.direction = found?.language?.direction ?? 'ltr';
    if (found === null) this.#onLoadError?.();
    this.#host.requestUpdate();
  }
}
