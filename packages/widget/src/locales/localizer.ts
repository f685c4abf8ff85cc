/**
 * Language of an element: the nearest `lang` of the page, else the browser's, else English. English is built in; for any
 * other language `negotiation.ts` is loaded, with the list of languages.
 */

import type { LitElement, ReactiveController } from 'lit';
import type { Language, Registration } from './language.ts';
import type { OwnStrings } from './own-strings.ts';

/** Renders its element again when the language of the page has changed or another one has loaded. */
export class Localizer implements ReactiveController {
  /** Languages that the page has registered, the latest last. */
  static readonly registered: Registration[] = [];
  /** BCP 47 tag of the language that is shown. */
  tag = 'en';
  /** Of the language that is shown. `undefined` until the first one has loaded: the page's direction then applies, which is
   *  most likely the same, so that nothing moves. */
  direction: 'ltr' | 'rtl' | undefined;
  /** `undefined`: English. */
  #language: Language | undefined;
  #wanted = '';
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());
  readonly #host: LitElement;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** The strings of one stage; `english` if no other language is in use. */
  strings<S extends object>(stage: keyof OwnStrings, english: S): S {
    return (this.#language?.[stage] as S | undefined) ?? english;
  }

  hostConnected(): void {
    this.#observer.observe(document, { attributeFilter: ['lang'], subtree: true });
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    const page = this.#host.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
    const wanted = [Localizer.registered.length, page, ...navigator.languages].join();
    if (wanted !== this.#wanted) void this.#load(wanted);
  }

  async #load(wanted: string): Promise<void> {
    this.#wanted = wanted;
    const isEnglish = /^0,en\b/i.test(wanted);
    const found = isEnglish ? undefined : await import('./negotiation.ts')
      .then(({ loadLanguage }) => loadLanguage(wanted.split(',').slice(1), Localizer.registered))
      .catch(() => undefined);
    if (wanted !== this.#wanted) return;
    this.#language = found?.language;
    this.direction = this.#language?.direction ?? 'ltr';
    this.tag = found?.tag ?? 'en';
    this.#host.requestUpdate();
  }
}
