/**
 * Language of an element's phrases: the nearest `lang` around it, else the browser's, else English. English is built in; any
 * other language is loaded, once for all elements.
 */

import type { LitElement, ReactiveController } from 'lit';
import { loadLanguage, type FoundLanguage } from './languages.ts';
import { parseStrings, withOwn, type OwnStrings } from './own-strings.ts';

/** Those that have loaded, by the tags that are wanted, in the order of preference. */
const loaded = new Map<string, FoundLanguage>();
const loads = new Map<string, Promise<FoundLanguage>>();

/** Once; after a failure, a later call loads it again. */
function load(wanted: string): Promise<FoundLanguage> {
  let language = loads.get(wanted);
  if (!language) {
    loads.set(wanted, language = loadLanguage(wanted.split(',')));
    language.then((found) => loaded.set(wanted, found), () => loads.delete(wanted));
  }
  return language;
}

/** BCP 47 tag of the nearest `lang`, across shadow roots as HTML inherits it; empty without one. */
export function languageAround(element: Element): string {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.closest('[lang]')?.getAttribute('lang')!.replaceAll('_', '-') ?? (host ? languageAround(host) : '');
}

/** Loads the language of an element. Rejects if it does not load. */
export async function loadLanguageOf(element: Element): Promise<void> {
  await load(wantedBy(element));
}

function wantedBy(element: Element): string {
  const around = languageAround(element);
  return [...around ? [around] : [], ...navigator.languages ?? []].join();
}

/** Renders its element again when the language around it has changed or another one has loaded. */
export class Localizer implements ReactiveController {
  /** Of the language that is shown. `undefined` until the first one has loaded: the page's direction then applies, which is
   *  most likely the same, so that nothing moves. */
  direction: 'ltr' | 'rtl' | undefined;
  /** `undefined`: English. */
  #found: FoundLanguage | undefined;
  #wanted = '';
  #isFailureReported = false;
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());
  readonly #host: LitElement;
  readonly #onLoadError: () => void;

  /** @param onLoadError a load has failed, the first of consecutive ones: the language before stays, for a form English */
  constructor(host: LitElement, onLoadError: () => void = () => {}) {
    this.#host = host;
    this.#onLoadError = onLoadError;
    host.addController(this);
  }

  /** BCP 47 tag of the phrases, for their own texts only. */
  get tag(): string {
    return this.#found?.tag ?? 'en';
  }

  /** BCP 47 tag of the language around the element, for texts that are not the widget's own; empty without one. */
  get around(): string {
    return languageAround(this.#host);
  }

  /** The strings of one stage: the page's `own`, else those of the language, else `english`. */
  strings<S extends object>(stage: keyof OwnStrings, english: S, own?: OwnStrings | string): S {
    const { language } = this.#found ?? {};
    return withOwn(withOwn(english, language?.[stage]), parseStrings(own)?.[stage]);
  }

  readonly #onOnline = (): void => {
    if (!loaded.has(this.#wanted)) void this.#load();
  };

  hostConnected(): void {
    // An element that comes back may be in another place, or the language around it may be another one.
    this.#host.requestUpdate();
    addEventListener('online', this.#onOnline);
    // The element's own root, then those of the hosts around it.
    let element: Element | undefined = this.#host;
    while (element) {
      const root = element.getRootNode();
      this.#observer.observe(root, { attributeFilter: ['lang'], subtree: true });
      element = (root as Partial<ShadowRoot>).host;
    }
  }

  hostDisconnected(): void {
    removeEventListener('online', this.#onOnline);
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    this.#follow();
  }

  /** Shows what has loaded, and the language before until then. */
  #follow(): void {
    const wanted = wantedBy(this.#host);
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#isFailureReported = false;
      if (!loaded.has(wanted)) void this.#load();
    }
    const found = loaded.get(wanted);
    if (!found) return;
    this.#found = found;
    this.direction = found.language?.direction ?? 'ltr';
  }

  async #load(): Promise<void> {
    try {
      await load(this.#wanted);
      this.#isFailureReported = false;
    } catch {
      // A form whose first language does not load is in English.
      this.direction ??= 'ltr';
      if (!this.#isFailureReported) this.#onLoadError();
      this.#isFailureReported = true;
    }
    this.#host.requestUpdate();
  }
}
