/** The language of an element: the nearest `lang` of the page, else the browser's, else English. */

import type { LitElement, ReactiveController } from 'lit';
import { languages, type Language } from './language.ts';
import type { OwnStrings } from './own-strings.ts';

/** Keeps an element in its language, and renders it again when another language has been loaded. */
export class Localizer implements ReactiveController {
  /** BCP 47 tag of the language that is shown. */
  tag = 'en';
  /** Empty where the one that is wanted could not be had. */
  #language: Partial<Language> | undefined;
  #wanted = 'en';
  #observer: MutationObserver | undefined;
  readonly #host: LitElement;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** `rtl` or `ltr`, whatever the page's own direction is; until the first language has come, the page's, as most likely
   *  it is the same, and nothing moves then. */
  get direction(): 'ltr' | 'rtl' | undefined {
    return this.#language || this.#wanted === 'en' ? this.#language?.direction ?? 'ltr' : undefined;
  }

  /** The strings of one stage; `english` where no other language is in use. */
  strings<S extends object>(stage: keyof OwnStrings, english: S): S {
    return (this.#language?.[stage] as S | undefined) ?? english;
  }

  /** A page may change its language while it is shown. */
  hostConnected(): void {
    this.#observer ??= new MutationObserver(() => this.#host.requestUpdate());
    this.#observer.observe(document, { attributeFilter: ['lang'], subtree: true });
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  hostUpdate(): void {
    const tag = findLanguage(this.#host);
    if (tag !== this.#wanted) void this.#load(this.#wanted = tag);
  }

  async #load(tag: string): Promise<void> {
    const language = await languages[tag]?.().catch(() => undefined);
    if (tag !== this.#wanted) return;
    this.#language = language ?? {};
    this.tag = language ? tag : 'en';
    this.#host.requestUpdate();
  }
}

/** The first language that the page or the browser asks for and that exists here, whatever its script and region. */
export function findLanguage(element: HTMLElement): string {
  const page = element.closest<HTMLElement>('[lang]')?.lang ?? document.documentElement.lang;
  for (const wanted of [page, ...navigator.languages]) {
    const tag = languageOf(wanted);
    if (tag === 'en' || Object.hasOwn(languages, tag)) return tag;
  }
  return 'en';
}

/** As `Intl` writes it today; empty where `tag` is none. (`maximize()` is left alone: its tables take a slow phone 15 ms.) */
function languageOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return '';
  }
}
