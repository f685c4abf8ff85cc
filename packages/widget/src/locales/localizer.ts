/**
 * Language of an element's phrases: the nearest `lang` around it, else the browser's, else English. English is built in; any
 * other language is loaded.
 */

import type { LitElement, ReactiveController } from 'lit';
import { Part } from '../lib/part.ts';
import type { Language, Registration } from './language.ts';
import { loadLanguage, type FoundLanguage } from './languages.ts';
import { parseStrings, withOwn, type OwnStrings } from './own-strings.ts';

/** Languages that the page has registered, the latest last. */
const registered: Registration[] = [];
/** Elements in a document. */
const hosts = new Set<LitElement>();

/**
 * Adds a language, or replaces one, for all elements; those on the page turn to it at once. English stands in for phrases that
 * it lacks.
 * @param tag BCP 47: a language, or a language with a script or a region
 * @throws RangeError if `tag` is no language tag
 */
export function registerLanguage(tag: string, language: Language): void {
  registered.push([Intl.getCanonicalLocales(tag)[0]!, language]);
  for (const host of hosts) host.requestUpdate();
}

/** BCP 47 tag of the nearest `lang`, across shadow roots as HTML inherits it; empty without one. */
export function languageAround(element: Element): string {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.closest('[lang]')?.getAttribute('lang')!.replaceAll('_', '-') ?? (host ? languageAround(host) : '');
}

/** What has loaded, by `#wanted` of `Localizer`: an element that comes later, such as the field of a reply, shows and says its
 *  first texts in it. */
const loaded = new Map<string, FoundLanguage | undefined>();

interface LocalizerOptions {
  /** Whether a language may be loaded yet. */
  isWanted?(): boolean;
  /** A load has failed, the first of consecutive ones: the element is in English until one succeeds. */
  onLoadError?(error: unknown): void;
}

/** Renders its element again when the language around it has changed or another one has loaded. */
export class Localizer implements ReactiveController {
  /** Of the language that is shown. `undefined` until the first one has loaded: the page's direction then applies, which is
   *  most likely the same, so that nothing moves. */
  direction: 'ltr' | 'rtl' | undefined;
  /** `undefined`: none exists, the first is loading, or the last load has failed. */
  #found: FoundLanguage | undefined;
  /** The load of `#wanted`; `undefined`: it needed none. */
  #part: Part<FoundLanguage | undefined> | undefined;
  /** The number of registered languages and the tags, in the order of preference, separated by commas. */
  #wanted = '';
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());
  readonly #host: LitElement;
  readonly #options: LocalizerOptions;

  constructor(host: LitElement, options: LocalizerOptions = {}) {
    this.#host = host;
    this.#options = options;
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

  /** Loads the language again if that has failed. By itself, that happens when the browser is online again.
   *  @param isWanted as of `Part` */
  retry(isWanted = false): void {
    if (this.#part?.hasFailed) void this.#part.load(isWanted).catch(() => {});
  }

  readonly #onOnline = (): void => this.retry(true);

  /** For those who are about to show its phrases. Never rejects: English stands in for a language that does not load. */
  async ready(): Promise<void> {
    await this.#part?.load().catch(() => {});
  }

  hostConnected(): void {
    hosts.add(this.#host);
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
    hosts.delete(this.#host);
    removeEventListener('online', this.#onOnline);
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    const { around } = this;
    // A language that the page registers may replace the one that is shown: the number tells one load from the next.
    const wanted = [registered.length, ...around ? [around] : [], ...navigator.languages ?? []].join();
    const isWanted = this.#options.isWanted?.() ?? true;
    if (isWanted && wanted !== this.#wanted) this.#load(wanted);
  }

  #load(wanted: string): void {
    this.#wanted = wanted;
    this.#part = undefined;
    const found = loaded.get(wanted);
    // English, of which the page has registered no other version, loads nothing.
    if (/^0,en\b/i.test(wanted) || loaded.has(wanted)) return this.#show(found);
    const part = this.#part = new Part(() => loadLanguage(wanted.split(',').slice(1), registered), {
      onChange: () => {
        if (!part.hasFailed) loaded.set(wanted, part.module);
        if (part === this.#part) this.#show(part.module);
      },
      onFailure: (error) => part === this.#part && this.#options.onLoadError?.(error),
    });
    void part.load().catch(() => {});
  }

  #show(found: FoundLanguage | undefined): void {
    this.#found = found;
    this.direction = found?.language?.direction ?? 'ltr';
    this.#host.requestUpdate();
  }
}
